"""Catalog search: whether the product that a text means is found, and no other taken for it.

`hit@k` and `mrr` are over the rows with gold and over the ranking of all candidates: what was accepted, then what a tie
offers, then what is near. The other figures are about what is accepted, at the shipped threshold:

* `accept_precision`: share of the rows with something accepted where nothing else than gold is;
* `accept_recall`: share of the rows with gold where a gold product is accepted; `accept_f1` is of the two;
* `invented_rate`: share of all rows where a product is accepted that is not gold;
* `missed_rate`: share of the rows with gold where no gold product is accepted.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from app.settings import index_path
from evals.metrics.information_retrieval import hit, reciprocal_rank
from evals.report import Evaluation, Metric, Rows, mean_metric, statistic_metric
from evals.rows.reading import NoIndexError, Request, Row, read_rows
from evals.rows.scoring import Scored, run_rows
from graph.catalog import LocalCatalog
from graph.state import CatalogResult
from graph.turn import ProductMatch
from ingestion.evidence import Product

DEPTH = 50
"""Candidates that are ranked."""
SHOWN = 10
"""Candidates that a prediction lists."""
NAMED_IDS = 5
"""Missing products that a warning names."""


class Lookup(Row):
    """A name or a whole question, and the products it means; empty where none is sold here."""

    id: str
    query: str
    gold: list[str]


class Catalog(Protocol):
    """A catalog as this evaluation sees it."""

    @property
    def generation(self) -> str:
        """Name of the generation that is searched."""
        ...

    def __contains__(self, product_id: str) -> bool:
        """Whether a product is sold here."""
        ...

    def find(self, query: str) -> CatalogResult:
        """What a turn would make of the text."""
        ...

    def rank(self, query: str, limit: int) -> list[ProductMatch]:
        """The products whose names are likest to the text, best first."""
        ...


OpenCatalog = Callable[[str], AbstractContextManager[Catalog]]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What a text was taken for.

    Attributes:
        row: The text.
        accepted: Ids of the products it was taken to mean; a tie is none.
        ranked: Candidates with their scores, best first, what was accepted before all others.
    """

    row: Lookup
    accepted: tuple[str, ...]
    ranked: tuple[ProductMatch, ...]

    @property
    def relevant(self) -> list[bool]:
        """Whether each candidate, best first, is meant."""
        return [match.id in self.row.gold for match in self.ranked]

    @property
    def invented(self) -> bool:
        """Whether a product was accepted that is not meant."""
        return not set(self.accepted) <= set(self.row.gold)

    @property
    def met(self) -> bool:
        """Whether a product that is meant was accepted."""
        return not set(self.accepted).isdisjoint(self.row.gold)


class ShippedCatalog:
    """The catalog search that ships, over the products of an index."""

    def __init__(self, products: Mapping[str, Product], generation: str) -> None:
        self.generation = generation
        self._products = products
        self._catalog = LocalCatalog(products)

    def __contains__(self, product_id: str) -> bool:
        """Whether a product is sold here."""
        return product_id in self._products

    def find(self, query: str) -> CatalogResult:
        """What a turn would make of the text, as the first of its conversation."""
        return self._catalog.find(query, (), ())

    def rank(self, query: str, limit: int) -> list[ProductMatch]:
        """The products whose names are likest to the text, best first."""
        return self._catalog.rank(query, limit)


@contextmanager
def open_catalog(name: str) -> Iterator[Catalog]:
    """The catalog of a built index.

    Raises:
        KnowledgeError: The index is missing or damaged.
    """
    from ingestion.knowledge import open_knowledge  # noqa: PLC0415 - heavy

    knowledge = open_knowledge(index_path(name))
    try:
        yield ShippedCatalog(knowledge.products, knowledge.generation)
    finally:
        knowledge.close()


def evaluate(request: Request, open_index: OpenCatalog = open_catalog) -> Evaluation:
    """Look each text up, and compare what is ranked and what is accepted with its gold.

    A gold product that the index does not have cannot be found: it counts as missed, and a warning names it.

    Raises:
        NoIndexError: No index is named.
        InputError: The rows cannot be used.
        KnowledgeError: The index cannot be opened.
    """
    if request.index is None:
        raise NoIndexError(component="catalog")
    rows = read_rows(request.data, Lookup, request.split)
    opens = open_index(request.index)
    with ExitStack() as opened:
        found = run_rows(rows, lambda: opened.enter_context(opens), lambda catalog, row: catalog.find(row.query))
        catalog = found.part
        run = found.then(partial(_looked_up, catalog))
        missing = list(dict.fromkeys(key for row in rows for key in row.gold if key not in catalog))
        return run.evaluation(
            "catalog", request, _metrics, _prediction, warnings=_warnings(missing), generation=catalog.generation
        )


def _looked_up(catalog: Catalog, row: Lookup, found: CatalogResult) -> LookedUp:
    ranked: dict[str, ProductMatch] = {}
    for match in (*found.matches, *found.tied, *found.nearest, *catalog.rank(row.query, DEPTH)):
        ranked.setdefault(match.id, match)
    return LookedUp(row, tuple(match.id for match in found.matches), tuple(ranked.values()))


def _metrics(results: Sequence[Scored[Lookup, LookedUp]]) -> dict[str, Metric]:
    every = [result.found for result in results]
    named = [found for found in every if found.row.gold]
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
            (bool(found.accepted), bool(found.accepted) and not found.invented, bool(found.row.gold), found.met)
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
    named = ", ".join(missing[:NAMED_IDS]) + (", ..." if len(missing) > NAMED_IDS else "")
    said = f"{len(missing):,} gold products are not in the index and count as missed: {named}."
    return [f"{said} Was the index made from the products of these rows?"]


def _prediction(result: Scored[Lookup, LookedUp]) -> dict[str, Any]:
    found = result.found
    return {
        "id": found.row.id,
        "query": found.row.query,
        "accepted": list(found.accepted),
        "ranked": [{"id": match.id, "score": match.score, "method": match.method} for match in found.ranked[:SHOWN]],
        "gold": found.row.gold,
    }
