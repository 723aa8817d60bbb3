"""Meaning: an attribute that a shop names in other words is found by what it means and by its measure."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from graph.answering.matching import match_attributes
from graph.answering.meaning import find_meant
from graph.parts import Vectors
from tests.graph.answering.asking import clause
from tests.graph.shops import document, make_shop

LAMP = make_shop([{"id": "lamp", "name": "Vesper", "price": {"amount": 9, "currency": "USD"}}]).products["lamp"]


class Nearness:
    """An encoder by which each text is so near to every question (all texts that are not listed)."""

    def __init__(self, near: Mapping[str, float]) -> None:
        self._near = near

    def encode(self, texts: Sequence[str]) -> Vectors:
        cosines = np.array([self._near.get(text.partition(":")[0], 1.0) for text in texts], dtype=np.float32)
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)


def meant(question: str, lines: str, **near: float) -> str | None:
    encoder = Nearness({name.replace("_", " "): cosine for name, cosine in near.items()})
    asked = clause(question, LAMP)
    found = find_meant(asked, LAMP, match_attributes(asked, [document("s", lines, kind="spec")], encoder), encoder)
    return found.name if found else None


def test_the_nearest_attribute_is_meant() -> None:
    lines = "Clasp: Brass buckle\nStrap: Canvas"
    assert meant("What closes the belt?", lines, Clasp=0.6, Strap=0.3) == "Clasp"


def test_nothing_is_meant_that_is_not_near() -> None:
    assert meant("What closes the belt?", "Clasp: Brass buckle\nStrap: Canvas", Clasp=0.4, Strap=0.1) is None


def test_of_two_as_near_neither_is_meant() -> None:
    assert meant("What closes the belt?", "Clasp: Brass buckle\nStrap: Canvas", Clasp=0.6, Strap=0.59) is None


def test_what_has_the_measure_asked_for_is_meant_from_further_away() -> None:
    lines = "Endurance: 25,000 hours\nClasp: Brass buckle"
    assert meant("How long does the Vesper endure?", lines, Endurance=0.35, Clasp=0.1) == "Endurance"
    assert meant("What does the Vesper endure?", lines, Endurance=0.35, Clasp=0.1) is None


def test_a_value_of_another_measure_is_never_meant() -> None:
    assert meant("How loud is the Vesper?", "Clatter: 3 kg", Clatter=0.9) is None


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What does a new bulb cost?", "Bulbs: Screw base"),
        ("Can I take the cell out?", "Cells: 500 Wh"),
        ("How tall is the opening?", "Height: 40 cm"),
        ("What colour is the shade?", "Series: Vesper"),
    ],
)
def test_what_cannot_answer_is_not_meant(question: str, line: str) -> None:
    assert meant(question, line, **{line.partition(":")[0]: 0.9}) is None


def test_yes_or_no_asks_for_more_nearness() -> None:
    near = {"Hood": 0.6, "Sleeve": 0.1}
    assert meant("What covers the head?", "Hood: Detachable\nSleeve: Short", **near) == "Hood"
    assert meant("Is the head covered?", "Hood: Detachable\nSleeve: Short", **near) is None


def test_a_question_about_much_more_than_an_attribute_means_none() -> None:
    long = "What kettle lamp radio stove cable works with a bright tent?"
    assert meant(long, "Clasp: Brass buckle", Clasp=0.9) is None


def test_the_lines_of_attributes_whose_names_are_far_off_are_not_encoded() -> None:
    class Noting(Nearness):
        seen: list[str] = []  # noqa: RUF012 - of one test

        def encode(self, texts: Sequence[str]) -> Vectors:
            self.seen += texts
            return super().encode(texts)

    encoder = Noting({"Hood": 0.9, "Sleeve": 0.1})
    asked = clause("Is the head covered?", LAMP)
    lines = document("s", "Hood: Detachable\nSleeve: Short", kind="spec")
    found = find_meant(asked, LAMP, match_attributes(asked, [lines], encoder), encoder)
    assert found is not None
    assert found.name == "Hood"
    assert "Hood: Detachable" in encoder.seen
    assert "Sleeve: Short" not in encoder.seen
