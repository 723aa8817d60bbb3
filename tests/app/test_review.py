"""What a person writes in place of an answer is held to the shop's evidence as every answer is."""

from collections.abc import Callable

import pytest

from app.review import Checked, checked
from graph.turn import Turn
from graph.verification.verifier import SentenceVerifier
from tests.app.fake_parts import SHOP, SPEC
from tests.graph.fakes import SharedWords

Check = Callable[[str], Checked]


@pytest.fixture
def check(a_turn: Callable[..., Turn]) -> Check:
    """Checks a text that is to answer a turn about a tent."""
    turn = a_turn(products=[{"id": "tarn-2", "name": "Tarn 2", "method": "exact", "score": 1.0}])
    verifier = SentenceVerifier(SharedWords())
    return lambda text: checked(text, turn, {SPEC.evidence_id: SPEC}, SHOP.products, verifier)


def test_what_the_evidence_says_gets_its_marker(check: Check) -> None:
    found = check("The Tarn 2 weighs 1.9 kg.")
    assert found.said is not None
    assert found.said.text == "The Tarn 2 weighs 1.9 kg [1]."
    assert [one.quote for one in found.said.citations] == ["Weight: 1.9 kg"]
    assert found.said.sources == (SPEC,)


def test_what_it_does_not_say_is_refused_by_the_sentence(check: Check) -> None:
    found = check("The Tarn 2 weighs 1.9 kg. It is fire retardant.")
    assert found.said is None
    assert found.refused == ("It is fire retardant.",)


def test_a_wrong_value_is_refused(check: Check) -> None:
    assert check("The Tarn 2 weighs 3.4 kg.") == Checked(None, ("The Tarn 2 weighs 3.4 kg.",))


@pytest.mark.parametrize("text", ["", "  \n "])
def test_no_text_is_no_answer(check: Check, text: str) -> None:
    assert check(text) == Checked(None)
