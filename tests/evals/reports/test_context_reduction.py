"""Context reduction: which pools are ranked, what the ranks mean."""

from evals.components.ranking import Candidate
from evals.reports.context_reduction import (
    METHODS,
    OTHERS,
    Pool,
    Ranks,
    ReductionRow,
    as_json,
    as_markdown,
    needed,
    rank,
    recall,
    widen,
)


def question(key: str, product: str | None = None, **relevance: int) -> ReductionRow:
    """A question whose candidates are named by their relevance."""
    return ReductionRow(
        id=key,
        query=f"question {key}",
        candidates=[Candidate(id=name, text=f"{key} {name}", source_type=name[:4]) for name in relevance],
        relevance=relevance,
        product={"id": product} if product else None,
    )


class TextScorers:
    """Scores each text by the number it ends in."""

    def scores(self, _method: str, pool: Pool) -> list[float]:
        return [float(one.text[-1]) for one in pool.candidates]


def test_a_pool_has_the_questions_own_candidates_first_and_none_about_its_product_beside_them() -> None:
    rows = [question(str(n), f"p{n % 5}", **{f"spec{n}": 2, f"qa__{n}": 0}) for n in range(60)]
    pools = widen(rows)
    assert widen(rows) == pools
    assert [pool.question for pool in pools] == rows
    for row, pool in zip(rows, pools, strict=True):
        others = pool.candidates[2:]
        assert pool.candidates[:2] == tuple(row.candidates)
        assert len({one.id for one in others}) == len(others) == OTHERS
        assert all(int(one.text.split()[0]) % 5 != int(row.id) % 5 for one in others)


def test_evidence_about_other_products_answers_nothing() -> None:
    alike = [question("a", "p", same=2), question("b", "q", same=2)]
    assert [pool.full for pool in widen(alike)] == [[True, False], [True, False]]


def test_the_rank_is_that_of_the_first_full_answer_overall_and_among_its_kind() -> None:
    row = question("a", "p", spec9=0, spec8=1, qa__7=2, spec6=2, qa__5=0)
    other = Candidate(id="x", text="other 8", source_type="qa__")
    nothing = question("b", "p", spec9=1)
    found = rank("pack", "test", "any", [Pool(row, (*row.candidates, other)), Pool(nothing, ())], TextScorers())
    assert (found.own, found.wide) == ([3], [4])
    assert found.by_kind == {"qa__": [2], "spec": [3]}


def test_recall_and_the_k_it_takes() -> None:
    ranks = [1] * 97 + [4, 7, 30]
    assert [recall(ranks, k) for k in (1, 4, 7, 30)] == [0.97, 0.98, 0.99, 1.0]
    assert needed(ranks) == 4


def test_the_report_says_the_figures_of_every_method_and_the_best_one_on_train_rows() -> None:
    measured = [
        Ranks("ranking-x", split, method, [1, place + 1], [1, place + 2], {"spec": [1, 2]})
        for split in ("train", "test")
        for place, method in enumerate(METHODS)
    ]
    report = as_markdown(measured)
    assert f"On train rows **{METHODS[0]}** puts an answer first most often (1.000)." in report
    assert all(report.count(f"| {method} |") == 6 for method in METHODS)
    row = as_json(measured)["rows"][1]
    assert (row["n"], row["context_recall@1"], row["k"], row["wide.k"]) == (2, 0.5, 2, 3)
