"""The report on context reduction: the paper's Table 4 on this project's packs, and how much evidence to keep."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evals.bootstrap import mean_interval
from evals.reports.context_reduction import METHODS, OTHERS, TUNED, Ranks, recall

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15)
TARGET = 0.98
"""Share of questions whose answer is kept, after the paper, which reached it with k = 15."""

_INTRODUCTION = """# Context reduction

How many pieces of evidence must be kept so that one that answers the question alone is among them: Table 4 of
*Contextually Aware E-Commerce Product Question Answering using RAG*, on the ranking packs in `FOOTNOTE_BENCH`. Made by
`footnote report context-reduction --out docs/context-reduction.md`.

* **shared words, by rarity**: sum of the inverse document frequencies of the terms that question and evidence share.
* **bi-encoder**: cosine of all-MiniLM-L6-v2 vectors.
* **statement encoder**: cosine of the vectors that find; its card is `ingestion/statement_encoder/MODEL_CARD.md`.

Equal scores are ordered by lot: the order in which the packs list candidates tells much of their relevance."""


def as_markdown(measured: Sequence[Ranks]) -> str:
    """The report: recall by method, the k that is needed, and the k of each kind of evidence."""
    parts = [_INTRODUCTION]
    for pack, split in dict.fromkeys((one.pack, one.split) for one in measured):
        chosen = [one for one in measured if (one.pack, one.split) == (pack, split)]
        parts += [f"## {pack}, {split} rows", f"{len(chosen[0].own)} questions that some candidate answers alone."]
        parts += ["### Among a question's own candidates", _recalls(chosen, lambda one: one.own)]
        parts += [
            f"### Among these and {OTHERS} pieces of evidence about other products",
            _recalls(chosen, lambda one: one.wide),
        ]
        parts += ["### By kind of evidence, in the wide pool", _kinds(chosen)]
    return "\n\n".join([*parts, "## What was chosen", *_choice(measured)]) + "\n"


def as_json(measured: Sequence[Ranks]) -> dict[str, Any]:
    """All figures as plain data."""
    return {
        "component": "context-reduction",
        "rows": [
            {
                "pack": one.pack,
                "split": one.split,
                "method": one.method,
                "n": len(one.own),
                **{f"context_recall@{k}": round(recall(one.own, k), 6) for k in range(1, 16)},
                **{f"wide.context_recall@{k}": round(recall(one.wide, k), 6) for k in range(1, 16)},
                "k": needed(one.own),
                "wide.k": needed(one.wide),
                "k_by_kind": {kind: needed(ranks) for kind, ranks in sorted(one.by_kind.items())},
            }
            for one in measured
        ],
    }


def needed(ranks: Sequence[int]) -> int:
    """The smallest k whose context recall reaches the target."""
    return next(k for k in range(1, max(ranks) + 1) if recall(ranks, k) >= TARGET)


def _recalls(measured: Sequence[Ranks], ranks_of: Callable[[Ranks], Sequence[int]]) -> str:
    head = " | ".join(f"@{k}" for k in DEPTHS)
    lines = [f"| method | {head} | k for {TARGET:.0%} |", f"|---{'|---' * (len(DEPTHS) + 1)}|"]
    for one in measured:
        ranks = ranks_of(one)
        low, high = mean_interval([float(rank == 1) for rank in ranks])
        figures = [f"{recall(ranks, k):.3f}" for k in DEPTHS]
        figures[0] += f" [{low:.3f}, {high:.3f}]"
        lines.append(f"| {one.method} | {' | '.join(figures)} | {needed(ranks)} |")
    return "\n".join(lines)


def _kinds(measured: Sequence[Ranks]) -> str:
    """For each kind the k that is needed where only that kind is ranked, and over how many questions."""
    kinds = sorted({kind for one in measured for kind in one.by_kind})
    lines = [f"| k for {TARGET:.0%} | {' | '.join(kinds)} |", f"|---{'|---' * len(kinds)}|"]
    lines += [f"| {one.method} | {' | '.join(str(needed(one.by_kind[kind])) for kind in kinds)} |" for one in measured]
    counts = " | ".join(str(len(measured[0].by_kind[kind])) for kind in kinds)
    return "\n".join([*lines, f"| questions | {counts} |"])


def _choice(measured: Sequence[Ranks]) -> Iterator[str]:
    """What train rows say; the figures of test rows stand above beside them."""
    train = [one for one in measured if one.split == "train"]
    means = {
        method: sum(recall(one.own, 1) for one in train if one.method == method)
        / sum(one.method == method for one in train)
        for method in METHODS
    }
    best = max(means, key=lambda method: means[method])
    yield (
        f"On train rows **{best}** puts an answer first most often ({means[best]:.3f}). None of them has "
        "learnt from these rows."
    )
    shipped = [one for one in train if one.method == TUNED]
    k = max(needed(one.wide) for one in shipped)
    kinds = {kind: max(needed(one.by_kind[kind]) for one in shipped if kind in one.by_kind) for kind in _all(shipped)}
    said = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    yield (
        f"With the statement encoder {TARGET:.0%} of questions keep an answer at k = {k} in the wide pool of train "
        f"rows (ranked kind by kind: {said})."
    )


def _all(measured: Sequence[Ranks]) -> set[str]:
    return {kind for one in measured for kind in one.by_kind}
