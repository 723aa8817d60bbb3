"""The embedding model in a process of its own, which loads it while this one reads the shop."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import BinaryIO

import numpy as np

from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import DIMENSIONS, Vectors, shared_encoder
from ingestion.errors import LostEncoderError

_SERVE = "from ingestion.encoder_process import serve; serve()"
_WARM_UP = ("Several texts load", "what batches need.")
_NEEDED_NEXT = "chromadb"
"""What this process imports, which takes a second, while it waits for the first vectors."""


class EncoderProcess:
    """The shared encoder in a child process, which ends with this one, however that ends.

    Attributes:
        child: The child's process id.
    """

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        self._child, self._lock = child, Lock()
        self._model = shared_encoder()
        self.child = child.pid

    @property
    def fingerprint(self) -> str:
        """Name and revision of the model."""
        return self._model.fingerprint

    @property
    def max_tokens(self) -> int:
        """Length of the model's window, special tokens included."""
        return self._model.max_tokens

    def count_tokens(self, text: str) -> int:
        """Tokens of a text; this needs no more than the tokenizer, which is here."""
        return self._model.count_tokens(text)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors.

        Raises:
            LostEncoderError: The child has ended.
        """
        with self._lock:
            packed = self._ask(list(texts))
        if len(packed) < len(texts) * DIMENSIONS * 4:
            raise LostEncoderError
        return np.frombuffer(packed, dtype="<f4").reshape(-1, DIMENSIONS)

    def _ask(self, texts: list[str]) -> bytes:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            self._child.stdin.write(json.dumps(texts).encode() + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError as error:
            raise LostEncoderError from error
        importlib.import_module(_NEEDED_NEXT)
        return self._child.stdout.read(len(texts) * DIMENSIONS * 4)


@contextmanager
def loading(encoder: TextEncoder) -> Iterator[TextEncoder]:
    """An encoder that is ready soon: the shared one in a child process, unless torch is in this one already."""
    if encoder is not shared_encoder() or "torch" in sys.modules:
        yield encoder
        return
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-P", "-c", _SERVE],  # -P: no module is taken from the working folder
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,  # Ctrl-C is told by this process alone
    ) as child:
        try:
            yield EncoderProcess(child)
        finally:
            child.kill()
            assert child.stdin is not None
            with suppress(BrokenPipeError):  # a child that was lost leaves unsent what it was asked
                child.stdin.close()


def serve() -> None:
    """Embed the texts of every line of standard input, a JSON array, to vectors on standard output, until it ends."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as vectors:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no vector
        _answer(sys.stdin.buffer, vectors)


def _answer(requests: BinaryIO, vectors: BinaryIO) -> None:
    encoder = shared_encoder()
    encoder.encode(_WARM_UP)
    with suppress(BrokenPipeError):  # nobody waits for them any more
        for request in requests:
            vectors.write(encoder.encode(json.loads(request)).astype("<f4").tobytes())
            vectors.flush()
