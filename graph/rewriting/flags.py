"""Flags: whether the user wants a person, and whether there is anything to look up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from graph.intents.model import IntentWeights, LocalIntentModel
from graph.language.injection import beside_instructions
from graph.language.terms import words_of
from graph.parts import Encoder
from graph.trained import CLEAR, EVEN
from ingestion.spans import sentence_spans

MODEL_PATH = Path(__file__).with_name("flags.npz")
QUESTION, PERSON, BOTH, NEITHER = "question", "person", "both", "neither"
SEARCHABLE = (QUESTION, BOTH)
"""Labels of messages in which there is something to look up."""
LIVE_AGENT = (PERSON, BOTH)
"""Labels of messages that want a person."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The contract's two flags of a turn."""

    searchable: bool
    live_agent: bool


ReadsFlags = Callable[[str], Flags]
"""Reads both flags of one message, or of one question of it, off the user's own words."""


class FlagReader:
    """Reads both flags off the user's own words with a small classifier of four labels.

    It is a model of the same kind as the intents' (`graph.intents.model`): one embedding, which retrieval needs as
    well, beside words and pieces of words, which stay legible when they are misspelt.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._model = LocalIntentModel(encoder, _shipped())

    def read(self, text: str) -> Flags:
        """Read the flags of one message, or of one question of it.

        A long message may want a person in one sentence of it alone. An order to the assistant reads much like a wish
        for a person; one who wants one says so plainly beside it.
        """
        if not words_of(text):
            return Flags(searchable=False, live_agent=False)
        flags = flags_of(self._model.distribution(text))
        spans = sentence_spans(text)
        if len(spans) > 1 and any(self._wants_person(text[start:end]) for start, end in spans):
            flags = replace(flags, live_agent=True)
        if flags.live_agent and not all(self._wants_person(part) for part in beside_instructions(text)):
            return replace(flags, live_agent=False)
        return flags

    def _wants_person(self, text: str) -> bool:
        if not words_of(text):
            return False
        distribution = self._model.distribution(text)
        return sum(distribution[label] for label in LIVE_AGENT) >= CLEAR


def flags_of(distribution: dict[str, float]) -> Flags:
    """Both flags, each where its labels together are likelier than not."""
    return Flags(
        searchable=sum(distribution[label] for label in SEARCHABLE) >= EVEN,
        live_agent=sum(distribution[label] for label in LIVE_AGENT) >= EVEN,
    )


@lru_cache(maxsize=1)
def _shipped() -> IntentWeights:
    return IntentWeights.load(MODEL_PATH)
