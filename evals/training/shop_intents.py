"""The recipe of a shop's own intents: learnt beside ours, calibrated as the model that ships."""

from collections.abc import Sequence

from evals.training.intent_model import Mixture, fit_with
from graph.intents.model import IntentWeights
from graph.intents.shop import ShopIntents
from graph.intents.utterances import Example, filled, read_utterances
from graph.options.intents import INTENTS, NON_DECISION
from graph.parts import Encoder
from ingestion.readers.config import ShopIntent

FEWEST_UTTERANCES = 8
"""An intent of a shop's own is not learnt from fewer."""


class ShopIntentsError(ValueError):
    """A shop's intents cannot be learnt."""


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
