"""Conversion: a sentence of the source with its quantity told in the unit that was asked for."""

from graph.draft import Claim, Sentence
from graph.language.units import converted
from graph.turn import Derived


def in_unit(sentence: Sentence, unit: str | None) -> Sentence:
    """A sentence with its first quantity told in another unit beside it, where one was asked for."""
    other = converted(sentence.text, unit) if unit else None
    if other is None:
        return sentence
    where = sentence.spans[0]
    derived = Derived(op="convert", of=[where.evidence_id], value=other)
    claims = [Claim(text=sentence.text.rstrip("."), spans=[where.model_copy(update={"derived": derived})])]
    return sentence.model_copy(update={"claims": [*claims, Claim(text=f", about {other}.")]})
