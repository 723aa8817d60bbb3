"""Run as a script: an ingest process for every line `SHOP INDEX` of standard input, forked from one that is warm.

Each is announced by a line with its process id, and its end by a line with the seconds it took and its exit status
(`-9` for one that was killed). This folder and the project stand in PYTHONPATH.
"""

import os
import sys
import time

import chromadb  # noqa: F401 - imported before the forks, as all that is slow to import
from conftest import HashingEncoder

from ingestion.ingest import ingest


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


for job in sys.stdin:
    shop, index = job.split()
    started = time.perf_counter()
    child = os.fork()
    if not child:
        ingest([shop], index, encoder=HashingEncoder())
        os._exit(0)
    say(child)
    _, status = os.waitpid(child, 0)
    say(time.perf_counter() - started, os.waitstatus_to_exitcode(status))
