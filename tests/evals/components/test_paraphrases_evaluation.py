"""`eval paraphrases`: what of a writer's own words may be shown."""

from pathlib import Path

import pytest

from app.errors import InputError
from evals.components.paraphrases import SUPPORTED, Paraphrase, evaluate
from evals.rows import Request
from evals.training.reader_examples import SHOPS, read_shop_rows
from graph.parts import Verdict, Verification

PETS = SHOPS / "pets"


def _short(row: Paraphrase) -> Verification:
    """Accepts what is true and short, and near misses of one kind."""
    accepted = len(row.claim) < 60 if row.kind == SUPPORTED else row.kind == "negated"
    return Verification(1.0) if accepted else Verification(0.0, (), (Verdict.SUPPORT,))


def test_true_ones_and_near_misses_are_counted_apart() -> None:
    rows = read_shop_rows("pets")
    true = [claim for row in rows for claim in row.supported]
    missed = [one.kind for row in rows for one in row.unsupported]
    metrics = evaluate(Request(PETS), lambda: _short).report.metrics
    assert (metrics["kept"].n, metrics["shown"].n) == (len(true), len(missed))
    assert metrics["kept"].value == pytest.approx(sum(len(claim) < 60 for claim in true) / len(true), abs=1e-6)
    assert metrics["shown"].value == pytest.approx(missed.count("negated") / len(missed), abs=1e-6)
    assert metrics["kind.negated"].value == 1
    assert metrics["kind.lost_condition"].value == 0


def test_each_cites_what_the_shop_says() -> None:
    seen: list[Paraphrase] = []

    def verify(row: Paraphrase) -> Verification:
        seen.append(row)
        return Verification(1.0)

    evaluate(Request(PETS), lambda: verify)
    assert all(row.sources for row in seen)


def test_what_is_no_made_up_shop_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows\.jsonl"):
        evaluate(Request(tmp_path), lambda: _short)
