"""Ranking: whether the evidence that answers a question comes first among its candidates."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from evals.metrics.information_retrieval import hit, ndcg, reciprocal_rank
from evals.report import Evaluation, Metric, Scored, mean_metric, run_rows
from evals.rows import FULL, Candidate, RankingRow, Request, read_rows

NDCG_DEPTH = 5
RECALL_DEPTH = 15


Rank = Callable[[str, Sequence[Candidate]], Sequence[float]]
"""From a question and its candidates to their scores, in the order given; higher is better."""


Ranking = Sequence[tuple[Candidate, float]]
"""Candidates with their scores, best first."""
Ranked = Scored[RankingRow, Ranking]


def load_ranker() -> Rank:
    """The statement encoder that ships."""
    from graph.language.notation import plain_value  # noqa: PLC0415 - heavy, with the next
    from ingestion.statement_encoder import shared_statement_encoder  # noqa: PLC0415

    def rank(query: str, candidates: Sequence[Candidate]) -> Sequence[float]:
        asked, *vectors = shared_statement_encoder().encode([query, *(plain_value(one.text) for one in candidates)])
        return [float(vector @ asked) for vector in vectors]

    return rank


def evaluate(request: Request, load: Callable[[], Rank] = load_ranker) -> Evaluation:
    """Rank the candidates of each question.

    `p@1`, `mrr` and `context_recall@k` are over the questions that have a candidate of relevance 2, and look for those;
    `ndcg@5`, with the gain 2^relevance - 1, is over the questions that have any relevant candidate.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, RankingRow, request.split)
    run = run_rows(rows, load, _ranked)
    return run.evaluation("ranking", request.data, _metrics, _prediction, warnings=_warnings(rows))


def _ranked(rank: Rank, row: RankingRow) -> Ranking:
    scored = zip(row.candidates, map(float, rank(row.query, row.candidates)), strict=True)
    return sorted(scored, key=lambda pair: (-pair[1], _lot(row.id, pair[0])))


def _lot(row_id: str, candidate: Candidate) -> str:
    """What decides between equal scores: a hash, because the order in which data lists candidates may tell the gold."""
    return hashlib.sha256(f"{row_id}\0{candidate.id}\0{candidate.text}".encode()).hexdigest()


def _metrics(results: Sequence[Ranked]) -> dict[str, Metric]:
    rankings = [[one.row.relevance.get(candidate.id, 0) for candidate, _ in one.found] for one in results]
    full = [[relevance == FULL for relevance in ranking] for ranking in rankings if FULL in ranking]
    gains = [[2.0**relevance - 1 for relevance in ranking] for ranking in rankings if any(ranking)]
    metrics = {
        "p@1": mean_metric([hit(ranking, 1) for ranking in full]),
        "mrr": mean_metric([reciprocal_rank(ranking) for ranking in full]),
        f"ndcg@{NDCG_DEPTH}": mean_metric([ndcg(ranking, ranking, NDCG_DEPTH) for ranking in gains]),
    }
    depths = range(1, RECALL_DEPTH + 1)
    return metrics | {f"context_recall@{k}": mean_metric([hit(ranking, k) for ranking in full]) for k in depths}


def _warnings(rows: Sequence[RankingRow]) -> list[str]:
    strangers = [row.id for row in rows if row.relevance.keys() - {candidate.id for candidate in row.candidates}]
    said = f"{len(strangers):,} rows judge ids that are no candidates, which counts for nothing; the first is "
    return [f"{said}{strangers[0]}."] if strangers else []


def _prediction(result: Ranked) -> dict[str, Any]:
    return {
        "id": result.row.id,
        "ranked": [{"id": candidate.id, "score": score} for candidate, score in result.found],
        "relevance": result.row.relevance,
    }
