"""Procedures: the steps of one article or manual, complete and in order."""

from collections.abc import Sequence

import pytest

from graph.answering.candidate import Candidate
from graph.answering.choice import best_candidate
from graph.answering.steps import find_steps, procedures
from graph.parts import Models
from graph.reader import shared_reader
from graph.retrieval.search import NearestStatements
from ingestion.evidence import Evidence
from tests.graph.answering.asking import cited_in, clause, draft_of, question
from tests.graph.fakes import BagOfWords
from tests.graph.shops import document, make_shop

DESCALE = document(
    "kettle",
    "Descale the kettle once a month.\nTo descale the kettle:\n1. Fill it half with water.\n2. Add one spoon of citric"
    " acid:\n- white acid for glass\n- any acid for steel\n3) Boil it once.\n"
    "4. Rinse it twice [see below].\nKeep it dry.",
    title="Descale the kettle",
    product_id="kettle",
)
KETTLE = {"id": "kettle", "name": "Brume Kettle", "category": ["Kettles"]}


def steps_of(text: str) -> list[list[str]]:
    item = document("a", text)
    return [[chunk.text[start:end] for chunk, start, end in procedure.steps] for procedure in procedures([item])]


def test_steps_are_the_numbered_lines_without_their_numbers() -> None:
    assert steps_of("Do so:\n1. Open it.\n2) Close it.") == [["Open it.", "Close it."]]


def test_bullets_under_a_step_belong_to_it() -> None:
    assert steps_of("1. Pick:\n- one\n- two\n2. Go.") == [["Pick:\n- one\n- two", "Go."]]


def test_a_list_that_starts_again_is_another_procedure() -> None:
    assert steps_of("1. A.\n2. B.\n1. C.\n2. D.") == [["A.", "B."], ["C.", "D."]]


def test_the_line_before_introduces_it() -> None:
    [procedure] = procedures([DESCALE])
    assert procedure.introduction == "To descale the kettle:"


@pytest.mark.parametrize("text", ["No steps here.", "1. Only one step.", "- a\n- b"])
def test_one_step_or_a_plain_list_is_no_procedure(text: str) -> None:
    assert steps_of(text) == []


def test_all_steps_are_told_in_order_each_with_its_source() -> None:
    shop = make_shop([KETTLE], documents=[DESCALE])
    draft = draft_of(question(shop, "How do I descale the Brume Kettle?", "kettle", intents=["how_to"]))
    [steps] = [block for block in draft.blocks if block.kind == "steps"]
    assert len(steps.sentences) == 4
    for sentence, word in zip(steps.sentences, ("Fill", "citric", "Boil", "Rinse"), strict=True):
        assert word in sentence.text
        assert [span.evidence_id for span in sentence.spans] == [DESCALE.evidence_id]
    assert cited_in(draft) == [DESCALE.evidence_id]
    assert not any("[" in sentence.text for sentence in steps.sentences)


def test_the_lead_in_states_nothing() -> None:
    shop = make_shop([KETTLE], documents=[DESCALE])
    draft = draft_of(question(shop, "How do I descale the Brume Kettle?", "kettle", intents=["how_to"]))
    lead = draft.blocks[0].sentences[0]
    assert lead.text.endswith(":")
    assert not lead.factual


def test_the_article_about_the_matter_is_chosen() -> None:
    track = document("track", "To track a parcel:\n1. Open My orders.\n2. Choose Track.", title="Track a parcel")
    cancel = document("cancel", "To cancel an order:\n1. Open My orders.\n2. Choose Cancel.", title="Cancel an order")
    shop = make_shop([], documents=[track, cancel])
    assert cited_in(draft_of(question(shop, "How can I track my parcel?", intents=["how_to"]))) == [track.evidence_id]
    assert cited_in(draft_of(question(shop, "How can I cancel my order?", intents=["how_to"]))) == [cancel.evidence_id]


def test_a_procedure_for_something_else_answers_nothing() -> None:
    assert steps_for("How do I fly to Rome?", DESCALE) is None


FIRST = document("reset#1", "To reset it:\n1. Open it.\n2. Press the knob.\n3. Wait.", row_id="reset", title="Reset it")
SECOND = document(
    "reset#2", "To reset it:\n3. Wait.\n4. Close it.\n5. Turn it on.\nDone.", row_id="reset", title="Reset it"
)


def steps_for(text: str, *evidence: Evidence) -> Candidate | None:
    models = Models(BagOfWords(), NearestStatements(BagOfWords()), shared_reader())
    return find_steps(clause(text), evidence, models, question(make_shop([]), text))


def steps_told(*evidence: Evidence) -> list[tuple[str, str]]:
    [procedure] = [one for one in procedures(evidence) if one.evidence == evidence[0]]
    return [(chunk.evidence_id, chunk.text[start:end]) for chunk, start, end in procedure.steps]


def test_a_procedure_goes_on_in_the_next_chunk_without_the_steps_that_it_repeats() -> None:
    for order in ((FIRST, SECOND), (FIRST, DESCALE, SECOND)):
        told = steps_told(*order)
        assert [text for _, text in told] == ["Open it.", "Press the knob.", "Wait.", "Close it.", "Turn it on."]
        assert [key for key, _ in told] == [FIRST.evidence_id] * 3 + [SECOND.evidence_id] * 2


def test_a_procedure_goes_on_in_no_other_document_and_no_other_section() -> None:
    other = document("other#2", SECOND.text, row_id="other")
    section = document("reset#3", SECOND.text, row_id="reset", section="Elsewhere")
    assert len(steps_told(FIRST, other, section)) == 3


def test_a_procedure_that_ends_before_its_chunk_does_not_go_on() -> None:
    ended = document("reset#1", f"{FIRST.text}\nThat is all.", row_id="reset")
    assert len(steps_told(ended, SECOND)) == 3


def test_a_cut_procedure_is_told_whole() -> None:
    shop = make_shop([], documents=[FIRST, SECOND])
    draft = draft_of(question(shop, "How do I reset it?", intents=["how_to"]))
    [steps] = [block for block in draft.blocks if block.kind == "steps"]
    assert len(steps.sentences) == 5
    assert cited_in(draft) == [FIRST.evidence_id, SECOND.evidence_id]


BUY = document(
    "token#1", "1. Open the token page.\n2. Buy the token by card.", title="Tokens", section="Buy one", row_id="token"
)
REDEEM = document(
    "token#2", "1. Go to the till.\n2. Redeem the token there.", title="Tokens", section="Redeem one", row_id="token"
)
VALUE = document("token#3", "A token is worth ten dollars.", title="Tokens", section="What it is worth", row_id="token")


@pytest.mark.parametrize(("text", "told"), [("How do I redeem a token?", REDEEM), ("How do I buy a token?", BUY)])
def test_the_procedure_whose_steps_come_nearest_is_told(text: str, told: Evidence) -> None:
    found = steps_for(text, BUY, REDEEM, VALUE)
    assert found is not None
    assert found.evidence_ids == {told.evidence_id}


def test_steps_give_way_to_a_statement_that_comes_much_nearer() -> None:
    assert steps_for("Tokens are worth ten dollars?", BUY, REDEEM, VALUE) is None


@pytest.mark.parametrize(("odds", "told"), [(-1.0, True), (-2.0, False)])
def test_steps_that_hardly_answer_are_not_told(odds: float, *, told: bool) -> None:
    asked = question(make_shop([], documents=[BUY]), "How do I buy tokens?", intents=["how_to"])
    models = Models(BagOfWords(), NearestStatements(BagOfWords()), shared_reader())

    def ranker(_weighing: object, candidates: Sequence[Candidate]) -> list[float]:
        return [odds if one.finder == "steps" else -9.0 for one in candidates]

    assert (best_candidate(asked.parsed.whole, None, asked, models=models, ranker=ranker) is not None) is told
