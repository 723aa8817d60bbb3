"""`eval support`: figures of the verdict, and how a claim reaches the verifier that ships."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.errors import InputError
from evals.components.support import Verify, evaluate
from evals.report import Evaluation
from evals.row_turns import RowEvidence
from evals.rows import Request
from graph.parts import Verdict, Verification
from tests.evals.scored import values, written

Evaluate = Callable[..., Evaluation]


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows, each given as (label, accepted, support, group)."""

    def run(*rows: tuple[bool, bool, float, str]) -> Evaluation:
        lines = [
            {"id": n, "claim": f"{accepted} {support}", "evidence": ["e"], "label": label, "group": group}
            for n, (label, accepted, support, group) in enumerate(rows)
        ]
        return evaluate(Request(written(tmp_path, *lines)), lambda: as_claimed)

    return run


def as_claimed(claim: str, _sources: Sequence[RowEvidence]) -> Verification:
    """The claim says its verdict."""
    accepted, support = claim.split()
    return Verification(float(support), reasons=() if accepted == "True" else (Verdict.SUPPORT,))


ROWS = [
    (True, True, 1.0, "a"),
    (True, True, 0.8, "a"),
    (True, True, 0.6, "b"),
    (True, False, 0.2, "b"),
    (False, True, 0.8, "a"),
    (False, False, 0.0, "b"),
]


def test_figures_of_the_verdict_are_at_the_threshold_that_ships(run: Evaluate) -> None:
    found = values(run(*ROWS))
    assert found["balanced_accuracy"] == (0.75 + 0.5) / 2
    assert found["macro_f1"] == pytest.approx((0.75 + 0.5) / 2, abs=1e-6)
    assert (found["caught"], found["wrongly_rejected"]) == (0.5, 0.25)


def test_auroc_and_calibration_are_of_the_support_score(run: Evaluate) -> None:
    found = values(run(*ROWS))
    assert found["auroc"] == pytest.approx((1 + 1 + 1 + 1 + 1 + 0.5 + 0 + 0) / 8, abs=1e-6)
    gaps = abs(1 - 1) + abs(1 + 0 - 2 * 0.8) + abs(1 - 0.6) + abs(1 - 0.2) + 0
    assert found["ece"] == pytest.approx(gaps / 6, abs=1e-6)


def test_each_group_has_its_own_balanced_accuracy(run: Evaluate) -> None:
    found = run(*ROWS).report.metrics
    assert (found["group.a.balanced_accuracy"].value, found["group.a.balanced_accuracy"].n) == (0.5, 3)
    assert (found["group.b.balanced_accuracy"].value, found["group.b.balanced_accuracy"].n) == (0.75, 3)


def test_where_all_claims_are_of_one_kind_nothing_is_balanced(run: Evaluate) -> None:
    found = values(run((True, True, 1.0, "a"), (True, False, 0.1, "a")))
    assert found["balanced_accuracy"] is found["auroc"] is found["caught"] is None
    assert found["wrongly_rejected"] == 0.5


def test_predictions_hold_the_score_the_verdict_and_the_label(run: Evaluate) -> None:
    assert run(ROWS[3]).predictions == [
        {
            "id": "0",
            "support": 0.2,
            "accepted": False,
            "failing": [],
            "reasons": ["support"],
            "gold": True,
            "group": "b",
        }
    ]


def test_markers_are_taken_out_of_a_claim_and_evidence_may_have_a_kind(tmp_path: Path) -> None:
    seen: list[tuple[str, list[str]]] = []

    def load() -> Verify:
        def verify(claim: str, sources: Sequence[RowEvidence]) -> Verification:
            seen.append((claim, [source.source_type for source in sources]))
            return Verification(1.0)

        return verify

    evidence = ["t", {"id": 1, "text": "t", "source_type": "review"}]
    evaluate(
        Request(written(tmp_path, {"id": 1, "claim": "It is red [1].", "evidence": evidence, "label": True})), load
    )
    assert seen[-1] == ("It is red.", ["help_article", "review"])


def test_the_verifier_that_ships_reads_all_of_the_evidence(tmp_path: Path) -> None:
    texts = ["The tent weighs 1.9 kg.", "It sleeps two people."]
    rows = [
        {"id": 1, "claim": "The tent weighs 1.9 kg and sleeps two people.", "evidence": texts, "label": True},
        {"id": 2, "claim": "The tent weighs 2.9 kg and sleeps two people.", "evidence": texts, "label": False},
        {"id": 3, "claim": "The tent weighs 1.9 kg.", "evidence": [], "label": False},
    ]
    found = evaluate(Request(written(tmp_path, *rows)))
    assert [row["accepted"] for row in found.predictions] == [True, False, False]


def test_a_label_is_true_or_false(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data\.jsonl:1: label"):
        evaluate(Request(written(tmp_path, {"id": 1, "claim": "c", "evidence": [], "label": "partly"})))
