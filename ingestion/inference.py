"""Transformers as PyTorch runs them, and their weights, which ship in four bits."""

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ingestion.errors import AlteredModelError, UnusableModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor
    from transformers import PreTrainedModel

Taking = Callable[[Any, "Tensor"], "Tensor"]
"""Takes what is wanted, a row for each text, from what a transformer returns and from where there is a token."""
FEW = 32
"""Texts up to which somebody waits for them, such as the pairs of a turn; more are a batch."""
BATCH = 16
"""Texts that a thread reads at once, of many."""
NICENESS = 10
"""Of a batch: it has a tenth of a core that a turn wants as well."""


class Transformer:
    """A transformer that reads texts; several threads may use it at once.

    Nothing is loaded before the first text. Few texts are shared out among as many threads as there are cores; many are
    read in batches by threads that yield to those. Each thread works alone: those that share a product wait for each
    other after every one, and for whoever else has their cores.

    Args:
        load: The model, called once.
        take: Of what it returns.
        tokenizer: Of the model.
        max_tokens: Tokens from which on a text, or of a pair the longer of the two, is cut.
    """

    def __init__(self, load: "Callable[[], PreTrainedModel]", take: Taking, tokenizer: Path, max_tokens: int) -> None:
        self._load, self._take = load, take
        self._tokenizer, self._max_tokens = tokenizer, max_tokens
        self._loading = threading.Lock()

    def tokens(self, texts: Sequence[Any]) -> list[list[int]]:
        """Token ids of texts or of pairs of texts."""
        return [encoding.ids for encoding in self._cutting.encode_batch(list(texts))]

    def read(self, tokens: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        """What is taken of each text.

        Args:
            tokens: Of each text. Those of like length are read together, as shorter ones are padded.
        """
        few = len(tokens) <= FEW
        threads, size = (_threads(), -(-len(tokens) // _cores())) if few else (_batch_threads(), BATCH)
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        parts = [order[at : at + size] for at in range(0, len(order), size or 1)]
        with self._loading:  # not held while texts are read: who asks for one does not wait for another's thousand
            model = self._model
        rows = threads.map(partial(self._read, model), [[tokens[at] for at in part] for part in parts])
        found = {at: row for part, taken in zip(parts, rows, strict=True) for at, row in zip(part, taken, strict=True)}
        return [found[at] for at in range(len(tokens))]

    def _read(self, model: "PreTrainedModel", tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        import torch  # noqa: PLC0415 - heavy, with the next
        from torch.nn.utils.rnn import pad_sequence  # noqa: PLC0415

        rows = [torch.tensor(one) for one in tokens]
        ids = pad_sequence(rows, batch_first=True, padding_value=model.config.pad_token_id)
        seen = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
        with torch.inference_mode():
            taken: NDArray[np.float32] = self._take(model(input_ids=ids, attention_mask=seen), seen).float().numpy()
        return taken

    @cached_property
    def _cutting(self) -> "Tokenizer":
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        tokenizer: Tokenizer = Tokenizer.from_file(str(self._tokenizer))
        tokenizer.enable_truncation(self._max_tokens)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _model(self) -> "PreTrainedModel":
        return _threads().submit(_silently, self._load).result()


def _silently(load: "Callable[[], PreTrainedModel]") -> "PreTrainedModel":
    from transformers.utils import logging  # noqa: PLC0415 - heavy

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model = load()
    model.eval()  # type: ignore[no-untyped-call]
    return model


def mean_state(states: "Tensor", seen: "Tensor") -> "Tensor":
    """The mean of the states of each text's tokens, as unit vectors.

    Args:
        states: Shape `(texts, tokens, dimensions)`.
        seen: Shape `(texts, tokens)`; 1 where there is a token, 0 where there is none.
    """
    from torch.nn.functional import normalize  # noqa: PLC0415 - heavy

    return normalize((states.float() * seen[:, :, None]).sum(dim=1), dim=1)


@cache
def _threads() -> ThreadPoolExecutor:
    """The threads that read few texts, for all transformers of the process: what one leaves idle, the next takes."""
    return ThreadPoolExecutor(_cores(), "few", _work_alone)


@cache
def _batch_threads() -> ThreadPoolExecutor:
    """The threads that read many texts, one a core, for all transformers of the process."""
    return ThreadPoolExecutor(_cores(), "batch", _yield_to_others)


def _work_alone() -> None:
    import torch  # noqa: PLC0415 - heavy

    torch.set_num_threads(1)  # of the thread that calls it


def _yield_to_others() -> None:
    """Let this thread wait where a core is wanted by another; anyone may ask for less."""
    _work_alone()
    if sys.platform == "linux":  # elsewhere this is the whole process's
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def number_type() -> str:
    """The type of numbers, as PyTorch calls it, in which this processor multiplies matrices fastest.

    One without bfloat16 takes four times as long by it as by float32.
    """
    import torch  # noqa: PLC0415 - heavy

    known = torch.cpu.get_capabilities()
    return "bfloat16" if any(known.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16")) else "float32"


BITS = 4
LEVELS = 2**BITS - 1
GROUP = 128
"""Neighbouring weights that share a scale."""
SCALES, ZEROS, SHAPE = ".scales", ".zeros", ".shape"
"""What the names of a packed matrix's other parts end in."""
DOWN, UP = ".down", ".up"
"""What the names of an adapter's matrices end in, of shapes `(columns, rank)` and `(rank, rows)`."""


def unpacked(*paths: Path) -> "dict[str, Tensor]":
    """Read weights as `evals.training.packing` writes them, in single precision: as they were but for what that lost.

    Args:
        paths: Safetensors files of matrices in four bits (Dettmers and Zettlemoyer, 2023), the lower half of a byte
            first, adapters of theirs, which are added, and all else in half precision; of one name that of the last
            file counts.
    """
    import torch  # noqa: PLC0415 - heavy, with the next
    from safetensors.torch import load_file  # noqa: PLC0415

    stored: dict[str, Tensor] = {name: values for path in paths for name, values in load_file(path).items()}
    found: dict[str, Tensor] = {}
    for name in [one.removesuffix(SCALES) for one in stored if one.endswith(SCALES)]:
        both, scales, zeros, shape = (stored.pop(name + ending) for ending in ("", SCALES, ZEROS, SHAPE))
        pairs = both.reshape(len(scales), -1)
        groups = torch.empty(len(scales), GROUP)
        groups[:, 0::2], groups[:, 1::2] = pairs & LEVELS, pairs >> BITS
        found[name] = groups.sub_(zeros[:, None]).mul_(scales[:, None]).reshape(shape.tolist())
    for name in [one.removesuffix(DOWN) for one in stored if one.endswith(DOWN)]:
        found[name] += (stored.pop(name + DOWN).float() @ stored.pop(name + UP).float()).T
    return found | {name: one.float() for name, one in stored.items()}


def checked(path: Path, digest: str) -> Path:
    """A file whose SHA-256 is the one that ships.

    Raises:
        AlteredModelError: It is another.
    """
    with path.open("rb") as weights:
        if hashlib.file_digest(weights, "sha256").hexdigest() != digest:
            raise AlteredModelError(path)
    return path


CONFIG = "config.json"
"""As transformers calls what holds a model's architecture."""


def packed_model(folder: Path, *weights: Path, **options: Any) -> "PreTrainedModel":  # noqa: ANN401 - the library's
    """A model in the type of numbers that this processor multiplies fastest.

    Args:
        folder: Of its configuration.
        weights: Files of its weights, as `unpacked` takes them.
        options: For the architecture.
    """
    import transformers  # noqa: PLC0415 - heavy

    config = transformers.AutoConfig.from_pretrained(folder / CONFIG)
    [name] = config.architectures
    values = {"config": config, "state_dict": unpacked(*weights), "dtype": number_type()}
    model: PreTrainedModel = getattr(transformers, name).from_pretrained(None, **values, **options)
    return model


CONFIGS = ("modules.json", CONFIG)
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
