"""The verifier: a sentence may say only what its own citations say."""

from dataclasses import replace
from functools import cache

import pytest

from graph.draft import Segment, Sentence, Span
from graph.parts import Verdict, Verification
from graph.reader import shared_reader
from graph.turn import Derived
from graph.verification import SentenceVerifier, SupportModel
from ingestion.encoder import shared_encoder
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import saying, span_of, whole

TENT = Product(id="tarn-2", name="Tarn 2")
SPEC = Evidence(
    "spec:tarn-2",
    "spec",
    "Weight: 1.9 kg\nHydrostatic head: 3,000 mm\nRepair kit: No",
    "Spec",
    "tarn-2",
    product_id="tarn-2",
)
OTHER = Evidence("spec:tarn-3", "spec", "Weight: 2.6 kg", "Spec", "tarn-3", product_id="tarn-3")
POLICY = Evidence("return_policy:all", "return_policy", "Items can be returned within 30 days.", "Returns", "all")
REFUNDS = Evidence(
    "help_article:h", "help_article", "Case | Refund\nYearly | The fee\nMonthly | None, it runs on", "End", "h"
)
PETS = Evidence("feature:f", "feature", "Does not include pegs", "Features", "f", product_id="tarn-2")
REVIEWS = [
    Evidence(f"review:r{n}", "review", f"The pegs are flimsy, said {n}.", "Review", f"r{n}", product_id="tarn-2")
    for n in (1, 2, 3)
]
EVIDENCE = {item.evidence_id: item for item in (SPEC, OTHER, POLICY, REFUNDS, PETS, *REVIEWS)}
WEIGHT = span_of(SPEC, "Weight: 1.9 kg")
HEAD = span_of(SPEC, "Hydrostatic head: 3,000 mm")


@cache
def verifier() -> SentenceVerifier:
    return SentenceVerifier(SupportModel(shared_reader(), shared_encoder()))


def verify(text: str, *spans: Span, product_id: str | None = "tarn-2") -> Verification:
    return verifier().verify(saying(text, *spans, product_id=product_id), EVIDENCE, TENT)


def test_what_the_cited_words_say_is_accepted() -> None:
    verdict = verify("The Tarn 2 weighs 1.9 kg.", WEIGHT)
    assert verdict.accepted
    assert verdict.support == 1.0
    assert verdict.failing == ()


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The Tarn 2 weighs 1.8 kg.", "1.8"),
        ("The Tarn 2 weighs 19 kg.", "19"),
        ("The Tarn 2 weighs 1.9 kg and costs $20.", "20"),
    ],
)
def test_a_figure_that_is_not_cited_is_refused(text: str, figure: str) -> None:
    verdict = verify(text, WEIGHT)
    assert not verdict.accepted
    assert figure in verdict.failing


def test_a_figure_elsewhere_in_the_evidence_does_not_count() -> None:
    assert not verify("The Tarn 2 weighs 3,000 kg.", WEIGHT).accepted


def test_thousands_separators_do_not_matter() -> None:
    assert verify("The hydrostatic head of the Tarn 2 is 3000 mm.", HEAD).accepted


def test_a_figure_in_the_products_name_needs_no_source() -> None:
    assert verify("The Tarn 2 weighs 1.9 kg.", WEIGHT).accepted
    other = Product(id="tarn-2", name="Tarn")
    sentence = saying("The Tarn 2 weighs 1.9 kg.", WEIGHT, product_id="tarn-2")
    assert not verifier().verify(sentence, EVIDENCE, other).accepted


def test_a_negation_that_is_not_cited_is_refused() -> None:
    assert not verify("Items cannot be returned within 30 days.", whole(POLICY), product_id=None).accepted
    assert not verify("Items can't be returned within 30 days.", whole(POLICY), product_id=None).accepted
    assert not verify("Items can never be returned within 30 days.", whole(POLICY), product_id=None).accepted


def test_a_negation_that_is_cited_is_accepted() -> None:
    assert verify("The Tarn 2 does not include pegs.", whole(PETS)).accepted
    assert verify("The Tarn 2 does not have a repair kit.", span_of(SPEC, "Repair kit: No")).accepted


def test_a_cell_that_says_none_denies_nothing_of_the_cells_before_it() -> None:
    assert verify(
        "Case: Monthly; Refund: None, it runs on.", span_of(REFUNDS, "Monthly | None, it runs on"), product_id=None
    ).accepted
    assert not verify("Monthly, it does not run on.", span_of(REFUNDS, "Yearly | The fee"), product_id=None).accepted


def test_words_that_no_cited_span_says_are_refused_and_named() -> None:
    verdict = verify("The Tarn 2 glows purple underwater.", WEIGHT)
    assert not verdict.accepted
    assert verdict.support < 0.7
    assert verdict.failing


def test_a_sentence_without_a_citation_is_refused() -> None:
    verdict = verify("The Tarn 2 weighs 1.9 kg.")
    assert (verdict.support, verdict.accepted, verdict.reasons) == (0.0, False, (Verdict.CITATION,))
    assert "tarn" in verdict.failing
    assert not verify("The Tarn 2 weighs 1.9 kg.").accepted


def test_a_greeting_needs_none() -> None:
    greeting = Sentence(segments=[Segment(text="Hello 99 times!")], factual=False)
    assert verifier().verify(greeting, {}, None).accepted


def test_a_citation_about_another_product_supports_nothing() -> None:
    assert not verify("The Tarn 2 weighs 2.6 kg.", whole(OTHER)).accepted
    assert not verify("The Tarn 2 weighs 1.9 kg, less than 2.6 kg.", WEIGHT, whole(OTHER)).accepted


def test_a_sentence_about_no_one_product_may_cite_several() -> None:
    both = saying("Both share: weight 1.9 kg.", WEIGHT, span_of(OTHER, "Weight: 2.6 kg"))
    assert verifier().verify(both, EVIDENCE, None).accepted


def test_a_rule_of_the_whole_shop_supports_a_sentence_about_a_product() -> None:
    assert verify("Items can be returned within 30 days.", whole(POLICY)).accepted


def test_a_verb_that_fits_the_attribute_is_supported_by_it() -> None:
    assert verify("The Tarn 2 weighs 1.9 kg.", WEIGHT).accepted
    assert verify("The Tarn 2 is waterproof to 3,000 mm.", HEAD).accepted


def counted(text: str, value: int, *of: str) -> Verification:
    derived = Derived(op="count", of=list(of), value=value)
    where = whole(EVIDENCE[of[0]]).model_copy(update={"derived": derived})
    return verify(text, where)


def test_a_count_is_supported_by_what_was_counted() -> None:
    of = ("review:r1", "review:r2", "review:r3")
    assert counted("3 reviews judge the pegs: all are critical.", 3, *of).accepted
    assert not counted("7 reviews judge the pegs: all are critical.", 3, *of).accepted


def test_a_mean_is_supported_as_it_is_written() -> None:
    for ratings, written in (((5.0, 3.0), "4"), ((4.0, 4.0, 5.0), "4.3")):
        rated = [replace(review, rating=stars) for review, stars in zip(REVIEWS, ratings, strict=False)]
        evidence = {item.evidence_id: item for item in rated}
        derived = Derived(op="mean", of=list(evidence), value=float(written))
        where = whole(rated[0]).model_copy(update={"derived": derived})
        said = f"From {len(rated)} reviews, the average is {{}} of 5."
        for figure, accepted in ((written, True), ("3.1", False)):
            sentence = saying(said.format(figure), where, product_id="tarn-2")
            assert verifier().verify(sentence, evidence, TENT).accepted is accepted


def test_a_mean_that_the_ratings_do_not_give_is_refused() -> None:
    rated = {review.evidence_id: replace(review, rating=2.0) for review in REVIEWS}
    for evidence in (rated, EVIDENCE):
        derived = Derived(op="mean", of=list(rated), value=4.0)
        where = whole(REVIEWS[0]).model_copy(update={"derived": derived})
        verdict = verifier().verify(saying("From 3 reviews, the average is 4 of 5.", where), evidence, TENT)
        assert verdict.reasons == (Verdict.COMPUTED,)


def test_a_conversion_is_supported_by_its_value() -> None:
    converted = WEIGHT.model_copy(update={"derived": Derived(op="convert", of=["spec:tarn-2"], value="4.2 lb")})
    claims = [Segment(text="The Tarn 2 weighs 1.9 kg", spans=[converted]), Segment(text=", about 4.2 lb.")]
    wrong = [claims[0], Segment(text=", about 5.2 lb.")]
    for pieces, accepted in ((claims, True), (wrong, False)):
        sentence = Sentence(segments=pieces, product_id="tarn-2")
        assert verifier().verify(sentence, EVIDENCE, TENT).accepted is accepted
