"""The gate: what no primary source bears out is withheld; a sensitive question without one gets no yes and no no."""

from collections.abc import Sequence

import pytest

from graph.draft import Block, Draft, Segment, Sentence
from graph.options import shipped_classes
from graph.parts import Question
from graph.sensitive.gate import gated
from ingestion.evidence import Evidence
from tests.graph.answering.asking import question, said
from tests.graph.fakes import RefusingVerifier, answer, saying, whole
from tests.graph.shops import Shop, document, make_shop, reviews_of

DRUM = {
    "id": "drum",
    "name": "Calder Drum",
    "category": ["Kitchen"],
    "price": {"amount": 49, "currency": "USD"},
    "attributes": {
        "Weight": "1.9 kg",
        "BPA-free lid": "Yes",
        "Approvals": "FDA registered",
        "Water resistance": "IP65",
        "Maximum load": "120 kg",
        "Minimum age": "3 years",
        "Contains gluten": "Oat extract, not certified gluten-free",
    },
    "features": ["PFAS-free coating", "Holds 3 l"],
}
QUESTIONS = [
    {"id": "q1", "product_id": "drum", "question": "Is it safe for toddlers?", "answer": "Yes, safe for toddlers."},
    {"id": "q2", "product_id": "drum", "question": "Does it rust?", "answer": "Mine does not."},
]
MANUAL = document("drum-manual", "Do not use it with a pacemaker.", product_id="drum")
SHOP = make_shop(
    [DRUM],
    reviews=reviews_of("drum", "Safe for my nut allergy.", "Never rusted.", "It is IP67, trust me."),
    questions=QUESTIONS,
    documents=[MANUAL],
)


def found(part: str, shop: Shop = SHOP) -> Evidence:
    return next(item for item in shop.everything if part in item.text)


def line(text: str) -> Sentence:
    spec = found("Weight: 1.9 kg")
    start = spec.text.index(text)
    return saying("", *[whole(spec).model_copy(update={"start": start, "end": start + len(text)})], product_id="drum")


def stating(text: str, evidence: str) -> Sentence:
    """A sentence that cites a line of the specification, or another evidence as a whole."""
    spec = found("Weight: 1.9 kg")
    if evidence in spec.text:
        return line(evidence).model_copy(update={"segments": [Segment(text=text, spans=line(evidence).spans)]})
    return saying(text, whole(found(evidence)), product_id="drum")


def remark(text: str) -> Sentence:
    return Sentence(segments=[Segment(text=text)], factual=False)


def asked(text: str, evidence: Sequence[Evidence] = SHOP.everything) -> Question:
    return question(SHOP, text, "drum", evidence=[(item, 0.5) for item in evidence])


def passed(text: str, *sentences: Sentence, **changed: object) -> tuple[Draft, list[str]]:
    draft = answer(*sentences).model_copy(update=changed)
    return gated(draft, asked(text), shipped_classes(), RefusingVerifier())


WEIGHT = stating("The Calder Drum weighs 1.9 kg.", "Weight: 1.9 kg")


def test_a_plain_answer_passes_as_it_is() -> None:
    draft, withheld = passed("How heavy is it?", WEIGHT)
    assert draft == answer(WEIGHT)
    assert withheld == []


def test_a_claim_that_the_specification_makes_is_answered_with_its_yes() -> None:
    lid = stating("The lid of the Calder Drum is BPA-free.", "BPA-free lid: Yes")
    draft, withheld = passed("Is the lid BPA free?", remark("Yes."), lid)
    assert said(draft) == "Yes. The lid of the Calder Drum is BPA-free."
    assert (draft.outcome, draft.issues, withheld) == ("clear", [], [])


@pytest.mark.parametrize(
    ("sentence", "evidence", "title"),
    [
        ("The Calder Drum is FDA approved.", "Approvals: FDA registered", "certification (high)"),
        ("The Calder Drum is IP67.", "IP67, trust me", "certification (high)"),
        ("The seller lists: “PFAS-free coating”.", "PFAS-free coating", "safety (high)"),
        ("A customer writes: “Safe for my nut allergy.”", "nut allergy", "safety (high)"),
        ("It holds up to 150 kg.", "Holds 3 l", "limit (medium)"),
    ],
)
def test_a_claim_that_no_primary_source_makes_is_withheld_and_goes_to_review(
    sentence: str, evidence: str, title: str
) -> None:
    draft, withheld = passed("What is special about it?", WEIGHT, stating(sentence, evidence))
    assert said(draft) == WEIGHT.text
    assert withheld == [sentence]
    assert len(draft.issues) == 1
    assert draft.issues[0].startswith(title)
    assert sentence in draft.issues[0]


@pytest.mark.parametrize("verdict", ["Yes.", "No."])
def test_what_customers_report_does_not_answer_a_sensitive_question(verdict: str) -> None:
    report = stating("In the customer Q&A: “Mine does not.”", "Mine does not.")
    draft, withheld = passed("Is it toxic to cats?", remark(verdict), report)
    assert draft.outcome == "no_answer"
    assert said(draft).startswith(
        "The shop's own information on the Calder Drum does not settle “Is it toxic to cats?”"
    )
    assert verdict not in said(draft)
    assert withheld == [report.text]
    assert draft.followups
    assert [issue.partition(":")[0] for issue in draft.issues] == ["safety (high)", "safety (high)"]


def test_an_answer_of_which_nothing_is_left_becomes_a_refusal() -> None:
    report = stating("A customer writes: “It has a lifetime warranty.”", "Never rusted.")
    draft, withheld = passed("What warranty does it have?", report)
    assert (draft.outcome, withheld) == ("no_answer", [report.text])
    assert said(draft).startswith(
        "The shop's own information on the Calder Drum does not settle “What warranty does it have?”"
    )


def test_the_same_report_answers_a_plain_question() -> None:
    report = stating("In the customer Q&A: “Mine does not.”", "Mine does not.")
    draft, withheld = passed("Does it rust?", remark("No."), report)
    assert (said(draft), withheld) == (f"No. {report.text}", [])


def test_a_refusal_tells_the_nearest_thing_that_is_known() -> None:
    draft, _ = passed("Is it IP67?", outcome="no_answer", missing=["IP67"])
    assert draft.outcome == "no_answer"
    assert "says “Water resistance: IP65”." in said(draft)
    assert said(draft).endswith("Shall I ask the shop's team?")


def test_an_allergy_is_answered_by_the_ingredients_that_name_it() -> None:
    asking = "My son is allergic to oat, can he eat it?"
    draft, _ = passed(asking, outcome="no_answer", missing=["oat"])
    assert (draft.outcome, said(draft)) == (
        "clear",
        "The specification of the Calder Drum says “Contains gluten: Oat extract, not certified gluten-free”.",
    )


def test_a_fact_that_misses_the_question_is_no_answer_to_it() -> None:
    draft, _ = passed("Can I use it while pregnant?", WEIGHT)
    assert draft.outcome == "no_answer"
    assert "“Can I use it while pregnant?”" in said(draft)


def test_a_primary_statement_in_the_words_of_the_question_is_the_answer_without_yes_or_no() -> None:
    draft, _ = passed("Is it safe with a pacemaker?", remark("Yes."), stating("“Never rusted.”", "Never rusted."))
    assert draft.outcome == "clear"
    assert "Do not use it with a pacemaker." in said(draft)
    assert "Yes." not in said(draft)


def test_an_age_is_answered_by_the_age_that_the_specification_states() -> None:
    draft, _ = passed("Can I give it to my 8 month old baby?", outcome="no_answer", missing=["baby"])
    assert draft.outcome == "clear"
    assert said(draft) == "The specification of the Calder Drum says “Minimum age: 3 years”."


def test_a_weight_is_no_limit_of_the_load() -> None:
    draft, _ = passed("How much weight can it hold?", WEIGHT)
    assert said(draft) == "The specification of the Calder Drum says “Maximum load: 120 kg”."


def test_a_yes_that_the_source_does_not_say_goes_and_the_fact_stays() -> None:
    fact = stating("The seller says: oat extract, not certified gluten-free.", "Contains gluten: Oat extract")
    draft, _ = passed("Is it gluten-free?", remark("Yes."), fact)
    assert (draft.outcome, said(draft)) == ("clear", fact.text)


def test_a_no_that_the_source_gives_in_other_words_is_left_to_the_fact() -> None:
    fact = stating("The lid is BPA-free.", "BPA-free lid: Yes")
    for verdict in ("Yes.", "No."):
        draft, _ = passed("Does the lid contain BPA?", remark(verdict), fact)
        assert said(draft) == "The lid is BPA-free."


def test_beside_another_question_the_other_answer_stays() -> None:
    report = stating("A customer writes: “Safe for my nut allergy.”", "nut allergy")
    draft, withheld = passed("How heavy is it? Is it safe for a nut allergy?", WEIGHT, report)
    assert draft.outcome == "clear"
    assert said(draft).startswith(WEIGHT.text)
    assert "“Is it safe for a nut allergy?”" in said(draft)
    assert withheld == [report.text]
    assert draft.missing == ["Is it safe for a nut allergy?"]


def test_reports_that_are_asked_for_are_told_as_far_as_they_claim_nothing() -> None:
    rust = stating("A customer writes: “Never rusted.”", "Never rusted.")
    allergy = stating("A customer writes: “Safe for my nut allergy.”", "nut allergy")
    draft, withheld = passed("What do reviews say about safety?", rust, allergy)
    assert said(draft) == rust.text
    assert withheld == [allergy.text]


def test_a_products_name_is_no_claim() -> None:
    mug = {"id": "mug", "name": "BPA-Free Mug", "attributes": {"Weight": "200 g"}}
    shop = make_shop([mug])
    spec = shop.everything[0]
    sentence = saying("The BPA-Free Mug weighs 200 g.", whole(spec), product_id="mug")
    asking = question(shop, "How heavy is the BPA-Free Mug?", "mug", evidence=[(spec, 0.5)])
    draft, withheld = gated(answer(sentence), asking, shipped_classes(), RefusingVerifier())
    assert (said(draft), withheld) == (sentence.text, [])


def test_what_a_primary_source_says_is_quoted_word_for_word() -> None:
    quoted = stating("Calder Drum: “Minimum age: 3 years”", "Minimum age: 3 years")
    draft, withheld = passed("a drum for a child", quoted, outcome="non_decision")
    assert (draft.facts, withheld) == ([quoted], [])


def test_words_of_a_primary_source_that_are_no_quotation_are_held_to_it_like_any_other() -> None:
    cut = stating("It is dishwasher safe for a child with an allergy: Minimum age", "Minimum age: 3 years")
    assert passed("a drum for a child", cut, outcome="non_decision")[1] == [cut.text]


def test_browsing_of_which_nothing_is_left_becomes_a_refusal_too() -> None:
    claim = stating("Calder Drum: dishwasher safe for a child with an allergy", "Weight: 1.9 kg")
    blocks = [Block(sentences=[remark("1 product fits:")]), Block(kind="bullets", sentences=[claim])]
    draft, withheld = passed("a drum for a child with an allergy", claim, outcome="non_decision", blocks=blocks)
    assert withheld == [claim.text]
    assert draft.outcome == "no_answer"
    assert "fits:" not in said(draft)


def test_a_table_keeps_its_shape() -> None:
    cells = [stating("IP67", "IP67, trust me"), stating("1.9 kg", "Weight: 1.9 kg")]
    table = Block(kind="table", columns=["", "Calder Drum"], row_names=["Rating", "Weight"], sentences=cells)
    draft, withheld = passed("Compare them", blocks=[table])
    assert [cell.text for cell in draft.blocks[0].sentences] == ["not stated", "1.9 kg"]
    assert withheld == ["IP67"]


def test_what_the_verifier_refuses_is_not_told_instead() -> None:
    draft = answer().model_copy(update={"outcome": "no_answer", "blocks": [], "missing": ["IP67"]})
    refused, _ = gated(draft, asked("Is it IP67?"), shipped_classes(), RefusingVerifier("IP65"))
    assert "IP65" not in said(refused)


def test_a_class_that_is_off_is_not_looked_for() -> None:
    classes = {name: rules.model_copy(update={"on": False}) for name, rules in shipped_classes().items()}
    sentence = stating("The Calder Drum is IP67.", "IP67, trust me")
    draft, withheld = gated(answer(sentence), asked("Is it IP67?"), classes, RefusingVerifier())
    assert (said(draft), withheld) == (sentence.text, [])
