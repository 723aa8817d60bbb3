"""Nearest statements: by the question, and by what was said before it."""

from graph.retrieval.search import LIFT, NearestStatements
from tests.graph.fakes import BagOfWords
from tests.graph.shops import document

PRICE = document("price", "The kettle costs forty dollars.")
SOUND = document("sound", "The kettle hums softly.")
FINDER = NearestStatements(BagOfWords())


def nearest(question: str, before: str = "") -> dict[str, float]:
    found = FINDER.nearest([question], [PRICE, SOUND], before)
    return {one.evidence.row_id: one.score for one in found}


def test_statements_come_nearest_first() -> None:
    found = FINDER.nearest(["how softly does it hum"], [PRICE, SOUND])
    assert [one.evidence.row_id for one in found] == ["sound", "price"]
    assert found[0].text == SOUND.text


def test_what_was_said_before_draws_near_what_both_speak_of() -> None:
    alone, after = nearest("what about softly"), nearest("what about softly", "the kettle hums")
    assert after["sound"] > alone["sound"]


def test_what_was_said_before_lifts_nothing_far() -> None:
    alone, after = nearest("anything else"), nearest("anything else", "the kettle costs forty dollars")
    assert after["price"] <= alone["price"] + LIFT + 1e-6
