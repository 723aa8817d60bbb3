"""Expectations of a turn, and what of them is not met."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.conversations.fixtures import AnyOf, Expect, ExpectedCitation, ExpectedDerivation, Strict
from evals.metrics.texts import contains, fold, same, without_markers
from graph.turn import Citation, Derived, Turn

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


@dataclass(frozen=True, slots=True)
class Failure:
    """One expectation that does not hold.

    Attributes:
        turn: Number of the turn in its conversation, from 1.
        key: The key of `expect`.
        expected: What the fixture says, as plain data.
        got: What the turn has instead, as plain data.
    """

    turn: int
    key: str
    expected: Any
    got: Any


def check(number: int, turn: Turn, expect: Expect) -> list[Failure]:
    """Compare a turn with all that is expected of it.

    Args:
        number: The turn's number in its conversation, from 1.
        turn: What was answered.
        expect: What must hold.

    Returns:
        What does not hold, in the order of the contract's keys; an entry of a list fails by itself.
    """
    failures: list[Failure] = []
    for key, (got, unmet) in _CHECKS.items():
        value = getattr(expect, key)
        if value is not None:
            failures += [Failure(number, key, plain(expected), got(turn)) for expected in unmet(turn, value)]
    return failures


def came(turn: Turn, key: str) -> Any:  # noqa: ANN401 - plain data of any kind
    """What a turn has under a key of `expect`, as plain data."""
    return _CHECKS[key][0](turn)


def plain(value: object) -> Any:  # noqa: ANN401 - plain data of any kind
    """An expectation as it was written."""
    if isinstance(value, AnyOf):
        return {"any": [plain(one) for one in value.any]}
    if isinstance(value, Strict):
        return {key: plain(getattr(value, key)) for key in type(value).model_fields if key in value.model_fields_set}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value


Unmet = Callable[[Turn, Any], Iterable[object]]
"""From a turn and the value of a key to the parts of the value that do not hold."""


def _alternatives(value: object) -> Sequence[Any]:
    return value.any if isinstance(value, AnyOf) else [value]


def _single(holds: Callable[[Turn, Any], bool]) -> Unmet:
    """The value holds, or one of its alternatives does."""

    def unmet(turn: Turn, value: object) -> list[object]:
        return [] if any(holds(turn, one) for one in _alternatives(value)) else [value]

    return unmet


def _each(holds: Callable[[Turn, Any], bool]) -> Unmet:
    """Every entry of the list holds; of several lists, every entry of one of them."""

    def unmet(turn: Turn, value: object) -> list[object]:
        lists = _alternatives(value)
        failing = [[entry for entry in entries if _single(holds)(turn, entry)] for entries in lists]
        if not all(failing):
            return []
        return failing[0] if len(lists) == 1 else [value]

    return unmet


def _whole(holds: Callable[[Turn, Sequence[Any]], bool]) -> Unmet:
    """The list holds as a whole, with one choice for each of its entries that has several."""

    def unmet(turn: Turn, value: object) -> list[object]:
        choices = itertools.chain.from_iterable(
            itertools.product(*map(_alternatives, entries)) for entries in _alternatives(value)
        )
        return [] if any(holds(turn, entries) for entries in choices) else [value]

    return unmet


def _answer_contains(turn: Turn, text: str) -> bool:
    """A phrase may stand across markers and emphasis."""
    return contains(turn.answer, text) or contains(_words(turn), text)


def _words(turn: Turn) -> str:
    return without_markers(turn.answer).replace("**", "")


def _products(turn: Turn) -> list[str]:
    return [product.id for product in turn.products]


def _products_are(turn: Turn, ids: Sequence[str]) -> bool:
    return set(map(fold, _products(turn))) == set(map(fold, ids))


def _foreign(turn: Turn, allowed: Iterable[str]) -> Iterator[str]:
    """Ids of the products that are cited and not among these."""
    known = set(map(fold, allowed))
    return (one.product_id for one in turn.citations if one.product_id and fold(one.product_id) not in known)


def _cites_only(turn: Turn, value: object) -> list[object]:
    """Any alternative of any entry is allowed; of several lists, one must cover all."""
    for entries in _alternatives(value):
        if not any(_foreign(turn, itertools.chain.from_iterable(map(_alternatives, entries)))):
            return []
    return [value]


def _options(turn: Turn) -> list[str]:
    return turn.clarification.options if turn.clarification else []


def _options_offered(turn: Turn, expected: Sequence[str]) -> bool:
    """Each expected option is one of those offered, or part of one; no two are the same one."""
    return _assigned([fold(text) for text in expected], [fold(text) for text in _options(turn)])


def _assigned(expected: Sequence[str], offered: Sequence[str]) -> bool:
    if not expected:
        return True
    first, *others = sorted(expected, key=len, reverse=True)
    fitting = [position for position, text in enumerate(offered) if first in text]
    return any(_assigned(others, [*offered[:place], *offered[place + 1 :]]) for place in fitting)


def _escalates(turn: Turn, expected: bool | str) -> bool:  # noqa: FBT001 - the contract's value
    if isinstance(expected, bool):
        return (turn.escalation is not None) == expected
    return turn.escalation is not None and contains(turn.escalation.reason, expected)


_CHECKS: dict[str, tuple[Callable[[Turn], Any], Unmet]] = {
    "outcome": (lambda turn: turn.outcome, _single(lambda turn, value: turn.outcome == value)),
    "products": (_products, _whole(_products_are)),
    "intents": (
        lambda turn: turn.intent.selected,
        _each(lambda turn, intent: any(same(intent, one) for one in turn.intent.selected)),
    ),
    "branch": (lambda turn: turn.intent.branch, _single(lambda turn, value: turn.intent.branch == value)),
    "answer_contains": (lambda turn: turn.answer, _each(_answer_contains)),
    "answer_excludes": (lambda turn: turn.answer, _each(lambda turn, text: not _answer_contains(turn, text))),
    "cites": (
        lambda turn: [describe(one) for one in turn.citations],
        _each(lambda turn, value: any(is_met(value, one) for one in turn.citations)),
    ),
    "cites_only_products": (
        lambda turn: sorted({one.product_id for one in turn.citations if one.product_id}),
        _cites_only,
    ),
    "min_confidence": (
        lambda turn: turn.confidence.score,
        _single(lambda turn, least: turn.confidence.score >= least),
    ),
    "standalone_contains": (
        lambda turn: turn.standalone_query,
        _each(lambda turn, text: contains(turn.standalone_query, text)),
    ),
    "searchable": (lambda turn: turn.searchable, _single(lambda turn, value: turn.searchable == value)),
    "live_agent": (lambda turn: turn.live_agent, _single(lambda turn, value: turn.live_agent == value)),
    "options": (_options, _whole(_options_offered)),
    "escalation": (
        lambda turn: turn.escalation.reason if turn.escalation else None,
        _single(_escalates),
    ),
}
