"""Retrieval: whether the documents that answer a question are among the first five found."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import Field

from app.settings import index_path
from evals.metrics.classification import auroc_metric
from evals.metrics.information_retrieval import average_precision, hit, ndcg, recall, reciprocal_rank
from evals.report import Evaluation, Metric, Scored, few, mean_metric, run_rows
from evals.rows import Message, Request, Row, read_rows, said_in
from ingestion.errors import UnknownEvidenceError
from ingestion.evidence import Evidence
from ingestion.knowledge import IndexedKnowledge

DEPTH = 5
"""Documents of a ranking that count."""


class Query(Row):
    """A question and the documents that answer it.

    Attributes:
        gold: Ids of rows, documents or evidence; empty where nothing in the index answers.
    """

    id: str
    query: str
    history: list[Message] = Field(default_factory=list)
    gold: list[str]


Hits = list[tuple[Evidence, float]]


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    """An index to search in.

    Attributes:
        generation: Name of the generation that is searched.
        hits: From a question and what was said before it to chunks with their scores, best first.
        row_id: From a gold id, of a row, document or evidence, to its row or document; None when there is none.
    """

    generation: str
    hits: Callable[[str, Sequence[Mapping[str, str]]], Hits]
    row_id: Callable[[str], str | None]


OpenSearch = Callable[[str], AbstractContextManager[OpenedIndex]]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a question.

    Attributes:
        gold: Row ids of what answers it; an id that the index does not have stands as it was written.
        documents: Row id to the document's best chunk and that chunk's score, best first.
    """

    gold: tuple[str, ...]
    documents: dict[str, tuple[Evidence, float]]

    @property
    def relevant(self) -> list[bool]:
        """Whether each document, best first, answers the question."""
        return [document in self.gold for document in self.documents]

    @property
    def top_score(self) -> float:
        """Score of the best document; minus infinity where nothing was found."""
        return next((score for _, score in self.documents.values()), float("-inf"))


@contextmanager
def open_index(name: str) -> Iterator[OpenedIndex]:
    """The search that ships, over a built index.

    Raises:
        KnowledgeError: The index is missing or damaged.
    """
    from graph.caching import CachingEncoder  # noqa: PLC0415
    from graph.catalog import LocalCatalog  # noqa: PLC0415 - heavy, with all below
    from graph.retrieval.search import (  # noqa: PLC0415
        NearestStatements,
        SearchParts,
        document_hits,
    )
    from ingestion.encoder import shared_encoder  # noqa: PLC0415
    from ingestion.knowledge import open_knowledge  # noqa: PLC0415
    from ingestion.statement_encoder import shared_statement_encoder  # noqa: PLC0415

    with closing(open_knowledge(index_path(name))) as knowledge:
        catalog = LocalCatalog(knowledge.products) if knowledge.products else None
        finder = NearestStatements(CachingEncoder(shared_statement_encoder()), knowledge)
        parts = SearchParts(knowledge, CachingEncoder(shared_encoder()), finder, catalog)
        row_id = partial(row_of, knowledge, knowledge.row_ids())
        yield OpenedIndex(knowledge.generation, partial(document_hits, parts), row_id)


def row_of(knowledge: IndexedKnowledge, rows: Collection[str], gold: str) -> str | None:
    """The row or document that a gold id names, by its own id or an evidence id; None when there is none."""
    if gold in rows:
        return gold
    try:
        return knowledge.evidence([gold])[0].row_id
    except UnknownEvidenceError:
        return None


def evaluate(request: Request, open_search: OpenSearch = open_index) -> Evaluation:
    """Search for each question and compare the documents found with its gold.

    Hit@k, mAP, MRR, nDCG and recall are over the first five documents, each at its best chunk, of the questions with
    gold; `no_gold_auroc` says how well the top score tells these from the others. A gold document that the index
    does not have cannot be found: it counts as missed, and a warning names it.

    Raises:
        InputError: No index is named, or the rows cannot be used.
        KnowledgeError: The index cannot be opened.
    """
    opens = open_search(request.needed_index("retrieval"))
    rows = read_rows(request.data, Query, request.split)
    with ExitStack() as opened:
        run = run_rows(rows, lambda: opened.enter_context(opens), _find)
        search = run.part
        missing = list(dict.fromkeys(gold for row in rows for gold in row.gold if search.row_id(gold) is None))
        warnings = _warnings(missing, rows)
        return run.evaluation(
            "retrieval",
            request.data,
            _metrics,
            _prediction,
            warnings=warnings,
            generation=search.generation,
        )


def _find(search: OpenedIndex, row: Query) -> Found:
    documents: dict[str, tuple[Evidence, float]] = {}
    for evidence, score in search.hits(row.query, said_in(row.history)):
        documents.setdefault(evidence.row_id, (evidence, score))
    gold = tuple(dict.fromkeys(search.row_id(name) or name for name in row.gold))
    return Found(gold, documents)


def _metrics(results: Sequence[Scored[Query, Found]]) -> dict[str, Metric]:
    every = [result.found for result in results]
    scored = [(found.relevant, len(found.gold)) for found in every if found.gold]
    metrics = {f"hit@{k}": mean_metric([hit(relevant, k) for relevant, _ in scored]) for k in range(1, DEPTH + 1)}
    metrics |= {
        "map": mean_metric([average_precision(relevant, total, DEPTH) for relevant, total in scored]),
        "mrr": mean_metric([reciprocal_rank(relevant, DEPTH) for relevant, _ in scored]),
        f"ndcg@{DEPTH}": mean_metric([ndcg(relevant, [1.0] * total, DEPTH) for relevant, total in scored]),
        f"recall@{DEPTH}": mean_metric([recall(relevant, total, DEPTH) for relevant, total in scored]),
    }
    if 0 < len(scored) < len(results):
        answerable = [bool(found.gold) for found in every]
        metrics["no_gold_auroc"] = auroc_metric(answerable, [found.top_score for found in every])
    return metrics


def _warnings(missing: Sequence[str], rows: Sequence[Query]) -> list[str]:
    if not missing:
        return []
    touched = sum(not set(missing).isdisjoint(row.gold) for row in rows)
    said = f"{len(missing):,} gold ids of {touched:,} rows are not in the index and count as missed: {few(missing)}."
    return [f"{said} Was the index made from the documents of these rows?"]


def _prediction(result: Scored[Query, Found]) -> dict[str, Any]:
    found = result.found
    return {
        "id": result.row.id,
        "ranked": [
            {"id": document, "evidence_id": evidence.evidence_id, "score": score}
            for document, (evidence, score) in found.documents.items()
        ],
        "gold": list(found.gold),
    }
