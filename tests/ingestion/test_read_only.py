"""An index that may only be read, such as one in a sealed image, answers all the same."""

import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree

NOBODY = 65534
READ = """
import os, sys
import chromadb, chromadb.api.rust
import numpy as np
from ingestion.source_types import SOURCE_TYPES
from ingestion.knowledge import open_knowledge
open_knowledge(sys.argv[1]).close()
if os.getuid() == 0:
    os.setuid(int(sys.argv[2]))  # root may write everywhere
knowledge = open_knowledge(sys.argv[1])
dense = knowledge.dense(np.ones(384, dtype=np.float32), SOURCE_TYPES, 3)
lexical = knowledge.lexical("return a tent", SOURCE_TYPES, 3)
knowledge.close()
print(len(dense), len(lexical))
"""


def test_it_is_searched_and_left_as_it_is(index: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "index"
        copytree(index, copy)
        everything = [Path(folder), *Path(folder).rglob("*")]
        before = {path: path.stat().st_mtime_ns for path in everything}
        for path in everything:
            path.chmod(0o555 if path.is_dir() else 0o444)
        done = subprocess.run(  # noqa: S603 - our own words
            [sys.executable, "-c", READ, str(copy), str(NOBODY)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout.split()) == (0, ["3", "3"]), done.stderr
        assert {path: path.stat().st_mtime_ns for path in everything} == before
        for path in everything:
            path.chmod(0o755)
