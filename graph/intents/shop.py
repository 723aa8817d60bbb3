"""A shop's own intents: learnt beside ours, and kept with its index."""

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graph.intents.model import IntentWeights, IntentWeightsError, LocalIntentModel
from graph.intents.training import Mixture, fit_with
from graph.intents.utterances import Example, filled, read_utterances
from graph.options import SOURCES_BY_INTENT, GraphOptions
from graph.options.intents import INTENTS, NON_DECISION
from graph.parts import Encoder
from ingestion.readers.config import ShopIntent

FILE_NAME = "intents.npz"
"""The file in the folder of an index."""
FEWEST_UTTERANCES = 8
"""An intent of a shop's own is not learnt from fewer."""


class ShopIntentsError(ValueError):
    """A shop's intents cannot be learnt."""


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

    def options(self, options: GraphOptions) -> GraphOptions:
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
            IntentWeightsError: The file cannot be read.
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
            raise IntentWeightsError(message) from error
        return cls(weights, {name: frozenset(types) for name, types in kinds.items()})


def train_for_shop(
    intents: Sequence[ShopIntent], encoder: Encoder, ours: Sequence[Example] | None = None
) -> ShopIntents:
    """Learn a shop's intents beside ours, calibrated as the model that ships.

    Args:
        intents: What the shop says; utterances under the name of one of our intents are added to it.
        encoder: Embeds the utterances.
        ours: Examples of our intents; those that the shipped model is trained on if None.

    Raises:
        ShopIntentsError: An intent lacks utterances, or what answers it.
    """
    _check(intents)
    shipped = IntentWeights.load()
    examples = [*(ours or read_utterances()), *_examples(intents)]
    weights = fit_with(examples, Mixture(shipped.share, shipped.sharpness), encoder)
    return ShopIntents(weights, _source_types(intents))


def intent_parts(
    index: Path, encoder: Encoder, options: GraphOptions, config_hash: str
) -> tuple[LocalIntentModel, GraphOptions, str]:
    """The intent model over an index, with the options and the hash of all settings that go with it."""
    own = ShopIntents.load(index)
    if own is None:
        return LocalIntentModel(encoder), options, config_hash
    mixed = hashlib.sha256(f"{config_hash} {own.fingerprint}".encode()).hexdigest()[:12]
    return LocalIntentModel(encoder, own.weights), own.options(options), mixed


def _check(intents: Sequence[ShopIntent]) -> None:
    if not intents:
        message = "It names no intents. Add some to its shop.toml: [intents.gift_wrapping] with utterances."
        raise ShopIntentsError(message)
    for intent in intents:
        where = f"[intents.{intent.name}]"
        if intent.name == NON_DECISION and intent.source_types:
            message = f"{where} has source_types, but {NON_DECISION} reads no evidence. Take them out."
            raise ShopIntentsError(message)
        if intent.name in INTENTS:
            continue
        if not intent.source_types:
            message = f"{where} is new and names no source_types, the kinds of evidence that answer it."
            raise ShopIntentsError(message)
        if len(set(intent.utterances)) < FEWEST_UTTERANCES:
            message = (
                f"{where} has {len(set(intent.utterances))} utterances; at least {FEWEST_UTTERANCES} are needed, "
                "and more, differently worded, are better."
            )
            raise ShopIntentsError(message)


def _examples(intents: Sequence[ShopIntent]) -> list[Example]:
    return [
        Example(text, intent.name, utterance)
        for intent in intents
        for utterance in dict.fromkeys(intent.utterances)
        for text in filled(utterance)
    ]


def _source_types(intents: Sequence[ShopIntent]) -> dict[str, frozenset[str]]:
    types: dict[str, frozenset[str]] = {}
    for intent in intents:
        if intent.source_types:
            types[intent.name] = types.get(intent.name, frozenset()) | intent.source_types
    return types
