"""How much evidence can be left out before an answer is lost.

This is Table 4 of papers/contextually-aware-product-qa.txt, measured on the ranking packs.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evals.bootstrap import mean_interval
from evals.components.ranking import FULL, Candidate, RankingRow
from evals.packs import packs
from evals.rows.row import read_rows
from graph.language.notation import plain_value
from graph.language.terms import terms
from graph.parts import Encoder

SPLITS = ("train", "test")
OTHERS = 50
"""Pieces of evidence about other products that are added to each question's own in the wide pool."""
LEXICAL, PLAIN, TUNED = "shared words, by rarity", "bi-encoder", "statement encoder"
METHODS = (LEXICAL, PLAIN, TUNED)


class ReductionRow(RankingRow):
    """A judged question; `product`, where a pack tells it, is the one asked about."""

    product: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """A question and all that is ranked for it: its own candidates first, then those about other products."""

    question: ReductionRow
    candidates: tuple[Candidate, ...]

    @property
    def product(self) -> str | None:
        """Id of the product asked about, where the pack tells it."""
        return str((self.question.product or {}).get("id", "")) or None

    @property
    def full(self) -> list[bool]:
        """Whether each candidate answers the question alone."""
        relevance = self.question.relevance
        own = [relevance.get(candidate.id, 0) == FULL for candidate in self.question.candidates]
        return own + [False] * (len(self.candidates) - len(own))


@dataclass(frozen=True, slots=True)
class Ranks:
    """The rank, from 1, of the first full answer, one entry a question that has one.

    Attributes:
        pack: Name of the pack.
        split: Which rows.
        method: What ranked.
        own: Among the question's own candidates.
        wide: Among those and others.
        by_kind: Among the candidates of one kind in the wide pool, over questions that this kind answers.
    """

    pack: str
    split: str
    method: str
    own: list[int]
    wide: list[int]
    by_kind: Mapping[str, list[int]]


class Scoring(Protocol):
    """Scores candidates by any of several methods."""

    def scores(self, method: str, pool: Pool) -> list[float]:
        """Score the candidates of a pool, in its order; higher is better."""
        ...


class Scorers:
    """The methods that are compared, over texts that have been embedded once.

    Args:
        encoder: The embedding model.
        statements: The statement encoder.
    """

    def __init__(self, encoder: Encoder, statements: Encoder) -> None:
        self._encoders = {PLAIN: encoder, TUNED: statements}
        self._vectors: dict[str, dict[str, NDArray[np.float32]]] = {}
        self._rarity: dict[str, float] = {}

    def read(self, pools: Sequence[Pool]) -> None:
        """Embed the texts of pools, and count their words."""
        texts = list(dict.fromkeys(one.text for pool in pools for one in pool.candidates))
        texts += [pool.question.query for pool in pools]
        self._vectors = {
            method: dict(zip(texts, encoder.encode([plain_value(text) for text in texts]), strict=True))
            for method, encoder in self._encoders.items()
        }
        counts = Counter(term for text in texts for term in set(terms(text)))
        self._rarity = {term: math.log(len(texts) / count) for term, count in counts.items()}

    def scores(self, method: str, pool: Pool) -> list[float]:
        """Score the candidates of a pool, in its order; higher is better."""
        query, texts = pool.question.query, [one.text for one in pool.candidates]
        if method == LEXICAL:
            asked = set(terms(query))
            return [sum(self._rarity[term] for term in asked.intersection(terms(text))) for text in texts]
        vectors = self._vectors[method]
        return [float(vectors[text] @ vectors[query]) for text in texts]


def measure(encoder: Encoder, statements: Encoder) -> Iterator[Ranks]:
    """Rank the candidates of every ranking pack by every method.

    Args:
        encoder: The embedding model.
        statements: The statement encoder that ships.

    Raises:
        MissingPackError: There is no ranking pack.
    """
    scorers = Scorers(encoder, statements)
    for folder in packs("ranking-*"):
        for split in SPLITS:
            pools = widen(read_rows(folder / "data.jsonl", ReductionRow, split))
            scorers.read(pools)
            for method in METHODS:
                yield rank(folder.name, split, method, pools, scorers)


def widen(rows: Sequence[ReductionRow]) -> list[Pool]:
    """To the candidates of each question add some about other products, drawn by hash: the same in every run."""
    every = sorted(
        ((one, row) for row in rows for one in row.candidates), key=lambda pair: _lot(pair[1].id, pair[0].id)
    )
    pools = []
    for number, row in enumerate(rows):
        turned = every[number * OTHERS % len(every) :] + every[: number * OTHERS % len(every)]
        others = (one for one, of in turned if of.id != row.id and (row.product is None or of.product != row.product))
        pools.append(Pool(row, (*row.candidates, *(one for one, _ in zip(others, range(OTHERS), strict=False)))))
    return pools


def rank(pack: str, split: str, method: str, pools: Sequence[Pool], scorers: Scoring) -> Ranks:
    """Rank pools by one method."""
    own, wide = [], []
    by_kind: dict[str, list[int]] = {}
    for pool in pools:
        if not any(pool.full):
            continue
        scores, number = scorers.scores(method, pool), len(pool.question.candidates)
        own.append(_first(pool, scores, range(number)))
        wide.append(_first(pool, scores, range(len(scores))))
        kinds = {one.source_type for one, good in zip(pool.candidates, pool.full, strict=True) if good}
        for kind in kinds - {None}:
            places = [place for place, one in enumerate(pool.candidates) if one.source_type == kind]
            by_kind.setdefault(str(kind), []).append(_first(pool, scores, places))
    return Ranks(pack, split, method, own, wide, by_kind)


def recall(ranks: Sequence[int], k: int) -> float:
    """Context recall@k: share of questions with a full answer among the first k."""
    return sum(one <= k for one in ranks) / len(ranks)


def _first(pool: Pool, scores: Sequence[float], places: Sequence[int]) -> int:
    """Rank of the first full answer among some candidates; equal scores are ordered by lot."""
    order = sorted(places, key=lambda place: (-scores[place], _lot(pool.question.id, pool.candidates[place].id)))
    return 1 + next(rank for rank, place in enumerate(order) if pool.full[place])


def _lot(row_id: str, candidate_id: str) -> str:
    # The order in which data list candidates may tell the gold.
    return hashlib.sha256(f"{row_id}\0{candidate_id}".encode()).hexdigest()


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
