"""Catalog search: whether the product that a text means is found, and no other taken for it.

`hit@k` and `mrr` are over the rows with gold and over the ranking of all candidates: what was accepted, then what a tie
offers, then what is near. The other figures are about what is accepted, at the shipped threshold:

* `accept_precision`: share of the rows with something accepted where nothing else than gold is;
* `accept_recall`: share of the rows with gold where a gold product is accepted; `accept_f1` is of the two;
* `invented_rate`: share of all rows where a product is accepted that is not gold;
* `missed_rate`: share of the rows with gold where no gold product is accepted.
"""

import math
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.settings import index_path
from evals.metrics.information_retrieval import hit, reciprocal_rank
from evals.report import Evaluation, Metric, Rows, Scored, few, mean_metric, run_rows, statistic_metric
from evals.rows import Lookup, Request, read_rows
from graph.catalog import LocalCatalog
from graph.state import CatalogResult
from graph.turn import ProductMatch

DEPTH = 50
"""Candidates that are ranked."""
SHOWN = 10
"""Candidates that a prediction lists."""


@dataclass(frozen=True, slots=True)
class OpenedCatalog:
    """The catalog of an index.

    Attributes:
        generation: Name of the generation that is searched.
        sold: Ids of its products.
        find: What a turn would make of a text, as the first of its conversation.
        rank: The products whose names are likest to a text, best first, so many at most.
    """

    generation: str
    sold: Container[str]
    find: Callable[[str], CatalogResult]
    rank: Callable[[str, int], Sequence[ProductMatch]]


OpenCatalog = Callable[[str], AbstractContextManager[OpenedCatalog]]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What a text was taken for.

    Attributes:
        gold: Ids of the products that are meant.
        accepted: Ids of the products it was taken to mean; a tie is none.
        ranked: Candidates with their scores, best first, what was accepted before all others.
    """

    gold: frozenset[str]
    accepted: tuple[str, ...]
    ranked: tuple[ProductMatch, ...]

    @property
    def relevant(self) -> list[bool]:
        """Whether each candidate, best first, is meant."""
        return [match.id in self.gold for match in self.ranked]

    @property
    def invented(self) -> bool:
        """Whether a product was accepted that is not meant."""
        return not self.gold.issuperset(self.accepted)

    @property
    def met(self) -> bool:
        """Whether a product that is meant was accepted."""
        return not self.gold.isdisjoint(self.accepted)


@contextmanager
def open_catalog(name: str) -> Iterator[OpenedCatalog]:
    """The catalog search that ships, over the products of a built index.

    Raises:
        KnowledgeError: The index is missing or damaged.
    """
    from ingestion.knowledge import open_knowledge  # noqa: PLC0415 - heavy

    with closing(open_knowledge(index_path(name))) as knowledge:
        catalog = LocalCatalog(knowledge.products)
        yield OpenedCatalog(
            knowledge.generation, knowledge.products, lambda text: catalog.find(text, (), ()), catalog.rank
        )


def evaluate(request: Request, open_index: OpenCatalog = open_catalog) -> Evaluation:
    """Look each text up, and compare what is ranked and what is accepted with its gold.

    A gold product that the index does not have cannot be found: it counts as missed, and a warning names it.

    Raises:
        InputError: No index is named, or the rows cannot be used.
        KnowledgeError: The index cannot be opened.
    """
    opens = open_index(request.needed_index("catalog"))
    rows = read_rows(request.data, Lookup, request.split)
    with ExitStack() as opened:
        found = run_rows(rows, lambda: opened.enter_context(opens), lambda catalog, row: catalog.find(row.query))
        catalog = found.part
        run = found.then(partial(_looked_up, catalog))
        missing = list(dict.fromkeys(key for row in rows for key in row.gold if key not in catalog.sold))
        return run.evaluation(
            "catalog", request.data, _metrics, _prediction, warnings=_warnings(missing), generation=catalog.generation
        )


def _looked_up(catalog: OpenedCatalog, row: Lookup, found: CatalogResult) -> LookedUp:
    ranked: dict[str, ProductMatch] = {}
    for match in (*found.matches, *found.tied, *found.nearest, *catalog.rank(row.query, DEPTH)):
        ranked.setdefault(match.id, match)
    return LookedUp(frozenset(row.gold), tuple(match.id for match in found.matches), tuple(ranked.values()))


def _metrics(results: Sequence[Scored[Lookup, LookedUp]]) -> dict[str, Metric]:
    every = [result.found for result in results]
    named = [found for found in every if found.gold]
    return {
        "hit@1": mean_metric([hit(found.relevant, 1) for found in named]),
        "hit@5": mean_metric([hit(found.relevant, 5) for found in named]),
        "mrr": mean_metric([reciprocal_rank(found.relevant) for found in named]),
        "accept_precision": mean_metric([not found.invented for found in every if found.accepted]),
        "accept_recall": mean_metric([found.met for found in named]),
        "accept_f1": _accept_f1(every),
        "invented_rate": mean_metric([found.invented for found in every]),
        "missed_rate": mean_metric([not found.met for found in named]),
    }


def _accept_f1(results: Sequence[LookedUp]) -> Metric:
    """Harmonic mean of precision and recall of what is accepted, not a number where neither has a row."""
    accepted, pure, named, met = np.array(
        [
            (bool(found.accepted), bool(found.accepted) and not found.invented, bool(found.gold), found.met)
            for found in results
        ]
    ).T

    def f1(rows: Rows) -> float:
        precision, recall = _share(pure[rows], accepted[rows]), _share(met[rows], named[rows])
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    return statistic_metric(len(results), f1)


def _share(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
    return int(part.sum()) / int(whole.sum()) if whole.any() else math.nan


def _warnings(missing: Sequence[str]) -> list[str]:
    if not missing:
        return []
    said = f"{len(missing):,} gold products are not in the index and count as missed: {few(missing)}."
    return [f"{said} Was the index made from the products of these rows?"]


def _prediction(result: Scored[Lookup, LookedUp]) -> dict[str, Any]:
    row, found = result.row, result.found
    return {
        "id": row.id,
        "query": row.query,
        "accepted": list(found.accepted),
        "ranked": [{"id": match.id, "score": match.score, "method": match.method} for match in found.ranked[:SHOWN]],
        "gold": row.gold,
    }
