"""Whether a citation is one that a fixture expects."""

from typing import Any

from evals.conversations.fixtures import AnyOf, ExpectedCitation, ExpectedDerivation
from evals.folding import contains, same
from graph.turn import Citation, Derived

_PASSAGES = ("title", "section", "quote")
"""Texts of which a part is enough: nobody outside knows where a span begins and ends."""


def is_met(expected: ExpectedCitation, citation: Citation) -> bool:
    """Whether a citation has every field as expected."""
    return all(_field_is_met(name, getattr(expected, name), citation) for name in expected.model_fields_set)


def describe(citation: Citation) -> dict[str, Any]:
    """What a reader of a failure needs to know of a citation."""
    shown = citation.model_dump(include={"evidence_id", "source_type", "product_id", "quote"})
    return {"product" if name == "product_id" else name: value for name, value in shown.items()}


def _field_is_met(name: str, expected: object, citation: Citation) -> bool:
    if isinstance(expected, ExpectedDerivation):
        return citation.derived is not None and _derivation_is_met(expected, citation.derived)
    got = getattr(citation, "product_id" if name == "product" else name)
    values = expected.any if isinstance(expected, AnyOf) else [expected]
    return any(_is(name, value, got) for value in values)


def _derivation_is_met(expected: ExpectedDerivation, derived: Derived) -> bool:
    for name in expected.model_fields_set:
        value = getattr(expected, name)
        values = value.any if isinstance(value, AnyOf) else [value]
        if not any(_is(name, one, str(getattr(derived, name)).removesuffix(".0")) for one in values):
            return False
    return True


def _is(name: str, expected: object, got: object) -> bool:
    if not isinstance(expected, str) or not isinstance(got, str):
        return expected == got
    if name in _PASSAGES:
        return contains(got, expected)
    if name == "evidence_id" and "#" not in expected:
        return same(got.partition("#")[0], expected)
    return same(got, expected)
