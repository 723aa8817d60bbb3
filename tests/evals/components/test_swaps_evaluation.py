"""`eval swaps`: shares of rejected sentences, made from a shop's files."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.components.support import Verify
from evals.components.swaps import evaluate
from evals.rows.reading import MissingDataError, NoSplitError, Request
from evals.rows.turns import RowEvidence
from graph.parts import Verdict, Verification

SHOP = Path(__file__).parents[2] / "shop"


def without_negations() -> Verify:
    """Accepts what says no nowhere."""

    def verify(claim: str, _sources: Sequence[RowEvidence]) -> Verification:
        return Verification(1.0, reasons=(Verdict.NEGATION,) if " not " in claim else ())

    return verify


def test_sentences_that_are_rejected_are_counted_by_what_was_changed() -> None:
    found = {name: metric.value for name, metric in evaluate(Request(SHOP), without_negations).report.metrics.items()}
    assert found.keys() >= {"caught", "wrongly_rejected", "group.number.caught", "group.product.caught"}
    assert (found["group.negation.caught"] or 0) > 0.5 > (found["group.number.caught"] or 0)
    assert (found["wrongly_rejected"] or 0) < 0.2


def test_the_verifier_that_ships_catches_swaps_and_rejects_next_to_no_true_sentence() -> None:
    found = evaluate(Request(SHOP)).report.metrics
    assert (found["caught"].value or 0) >= 0.97
    assert (found["wrongly_rejected"].value or 0) <= 0.02


def test_a_shop_that_is_not_there_is_told_and_it_has_no_splits(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        evaluate(Request(tmp_path / "none"), without_negations)
    with pytest.raises(NoSplitError):
        evaluate(Request(SHOP, split="train"), without_negations)
