"""The reader: does a passage answer a question, what does it say to yes or no, does evidence bear a statement out."""

import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graph.parts import Judgement, Pair
from ingestion.errors import UnusableModelError
from ingestion.inference import Transformer, checked, initializers, model_files
from ingestion.statement_encoder import FOLDER as ENCODER_FOLDER
from ingestion.statement_encoder import GRAPH, TOKENIZER

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


SAID = ("yes", "no", "depends", "neither")
OUTPUTS = ("answers", *SAID, "supported")
ANSWERS, YES, NO, SUPPORTED = (OUTPUTS.index(name) for name in ("answers", "yes", "no", "supported"))
TOLD = slice(1, 5)
"""Where the outputs of `SAID` stand, of which one is true."""

Logits = NDArray[np.float64]
"""Shape `(pairs, len(OUTPUTS))`."""
Calibration = Mapping[str, Sequence[float]]
"""Slope and offset of the logits of `answers` and `supported`, and one slope for those of `SAID`."""


def probabilities(logits: Logits, calibration: Calibration) -> Logits:
    """Probabilities of the same shape; those of `SAID` sum to 1."""
    from scipy.special import expit, softmax  # noqa: PLC0415 - heavy

    found = logits.copy()
    for name, at in (("answers", ANSWERS), ("supported", SUPPORTED)):
        slope, offset = calibration[name]
        found[:, at] = expit(slope * logits[:, at] + offset)
    found[:, TOLD] = softmax(calibration["said"][0] * logits[:, TOLD], axis=1)
    return found


FOLDER = Path(__file__).parent
WEIGHTS, ADAPTER, CALIBRATION = "weights.safetensors", "adapter.safetensors", "calibration.json"
DIGEST = "c45106d8d0c5e7b9ac288e7d9523f2890e00545fc78172767d4200a3418415f9"
ADAPTER_DIGEST = "17bf83591793542d192b30b94328e78a42069f54b447a1d195b76f3f868ca917"
"""SHA-256 of the weights that ship, and of the adapter beside them."""
MAX_TOKENS = 128
OUTPUT = "scores"
"""As sentence-transformers calls what a classifier says."""
SETTING = "reader"


class ShippedReader:
    """The reader that ships: reads pairs of up to 128 tokens together; of longer ones the longer text is cut.

    The model is loaded on the first `judge`; several threads may use it.
    """

    batch = 0  # all at once: the transformer reads pair by pair, and shares many out among threads

    def __init__(self) -> None:
        self._loading = Lock()

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """What the second text of each pair says to the first.

        Raises:
            AlteredModelError: The weights are not those that ship.
        """
        if not pairs:
            return []
        with self._loading:  # not held while pairs are read
            model, calibration = self._model, self._calibration
        logits = model.predict(list(pairs), batch_size=self.batch or len(pairs), show_progress_bar=False)
        found = probabilities(np.asarray(logits, dtype=np.float64), calibration)
        return [
            Judgement(answers=row[ANSWERS], yes=row[YES], no=row[NO], supported=row[SUPPORTED])
            for row in found.tolist()
        ]

    @cached_property
    def _calibration(self) -> Calibration:
        found: Calibration = json.loads((FOLDER / CALIBRATION).read_text(encoding="utf-8"))
        return found

    @cached_property
    def _model(self) -> "CrossEncoder":
        from sentence_transformers import CrossEncoder  # noqa: PLC0415 - heavy, with all below
        from torch import nn  # noqa: PLC0415

        from ingestion.transformer_module import TransformerModule  # noqa: PLC0415

        files = checked(FOLDER / WEIGHTS, DIGEST), checked(FOLDER / ADAPTER, ADAPTER_DIGEST)
        weights = partial(initializers, *files)
        transformer = Transformer(FOLDER / GRAPH, weights, ENCODER_FOLDER / TOKENIZER, MAX_TOKENS)
        read = TransformerModule(transformer, OUTPUT)
        model: CrossEncoder = CrossEncoder(modules=[read], device="cpu", activation_fn=nn.Identity())
        return model


class NamedReader(ShippedReader):
    """A reader of the shop's choice, on the device that sentence-transformers finds; its window is its own.

    Args:
        name: Folder, installed package or hub name of a `CrossEncoder` with the outputs of `OUTPUTS` and its
            `calibration.json`, as `footnote train reader` writes both.
    """

    batch = 32

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    @cached_property
    def _calibration(self) -> Calibration:
        try:
            text = (model_files(SETTING, self._name) / CALIBRATION).read_text(encoding="utf-8")
            found: Calibration = json.loads(text)
        except (OSError, ValueError) as error:
            raise UnusableModelError(SETTING, self._name, f"it has no {CALIBRATION} that can be read") from error
        return found

    @cached_property
    def _model(self) -> "CrossEncoder":
        from sentence_transformers import CrossEncoder  # noqa: PLC0415 - heavy, with all below
        from torch import nn  # noqa: PLC0415

        try:
            model: CrossEncoder = CrossEncoder(
                str(model_files(SETTING, self._name)), activation_fn=nn.Identity(), local_files_only=True
            )
        except (OSError, ValueError, KeyError) as error:
            raise UnusableModelError(SETTING, self._name, "sentence-transformers cannot load it") from error
        if model.num_labels != len(OUTPUTS):
            why = f"it has {model.num_labels} outputs, not the {len(OUTPUTS)} of a reader"
            raise UnusableModelError(SETTING, self._name, why)
        return model


@cache
def shared_reader(name: str | None = None) -> ShippedReader:
    """The one reader of this process, or the one of a name."""
    return ShippedReader() if name is None else NamedReader(name)
