"""Confidence: the probability that an answer is right, read from named signals of its turn."""

from pathlib import Path

import numpy as np
import pytest

from evals.training.confidence import fit
from graph.concluding.confidence import (
    BOUNDS,
    NAMES,
    confidence_of,
    described,
    load,
    right,
    signals_of,
)
from graph.draft import Block, Draft, Segment, Sentence, Span
from graph.options import GraphOptions
from graph.state import CatalogResult, TurnState
from graph.trained import WeightsError
from graph.turn import Confidence, Outcome, ProductMatch, Retrieved
from ingestion.evidence import Evidence
from tests.graph.fakes import WordReader

OPTIONS = GraphOptions(high_confidence=0.8, medium_confidence=0.5)
TEXTS = {
    "spec:k2": "Weight: 1.9 kg",
    "qa:1": "Does it weigh much? The weight is 1.9 kg.",
    "review:1": "The weight of 1.9 kg is fine.",
    "review:2": "The weight is not 1.9 kg.",
    "description:k2": "A tent for two.",
    "help_article:1": "Cancel an order.",
}
EVIDENCE = {key: Evidence(key, key.partition(":")[0], text, "", key, "k2") for key, text in TEXTS.items()}
FOUND = {"spec:k2": 0.8, "description:k2": 0.3}


def drafted(
    *cited: str,
    outcome: Outcome = "clear",
    supports: tuple[float, ...] = (1.0,),
    confidence: float = 0.8,
    attributes: tuple[str, ...] = (),
    whole: bool = False,
) -> Draft:
    """A greeting, and a factual sentence for each support; each cites all that is cited."""
    spans = [Span(evidence_id=key, start=0, end=len(TEXTS[key]) if whole else 4) for key in cited]
    greeting = Sentence(segments=[Segment(text="Hello.")], factual=False)
    told = [Sentence(segments=[Segment(text="It weighs 1.9 kg.", spans=spans)], support=one) for one in supports]
    return Draft(
        outcome=outcome,
        blocks=[Block(sentences=[greeting, *told])],
        confidence=confidence,
        attributes=list(attributes),
    )


def state(
    found: dict[str, float] | None = None,
    *,
    matches: tuple[float, ...] = (1.0,),
    query: str = "What is the weight of the Kestrel 2?",
) -> TurnState:
    return TurnState(
        standalone_query=query,
        retrieved=[Retrieved(evidence_id=key, score=score) for key, score in (found or FOUND).items()],
        catalog=CatalogResult(
            matches=tuple(ProductMatch(id="k2", name="Kestrel 2", method="exact", score=score) for score in matches)
        ),
    )


def signals(draft: Draft, found: TurnState | None = None) -> dict[str, float]:
    return signals_of(draft, found or state(), EVIDENCE, WordReader())


def confidence(draft: Draft, found: TurnState | None = None) -> Confidence:
    return confidence_of(draft, found or state(), EVIDENCE, OPTIONS, WordReader())


def test_the_relevance_is_that_of_the_first_citation() -> None:
    assert signals(drafted("spec:k2"), state({"spec:k2": 0.8, "qa:1": 0.7}))["relevance"] == 0.8


def test_what_is_cited_is_read_beside_the_question() -> None:
    query = state(query="Is the weight 1.9 kg?")
    told, beside = drafted("spec:k2", whole=True), drafted("spec:k2", "description:k2", whole=True)
    assert signals(told, query)["reading"] == 1.0
    assert signals(beside, query)["reading"] == 0.0, "as sure as the statement that answers least"
    assert signals(drafted(supports=()), query)["reading"] == 0.0


def test_support_is_that_of_factual_sentences_alone() -> None:
    assert signals(drafted("spec:k2", supports=(1.0, 0.6)))["support"] == pytest.approx(0.8)


def test_the_shops_own_sources_are_told_from_its_customers() -> None:
    assert signals(drafted("spec:k2", "review:1", "review:2", "qa:1"))["primary"] == 0.25


def test_asked_words_are_told_by_what_is_cited_and_by_how_an_attribute_is_asked_for() -> None:
    assert signals(drafted("spec:k2"))["coverage"] == 1.0
    assert signals(drafted("description:k2"))["coverage"] == 0.0
    heavy = state(query="How heavy is the Kestrel 2?")
    assert signals(drafted("description:k2", attributes=("Weight",)), heavy)["coverage"] == 1.0


@pytest.mark.parametrize("name", [name for name, (low, _) in BOUNDS.items() if low is not None])
def test_more_of_what_speaks_for_an_answer_never_makes_it_less_sure(name: str) -> None:
    seen = signals(drafted("spec:k2"))
    assert right(seen | {name: 0.9}) >= right(seen | {name: 0.2})


def test_weaker_support_makes_an_answer_less_sure() -> None:
    assert confidence(drafted("spec:k2", supports=(0.5,))).score < confidence(drafted("spec:k2")).score


def test_a_customers_word_is_not_surer_than_the_shops() -> None:
    found = state({"spec:k2": 0.8, "review:1": 0.8})
    assert confidence(drafted("review:1"), found).score <= confidence(drafted("spec:k2"), found).score


def test_a_clear_answer_is_surer_than_a_far_fetched_one() -> None:
    far = confidence(drafted("description:k2", confidence=0.3), state({"description:k2": 0.1, "spec:k2": 0.8}))
    assert confidence(drafted("spec:k2", whole=True)).score > 0.6 > far.score


def test_what_answers_nothing_stays_below_and_follows_what_the_evidence_may_answer() -> None:
    unlikely = confidence(drafted(outcome="no_answer", supports=(), confidence=0.05))
    likely = confidence(drafted(outcome="no_answer", supports=(), confidence=0.95))
    assert 0 <= unlikely.score < likely.score <= 0.1
    assert likely.label == "low"


def test_a_question_back_counts_as_an_answer_only_beside_one() -> None:
    bare = confidence(drafted(outcome="ambiguous", supports=()))
    assert confidence(drafted("spec:k2", outcome="ambiguous")).score > bare.score <= 0.1


def test_a_hand_over_keeps_its_own() -> None:
    assert confidence(drafted(outcome="handoff", supports=(), confidence=1.0)).score == 1.0


def test_cards_are_as_sure_as_the_product_and_the_support() -> None:
    shown = drafted("spec:k2", outcome="non_decision", supports=(0.5,))
    assert confidence(shown, state(matches=(0.5,))).score == pytest.approx(0.2)
    assert confidence(drafted(outcome="non_decision", supports=()), state(matches=())).score == pytest.approx(0.8)


def test_it_is_a_probability_and_tells_its_signals() -> None:
    sure = confidence(drafted(outcome="handoff", supports=(), confidence=1.6))
    assert sure.score == 1.0
    assert set(NAMES) == set(sure.signals)


@pytest.mark.parametrize(("score", "label"), [(0.8, "high"), (0.79, "medium"), (0.5, "medium"), (0.49, "low")])
def test_its_label_follows_the_options(score: float, label: str) -> None:
    assert confidence(drafted(outcome="handoff", supports=(), confidence=score)).label == label


def test_weights_of_other_signals_are_refused_with_what_makes_them(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="footnote train confidence"):
        load(tmp_path / "model.json")
    (tmp_path / "model.json").write_text('{"coefficients": {"mood": 1.0}, "intercept": 0.0}')
    with pytest.raises(WeightsError, match="'responder'"):
        load(tmp_path / "model.json")


def test_no_sign_is_learnt_against_its_meaning() -> None:
    """Of the examples the relevant ones are wrong."""
    seen = signals(drafted("spec:k2"))
    rows = [described(seen | {"relevance": place / 10}) for place in range(10)]
    weights = fit(np.stack(rows), np.arange(10) < 5)
    learnt = dict(zip(weights.names, weights.coefficients, strict=True))
    assert learnt["relevance"] == 0.0
    assert learnt["support"] >= 1


def test_what_separates_right_from_wrong_counts() -> None:
    seen = signals(drafted("spec:k2"))
    rows = np.stack([described(seen | {"responder": place / 10}) for place in range(10)])
    weights = fit(rows, np.arange(10) >= 5)
    probabilities = weights.probabilities(rows)
    assert (probabilities[:5] < 0.5).all()
    assert (probabilities[5:] > 0.5).all()
