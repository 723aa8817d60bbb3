"""Which of several possible answers is given."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.choice import COMMAND, MODEL_PATH, NAMES, NOTHING, READ_CLOSELY, UNREAD, Weighing
from graph.answering.responder import LocalResponder
from graph.parts import Judgement, Models, Pair, Question, Statement
from graph.reader import shared_reader
from graph.retrieval.search import NearestStatements
from graph.trained import Logistic, WeightsError
from graph.understanding.parsed_question import analyse
from ingestion.evidence import Evidence
from tests.graph.answering.asking import facts_said, question
from tests.graph.fakes import BagOfWords, WordReader
from tests.graph.shops import TARN_2, document, make_shop

CARE = document("care", "Wash the fly by hand. Dry the fly in the shade. The fly is green.", title="Tarn 2 care")
SHOP = make_shop([dict(TARN_2) | {"related": []}], documents=[CARE])


class Preferring:
    """Takes for likeliest what is told in these words, in their order."""

    def __init__(self, *texts: str) -> None:
        self._texts = texts

    def __call__(self, weighing: Weighing, candidates: Sequence[Candidate]) -> list[float]:
        assert weighing.question.evidence
        return [
            self._odds(" ".join(one.text for block in each.blocks for one in block.sentences)) for each in candidates
        ]

    def _odds(self, said: str) -> float:
        return next((1.0 - place for place, text in enumerate(self._texts) if text in said), -100.0)


class Counting(WordReader):
    """Counts what is read."""

    read = 0

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.read += len(pairs)
        return super().judge(pairs)


def answered(asked: Question, *preferred: str) -> str:
    """What is stated with a ranker that prefers these."""
    models = Models(BagOfWords(), NearestStatements(BagOfWords()), shared_reader())
    return facts_said(LocalResponder(models, ranker=Preferring(*preferred)).draft(asked))


def quoted(item: Evidence, text: str) -> Candidate:
    start = item.text.index(text)
    told = cited(text, span(item, start, start + len(text)))
    statement = Statement(item, start, start + len(text), 0.5)
    return Candidate((paragraph(told),), 0.5, item.source_type, statement=statement)


def test_the_likeliest_answer_is_given_whatever_is_nearer() -> None:
    asked = question(SHOP, "how do I care for the fly", intents=["how_to"])
    assert answered(asked, "in the shade") == "Dry the fly in the shade."


def test_a_statement_that_answers_nearly_as_likely_is_told_beside_the_best() -> None:
    asked = question(SHOP, "how do I care for the fly", intents=["how_to"])
    said = answered(asked, "in the shade", "by hand")
    assert said.index("in the shade") < said.index("by hand")
    assert "green" not in said


def test_where_no_statement_is_likelier_than_none_nothing_is_quoted() -> None:
    asked = question(SHOP, "how do I care for the fly", intents=["how_to"])
    assert not answered(asked)


def test_a_candidate_is_described_by_the_statement_it_quotes() -> None:
    asked = question(SHOP, "how do I wash the fly", intents=["how_to"])
    read = [
        Statement(CARE, start, start + len(text), score)
        for text, score in (("Wash the fly by hand.", 0.6), ("Dry the fly in the shade.", 0.4))
        for start in [CARE.text.index(text)]
    ]
    weighing = Weighing(analyse("how do I wash the fly", ()), asked, read, WordReader())
    near, far, unread, none = weighing.described(
        [
            quoted(CARE, "Wash the fly by hand."),
            quoted(CARE, "Dry the fly in the shade."),
            quoted(CARE, "The fly is green."),
        ]
    )
    read_odds = NAMES.index("read to answer")
    assert near[read_odds] > far[read_odds]
    nearness, behind = NAMES.index("nearness"), NAMES.index("behind the nearest")
    assert [near[nearness], far[nearness], unread[nearness]] == pytest.approx([0.6, 0.4, 0.4 - UNREAD])
    assert [near[behind], far[behind]] == pytest.approx([0, -0.2])
    assert near[NAMES.index("document")] == 1
    assert none.tolist() == [float(name == NOTHING) for name in NAMES]
    assert near[NAMES.index("holds the words asked for")] > unread[NAMES.index("holds the words asked for")]


def test_only_the_nearest_statements_are_read_and_what_has_its_own_sureness_is_not() -> None:
    asked = question(SHOP, "how do I wash the fly", intents=["how_to"])
    reader = Counting()
    stated = quoted(CARE, "Wash the fly by hand.")
    candidates = [*[stated] * (READ_CLOSELY + 3), replace(stated, statement=None, finder="steps")]
    *rows, structured, _ = Weighing(analyse("how do I wash the fly", ()), asked, [], reader).described(candidates)
    read_odds = NAMES.index("read to answer")
    assert reader.read == READ_CLOSELY
    assert {row[read_odds] for row in rows} == {rows[0][read_odds]} != {0.0}
    assert structured[read_odds] == 0


def test_what_is_said_beside_a_question_costs_a_statement_that_answers_it_nothing() -> None:
    asked, beside = "how do I wash the fly?", "We came home from the muddy hills."
    stated = quoted(CARE, "Wash the fly by hand.")
    read_odds = NAMES.index("read to answer")
    told = [
        Weighing(analyse(text, (), asked), question(SHOP, text), [], WordReader()).described([stated])[0][read_odds]
        for text in (asked, f"{beside} {asked}")
    ]
    assert told[0] == told[1]


def test_weights_of_other_features_are_refused_with_the_command_that_makes_them(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes(Logistic(("another",), (1.0,), 0.0).to_bytes())
    with pytest.raises(WeightsError, match=COMMAND):
        Logistic.load(tmp_path / "model.json", NAMES, COMMAND)


def test_what_comes_nearer_is_likelier() -> None:
    weights = Logistic.load(MODEL_PATH, NAMES, COMMAND)
    near, far = np.zeros(len(NAMES)), np.zeros(len(NAMES))
    near[NAMES.index("nearness")], far[NAMES.index("nearness")] = 0.6, 0.4
    assert weights.log_odds(near[None])[0] > weights.log_odds(far[None])[0]
