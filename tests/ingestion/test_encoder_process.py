"""The embedding model in a child process."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import shared_encoder
from ingestion.encoder_process import loading

PROJECT = Path(__file__).parents[2]

ENCODE_IN_A_CHILD = """
import sys
import numpy as np
from ingestion.encoder import shared_encoder
from ingestion.encoder_process import loading

texts = ["How heavy is it?", "A tent\\u2028for two.", "", "tent " * 500]
with loading(shared_encoder()) as encoder:
    vectors = [encoder.encode(texts), encoder.encode(texts[:1])]
    assert encoder.count_tokens("tent tent") == 2
    assert (encoder.fingerprint, encoder.max_tokens) == (shared_encoder().fingerprint, 256)
assert "torch" not in sys.modules
np.save(sys.argv[1], np.concatenate(vectors))
"""
LOSE_THE_CHILD = """
import os, signal, sys
from ingestion.encoder import shared_encoder
from ingestion.encoder_process import loading
from ingestion.errors import LostEncoderError

try:
    with loading(shared_encoder()) as encoder:
        os.kill(encoder.child, signal.SIGKILL)
        encoder.encode(["How heavy is it?"])
except LostEncoderError as error:
    print(error)
"""
TELL_THE_CHILD_AND_STALL = """
import time
from ingestion.encoder import shared_encoder
from ingestion.encoder_process import loading

with loading(shared_encoder()) as encoder:
    encoder.encode(["How heavy is it?"])
    print(encoder.child, flush=True)
    time.sleep(600)
"""


def python(code: str, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.Popen(command, cwd=PROJECT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603


def test_it_gives_the_vectors_of_the_model_without_loading_it_here(tmp_path: Path) -> None:
    with python(ENCODE_IN_A_CHILD, str(tmp_path / "vectors.npy")) as process:
        assert process.communicate() == ("", "")
    texts = ["How heavy is it?", "A tent\u2028for two.", "", "tent " * 500]
    here = [shared_encoder().encode(texts), shared_encoder().encode(texts[:1])]
    assert np.allclose(np.load(tmp_path / "vectors.npy"), np.concatenate(here), atol=1e-6)


def test_a_child_that_is_lost_is_an_error_for_people() -> None:
    with python(LOSE_THE_CHILD) as process:
        told, trouble = process.communicate()
    assert "Ingest again: what was embedded is kept" in told
    assert trouble == ""


def test_the_child_ends_with_a_run_that_is_killed() -> None:
    with python(TELL_THE_CHILD_AND_STALL) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        watched = os.pidfd_open(child)
        process.send_signal(signal.SIGKILL)
    ended, _, _ = select.select([watched], [], [], 30)
    assert ended
    os.close(watched)


def test_an_encoder_of_ones_own_stays_where_it_is(encoder: TextEncoder) -> None:
    with loading(encoder) as ready:
        assert ready is encoder
