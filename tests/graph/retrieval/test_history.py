"""History in retrieval: what was said before is searched as far as the question goes on from it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
import pytest

from graph.parts import Vectors
from graph.retrieval.history import (
    BASE_WEIGHT,
    LEAST_WEIGHT,
    NAMES,
    Exchange,
    Memory,
    Spoken,
    exchanges_of,
    features,
)
from graph.retrieval.search import NearestStatements, SearchParts, document_hits, shop_hits
from graph.state import WeightedText
from ingestion.encoder import shared_encoder
from ingestion.source_types import SOURCE_TYPES
from tests.graph.fakes import BagOfWords
from tests.graph.shops import Shop, document, make_shop

PARKING = document(
    "parking", "A parking ticket can be appealed within 21 days. Send the form with a photo of the sign."
)
PENSION = document("pension", "A pension is paid from the age of 66. Send the form with your birth certificate.")
WATER = document("water", "Water bills are due every quarter. Read the meter before you pay.")
SHOP: Shop = make_shop([], documents=[PARKING, PENSION, WATER])


class ReadPassages:
    """The same documents, read by the real encoder."""

    def __init__(self) -> None:
        self.texts = {one.evidence_id: one.text for one in (PARKING, PENSION, WATER)}

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:  # noqa: ARG002
        cosines = self.vectors(list(self.texts)) @ vector
        ranked = sorted(zip(self.texts, cosines.tolist(), strict=True), key=lambda pair: -pair[1])
        return ranked[: min(limit, 1)]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        return shared_encoder().encode([self.texts[key] for key in evidence_ids])


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(shared_encoder(), ReadPassages())


TALK = [Exchange("Can I appeal a parking ticket?", ("Yes, a parking ticket can be appealed within 21 days.",))]


def test_messages_are_grouped_by_the_users_turns() -> None:
    said = [("assistant", "Hello"), ("user", "a"), ("assistant", "b"), ("assistant", "c"), ("user", "d")]
    found = exchanges_of([{"role": role, "content": content} for role, content in said])
    assert found == [Exchange("", ("Hello",)), Exchange("a", ("b", "c")), Exchange("d")]
    assert [one.texts for one in found] == [("Hello",), ("a", "b", "c"), ("d",)]


def test_a_first_question_has_nothing_to_recall(memory: Memory) -> None:
    assert memory.continues("When are water bills due?", []) == 1.0
    assert memory.recall(1.0, []) == []


def test_a_follow_up_goes_on_and_a_new_subject_does_not(memory: Memory) -> None:
    goes_on = memory.continues("Which form do I need for that?", TALK)
    changes = memory.continues("When is the next water bill due and how do I read the meter?", TALK)
    assert goes_on > 0.8
    assert changes < goes_on / 2


def test_a_question_without_words_goes_on(memory: Memory) -> None:
    assert memory.continues("  ", TALK) == 1.0
    assert 0 <= memory.continues("?", TALK) <= 1


def test_what_counted_before_a_change_of_subject_counts_no_more(memory: Memory) -> None:
    history = [Exchange("old", ("older",)), Exchange("new", continues=0.01), Exchange("newer", continues=1.0)]
    recalled = memory.recall(1.0, history)
    assert recalled == [WeightedText("newer", BASE_WEIGHT), WeightedText("new", BASE_WEIGHT)]
    assert BASE_WEIGHT * 0.01 < LEAST_WEIGHT


def test_what_is_not_known_of_earlier_turns_is_found_out(memory: Memory) -> None:
    shift = Exchange("When is the next water bill due and how do I read the meter?", ("Every quarter.",))
    weights = {one.text: one.weight for one in memory.recall(1.0, [*TALK, shift])}
    assert weights["Every quarter."] == BASE_WEIGHT
    assert weights.get(TALK[0].question, 0.0) < BASE_WEIGHT / 2


def test_a_follow_up_finds_the_document_of_the_conversation() -> None:
    parts = SearchParts(SHOP, BagOfWords(), NearestStatements(BagOfWords()))
    history = [
        {"role": role, "content": text}
        for one in TALK
        for role, text in (("user", one.question), ("assistant", one.answers[0]))
    ]
    alone = {
        item.evidence_id: score for item, score in document_hits(parts, "Must I send the form with a certificate?")
    }
    told = {item.evidence_id: score for item, score in document_hits(parts, "Must I send the form?", history)}
    assert alone[PENSION.evidence_id] > alone[PARKING.evidence_id]
    assert told[PARKING.evidence_id] > told[PENSION.evidence_id]


def test_recalled_texts_add_to_meaning_and_to_words() -> None:
    parts = SearchParts(SHOP, BagOfWords(), NearestStatements(BagOfWords()))
    beside = [WeightedText("pension", 0.7)]
    assert shop_hits(parts, ["Which form?"], SOURCE_TYPES, beside)[0][0].evidence_id == PENSION.evidence_id
    nothing = [WeightedText("pension", 0.0)]
    assert shop_hits(parts, ["Which form?"], SOURCE_TYPES, nothing) == shop_hits(parts, ["Which form?"], SOURCE_TYPES)


class TwoPassages:
    """Finds one chunk on each axis."""

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:  # noqa: ARG002
        return [(("a#1", "b#1")[int(vector.argmax())], float(vector.max()))][:limit]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        return np.eye(2, dtype=np.float32)[["a#1", "b#1"].index(evidence_ids[0])][None]


def test_features_compare_meaning_words_and_what_is_found() -> None:
    right, up = np.eye(2, dtype=np.float32)
    same = dict(zip(NAMES, features(Spoken("red tent", right), [Spoken("a tent", right)], TwoPassages()), strict=True))
    other = dict(zip(NAMES, features(Spoken("red tent", right), [Spoken("a tent", up)], TwoPassages()), strict=True))
    assert same["cosine to the mean of history"] == same["highest cosine to a text of history"] == 1
    assert same["share of terms that are new"] == other["share of terms that are new"] == 0.5
    assert (same["documents found by both"], other["documents found by both"]) == (1, 0)
    assert same["history's cosine to what the question finds"] == 0
    assert other["history's cosine to what the question finds"] == -1
