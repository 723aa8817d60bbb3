"""Reduction: what the responder reads of all that was found."""

from dataclasses import replace
from typing import Any

from graph.retrieval.search import OPINIONS_LIMIT, VOICE_LIMIT, merged, reduce_hits
from graph.state import Hit
from ingestion.evidence import Evidence
from tests.graph.shops import Shop


def evidence(key: str, source_type: str = "spec", text: str = "", **columns: Any) -> Evidence:  # noqa: ANN401 - any column
    return Evidence(
        evidence_id=f"{source_type}:{key}",
        source_type=source_type,
        text=text or f"Text of {key}.",
        title=key,
        row_id=key,
        **columns,
    )


def reduced(found: list[Evidence], limit: int = 24) -> list[str]:
    """Ids that are kept of evidence given best first."""
    pairs = [(item, 1.0 - place / 1000) for place, item in enumerate(found)]
    return [item.row_id for item, _ in reduce_hits(pairs, limit)]


def test_what_several_retrievals_found_stands_once_at_its_best_score() -> None:
    shop = Shop([], [evidence("a"), evidence("b")], {})
    hits = [
        Hit(evidence_id=f"spec:{key}", score=score, intent=intent, product_id=None)
        for key, score, intent in (("a", 0.2, "warranty"), ("b", 0.5, "warranty"), ("a", 0.9, "product_spec"))
    ]
    assert [(item.row_id, score) for item, score in merged(hits, shop)] == [("a", 0.9), ("b", 0.5)]


def test_ties_are_ordered_the_same_in_every_run() -> None:
    shop = Shop([], [evidence("a"), evidence("b")], {})
    hits = [Hit(evidence_id=f"spec:{key}", score=0.5, intent="warranty", product_id=None) for key in ("b", "a")]
    assert [item.row_id for item, _ in merged(hits, shop)] == ["a", "b"]


def test_the_budget_cuts_the_least_relevant() -> None:
    found = [evidence(str(number), "help_article") for number in range(6)]
    assert reduced(found, limit=3) == ["0", "1", "2"]


def test_every_perspective_is_heard_before_more_of_the_same() -> None:
    found = [evidence(f"h{number}", "help_article") for number in range(5)]
    found += [evidence("qa", "qa", product_id="tarn-2"), evidence("us", "delivery", region="US")]
    assert reduced(found, limit=3) == ["h0", "qa", "us"]


def test_no_perspective_is_lost_to_the_budget() -> None:
    found = [evidence("us", "delivery", region="US"), evidence("eu", "delivery", region="EU")]
    found += [evidence("gold", "delivery", region="US", membership="gold"), evidence("tents", category="Tents")]
    assert reduced(found, limit=1) == ["us", "eu", "gold", "tents"]


def test_reviews_are_counted_and_so_not_cut_with_the_rest() -> None:
    found = [evidence(f"r{number}", "review", product_id="tarn-2") for number in range(40)]
    assert reduced(found, limit=2) == [item.row_id for item in found]
    many = [evidence(f"r{number}", "review", product_id="tarn-2") for number in range(OPINIONS_LIMIT + 5)]
    assert len(reduced(many)) == OPINIONS_LIMIT


def test_what_repeats_better_evidence_of_its_kind_and_product_is_dropped() -> None:
    found = [
        evidence("a", "feature", "Two doors.", product_id="t"),
        evidence("b", "feature", "Two  DOORS", product_id="t"),
    ]
    assert reduced(found) == ["a"]


def test_the_same_words_about_another_product_or_by_another_source_stay() -> None:
    found = [
        evidence("a", "feature", "Two doors.", product_id="t"),
        evidence("b", "feature", "Two doors.", product_id="u"),
        evidence("c", "description", "Two doors.", product_id="t"),
    ]
    assert reduced(found) == ["a", "b", "c"]


def test_a_long_review_leaves_room_for_others() -> None:
    long = [replace(evidence("r1", "review", product_id="t"), evidence_id=f"review:r1#{n}") for n in range(40)]
    assert reduced([*long, evidence("r2", "review", product_id="t")]) == ["r1"] * VOICE_LIMIT + ["r2"]
