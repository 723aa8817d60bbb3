"""Transformers as ONNX Runtime computes them: operators in one file, weights in another, checked and unpacked."""

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from ingestion.errors import AlteredModelError, UnusableModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Array = NDArray[np.generic]
INPUTS = ("input_ids", "attention_mask")
"""Of a graph, each of shape `(texts, tokens)`."""
FEW = 32
"""Texts up to which somebody waits for them, such as the pairs of a turn; more are a batch."""
NICENESS = 10
"""Of a batch: it has a tenth of a core that a turn wants as well."""


class Transformer:
    """A transformer that reads text by text; several threads may use it at once.

    Nothing is loaded before the first text. A text is one call, in which the interpreter is free for other turns. Few
    texts are read as many at once as there are cores, each by several threads, as one text alone leaves half of them
    idle; many are shared out among threads that yield to those.

    Args:
        graph: Its operators, as `evals.training.packing` writes them; the one output has a row for each text.
        weights: Loads theirs, by name.
        tokenizer: Of the model.
        max_tokens: Tokens from which on a text, or of a pair the longer of the two, is cut.
        threads: Those that share the work of a text of few; None for as many as there are cores.
    """

    def __init__(
        self,
        graph: Path,
        weights: Callable[[], Mapping[str, Array]],
        tokenizer: Path,
        max_tokens: int,
        threads: int | None = None,
    ) -> None:
        self._graph, self._weights, self._tokenizer = graph, weights, tokenizer
        self._max_tokens, self._threads = max_tokens, threads or _cores()
        self._loading = threading.Lock()
        self._sessions: dict[int, InferenceSession] = {}

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """Cuts texts where the window ends, and pads none."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        tokenizer: Tokenizer = Tokenizer.from_file(str(self._tokenizer))
        tokenizer.enable_truncation(self._max_tokens)
        tokenizer.no_padding()
        return tokenizer

    def tokens(self, texts: Sequence[Any]) -> list[list[int]]:
        """Token ids of texts or of pairs of texts."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]

    def read(self, tokens: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        """What the graph gives out for each text.

        Args:
            tokens: Of each text. None is padded: a core reads tokens no faster for having more of them at once.
        """
        if len(tokens) <= FEW:
            return list(_threads().map(partial(_read, self._session(self._threads)), tokens))
        return list(_batch_threads().map(partial(_read, self._session(1)), tokens))

    def _session(self, threads: int) -> "InferenceSession":
        """The model for texts that so many threads share; most processes want no second, which costs memory."""
        with self._loading:  # not held while texts are read: who asks for one does not wait for another's thousand
            if threads not in self._sessions:
                self._sessions[threads] = self._loaded(threads)
            return self._sessions[threads]

    def _loaded(self, threads: int) -> "InferenceSession":
        from onnxruntime import InferenceSession, OrtValue, SessionOptions  # noqa: PLC0415 - heavy

        options = SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # cores that wait are another turn's
        values = self._weights()
        options.add_external_initializers(list(values), [OrtValue.ortvalue_from_numpy(one) for one in values.values()])
        return InferenceSession(self._graph, options, providers=["CPUExecutionProvider"])


def _read(session: "InferenceSession", tokens: Sequence[int]) -> NDArray[np.float32]:
    ids = np.array([tokens], dtype=np.int64)
    ((found,),) = session.run(None, dict(zip(INPUTS, (ids, np.ones_like(ids)), strict=True)))
    return np.asarray(found, dtype=np.float32)


@cache
def _threads() -> ThreadPoolExecutor:
    """The threads that read few texts, for all transformers of the process: what one leaves idle, the next takes."""
    return ThreadPoolExecutor(_cores(), "few")


@cache
def _batch_threads() -> ThreadPoolExecutor:
    """The threads that read many texts, one a core, for all transformers of the process."""
    return ThreadPoolExecutor(_cores(), "batch", _yield_to_others)


def _yield_to_others() -> None:
    """Let this thread wait where a core is wanted by another; anyone may ask for less."""
    if sys.platform == "linux":  # elsewhere this is the whole process's
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


GROUP = 128
"""Neighbouring weights that share a scale."""
SCALES, ZEROS, SHAPE = ".scales", ".zeros", ".shape"
"""What the names of a packed matrix's other parts end in."""
LOOKED_UP = "_embeddings.weight"
"""What the name of a matrix ends in whose rows are looked up."""


def initializers(*paths: Path) -> dict[str, Array]:
    """Read weights as ONNX Runtime's operators on four bits take them (Dettmers and Zettlemoyer, 2023).

    Args:
        paths: Safetensors files of matrices in four bits, the lower half of a byte first, all else in half precision;
            of one name that of the last file counts.

    Returns:
        By name: of a packed matrix its levels, two in a byte, of shape `(rows, groups, bytes)`, or `(rows, bytes)` if
        rows are looked up, its scales of shape `(rows, groups)`, and its zeros, two in a byte; of all else the values
        in single precision.
    """
    stored = {name: values for path in paths for name, values in load_file(path).items()}
    packed = [name.removesuffix(SCALES) for name in stored if name.endswith(SCALES)]
    found = {name: values for one in packed for name, values in _matrix(one, stored).items()}
    parts = {one + ending for one in packed for ending in ("", SCALES, ZEROS, SHAPE)}
    return found | {name: values.astype(np.float32) for name, values in stored.items() if name not in parts}


def checked(path: Path, digest: str) -> Path:
    """A file whose SHA-256 is the one that ships.

    Raises:
        AlteredModelError: It is another.
    """
    with path.open("rb") as weights:
        if hashlib.file_digest(weights, "sha256").hexdigest() != digest:
            raise AlteredModelError(path)
    return path


def _matrix(name: str, stored: Mapping[str, Array]) -> dict[str, Array]:
    rows, _ = stored[name + SHAPE].tolist()
    zeros = stored[name + ZEROS].astype(np.uint8).reshape(rows, -1)
    zeros = np.pad(zeros, ((0, 0), (0, zeros.shape[1] % 2)))
    return {
        name: stored[name].reshape((rows, -1) if name.endswith(LOOKED_UP) else (rows, -1, GROUP // 2)),
        name + SCALES: stored[name + SCALES].reshape(rows, -1).astype(np.float32),
        name + ZEROS: np.ascontiguousarray(zeros[:, ::2] | zeros[:, 1::2] << 4),
    }


CONFIGS = ("modules.json", "config.json")
"""One of which lies in the folder of every model of sentence-transformers."""


def model_files(setting: str, name: str) -> Path:
    """The folder of a model.

    Args:
        setting: What it is set as, for the message.
        name: A folder, an installed package that holds one, or the name of a repository of the hub, which is fetched
            once and kept.

    Raises:
        UnusableModelError: There is none of this name.
    """
    if Path(name).is_dir():
        return Path(name)
    package = find_spec(name) if name.isidentifier() else None
    for folder in package.submodule_search_locations or () if package else ():
        found = [Path(folder), *(one for one in sorted(Path(folder).iterdir()) if one.is_dir())]
        holding = [one for one in found if any((one / config).is_file() for config in CONFIGS)]
        if holding:
            return holding[0]
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - heavy, with the next
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    try:
        return Path(snapshot_download(name))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        why = "there is no such folder or package, and the hub does not give it"
        raise UnusableModelError(setting, name, why) from error


def files_digest(folder: Path) -> str:
    """SHA-256 of a model's weights and configurations, whatever else lies beside them."""
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.safetensors"), *folder.rglob("*.json")]):
        digest.update(f"{path.relative_to(folder)}\n".encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
