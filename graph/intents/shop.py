"""A shop's own intents, learnt beside ours and kept with its index."""

import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from graph.intents.entropy import SOURCES_BY_INTENT, IntentOptions
from graph.intents.model import IntentWeights, LocalIntentModel
from graph.trained import Encoder, WeightsError

Options = TypeVar("Options", bound=IntentOptions)

FILE_NAME = "intents.npz"
"""The file in the folder of an index."""


@dataclass(frozen=True, slots=True)
class ShopIntents:
    """A model that knows a shop's intents beside ours.

    Attributes:
        weights: Gives the probabilities.
        source_types: The kinds of evidence that each of the shop's intents reads.
    """

    weights: IntentWeights
    source_types: dict[str, frozenset[str]]

    @property
    def fingerprint(self) -> str:
        """Differs where an answer can."""
        return hashlib.sha256(self.to_bytes()).hexdigest()[:12]

    def options(self, options: Options) -> Options:
        """The options with the kinds of evidence that the shop's intents read; what is set wins."""
        ours = options.sources_by_intent
        chosen = {name: kinds for name, kinds in ours.items() if kinds != SOURCES_BY_INTENT.get(name)}
        return options.model_copy(update={"sources_by_intent": ours | self.source_types | chosen})

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same intents."""
        buffer = io.BytesIO()
        kinds = json.dumps({name: sorted(types) for name, types in sorted(self.source_types.items())})
        np.savez(buffer, weights=np.frombuffer(self.weights.to_bytes(), dtype=np.uint8), kinds=np.array(kinds))
        return buffer.getvalue()

    @classmethod
    def load(cls, index: Path) -> "ShopIntents | None":
        """The intents kept with an index; None where its shop has none.

        Raises:
            WeightsError: The file cannot be read.
        """
        path = index / FILE_NAME
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as arrays:
                weights = IntentWeights.read(io.BytesIO(arrays["weights"].tobytes()))
                kinds: dict[str, list[str]] = json.loads(str(arrays["kinds"]))
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = f"The shop's intents in {path} cannot be read ({error}). Train them again, or delete the file."
            raise WeightsError(message) from error
        return cls(weights, {name: frozenset(types) for name, types in kinds.items()})


def intent_parts(
    index: Path, encoder: Encoder, options: Options, config_hash: str
) -> tuple[LocalIntentModel, Options, str]:
    """The intent model over an index, with the options and the hash of all settings that go with it."""
    own = ShopIntents.load(index)
    if own is None:
        return LocalIntentModel(encoder), options, config_hash
    mixed = hashlib.sha256(f"{config_hash} {own.fingerprint}".encode()).hexdigest()[:12]
    return LocalIntentModel(encoder, own.weights), own.options(options), mixed
