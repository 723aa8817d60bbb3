"""How long it takes to find a product, as a catalog grows."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from pydantic import BaseModel
from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process
from rich.console import Console

from evals.benches.growth import resident_bytes, sizes_up_to
from evals.output import table_of
from evals.report import Latency, latency
from ingestion.evidence import Product

_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"
_KINDS = """kettle toaster blender tent stove lantern backpack jacket shoe phone laptop tablet monitor printer router
speaker headset charger lamp chair desk serum cream sunscreen watch camera drill saw mower bicycle helmet""".split()
_COLOURS = "black white red blue green silver grey brown".split()
_SIZES = "1l 2l 16gb 64gb 256gb 24inch 27inch 50cm 80cm 500g 750w 1200w".split()
_QUESTIONS = (
    "How heavy is the {}?",
    "does the {} come in green?",
    "Is the {} waterproof and can I return it?",
    "what do people say about the {}",
)
_PER_LINE = 20
"""Products of one line; a brand has fifty lines."""
_LINES = 50
_SHORTEST_MISTYPED = 5


@dataclass(frozen=True, slots=True)
class GeneratedQuery:
    """A text, how it names a product, and that product's id; None for a name that nobody sells."""

    text: str
    kind: str
    gold: str | None


def generated_catalog(products: int, seed: int = 0) -> dict[str, Product]:
    """Make products whose names join a brand, a line, a model number, a kind, a size and a colour."""
    source = random.Random(seed)  # noqa: S311 - not for secrets
    catalog: dict[str, Product] = {}
    brand = line = kind = ""
    for number in range(products):
        if number % (_PER_LINE * _LINES) == 0:
            brand = _word(source, 2).title()
        if number % _PER_LINE == 0:
            line, kind = _word(source, 3).title(), source.choice(_KINDS)
        model = f"{chr(65 + source.randrange(26))}{number % _PER_LINE + 1}{source.randrange(10)}"
        name = f"{brand} {line} {model} {kind} {source.choice(_SIZES)} {source.choice(_COLOURS)}"
        catalog[str(number)] = Product(id=str(number), name=name, brand=brand, category=("All", kind + "s"))
    return catalog


def generated_queries(catalog: Mapping[str, Product], number: int, seed: int = 1) -> list[GeneratedQuery]:
    """Texts about random products of a generated catalog, as many of each kind."""
    source = random.Random(seed)  # noqa: S311 - not for secrets
    keys = source.sample(list(catalog), min(number, len(catalog)))
    kinds = ("whole", "misspelt", "partial", "reordered", "question", "stranger")
    return [_query(source, catalog[key], kinds[i % len(kinds)]) for i, key in enumerate(keys)]


def _query(source: random.Random, product: Product, kind: str) -> GeneratedQuery:
    brand, line, model, *rest = product.name.split()
    if kind == "misspelt":
        text = " ".join([brand, _mistyped(source, line), model, *rest]).lower()
    elif kind == "partial":
        text = f"{brand} {line} {model}".lower()
    elif kind == "reordered":
        text = " ".join([*rest, model, line, "by", brand]).lower()
    elif kind == "question":
        text = source.choice(_QUESTIONS).format(f"{brand} {line} {model}")
    elif kind == "stranger":
        return GeneratedQuery(f"{_word(source, 2).title()} {_word(source, 4).title()} {model} {rest[0]}", kind, None)
    else:
        text = product.name.lower()
    return GeneratedQuery(text, kind, product.id)


def _mistyped(source: random.Random, word: str) -> str:
    """A word with two neighbouring letters swapped, not the first."""
    if len(word) < _SHORTEST_MISTYPED:
        return word
    at = source.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _word(source: random.Random, syllables: int) -> str:
    return "".join(_letters(source, syllables))


def _letters(source: random.Random, syllables: int) -> Iterator[str]:
    for _ in range(syllables):
        yield source.choice(_CONSONANTS)
        yield source.choice(_VOWELS)


_QUERIES = 300
_WARM_UP = 12
_MEGABYTE = 1_000_000

Find = Callable[[str], Sequence[str]]
"""A text's products."""


class Searched(BaseModel):
    """What a search made of the texts.

    Attributes:
        found: Share of the texts about a product that were taken to mean it and nothing else, by kind of text.
        hit: The same over all of them.
        invented: Share of the texts for which another product was accepted.
        latency: Milliseconds a text.
    """

    found: dict[str, float]
    hit: float
    invented: float
    latency: Latency


class CatalogSize(BaseModel):
    """A catalog of one size.

    Attributes:
        names: How many products it has.
        build_seconds: Reading all names, once when an index is opened.
        megabytes: Resident memory that this took, the products themselves not counted.
        ours: Catalog search.
        plain: The best by `token_set_ratio` over all names, which accepts whatever is best; at the smallest size only.
    """

    names: int
    build_seconds: float
    megabytes: float
    ours: Searched
    plain: Searched | None


class CatalogBenchmark(BaseModel):
    """How catalog search grows; one entry a size, smallest first."""

    queries: int
    sizes: list[CatalogSize]


def measure(names: int) -> CatalogBenchmark:
    """Make catalogs of ten thousand names and more, and look the same kinds of texts up in each."""
    sizes = []
    for size in sizes_up_to(names):
        # A process of its own, so that its memory is that of one catalog.
        with ProcessPoolExecutor(1, get_context("spawn")) as worker:
            sizes.append(worker.submit(measure_size, size, plain=size == sizes_up_to(names)[0]).result())
    return CatalogBenchmark(queries=_QUERIES, sizes=sizes)


def measure_size(names: int, *, plain: bool) -> CatalogSize:
    """Measure one size, the plain search too where asked."""
    from graph.catalog import LocalCatalog  # noqa: PLC0415 - so that a process starts fast

    products = generated_catalog(names)
    before, start = resident_bytes(), time.perf_counter()
    catalog = LocalCatalog(products)
    seconds, grown = time.perf_counter() - start, resident_bytes() - before
    queries = generated_queries(products, _QUERIES)
    return CatalogSize(
        names=names,
        build_seconds=round(seconds, 2),
        megabytes=round(grown / _MEGABYTE, 1),
        ours=_searched(queries, lambda text: [match.id for match in catalog.find(text, (), ()).matches]),
        plain=_searched(queries, _plain(products)) if plain else None,
    )


def print_benchmark(console: Console, result: CatalogBenchmark) -> None:
    """The figures as tables: speed and memory, then what was found."""
    columns = ("names", "search", "build s", "memory MB", "p50 ms", "p95 ms", "hit@1", "invented")
    console.print(table_of(columns, _rows(result), left=("search",)))
    shares = [(f"{size.names:,}", *(f"{one:.3f}" for one in size.ours.found.values())) for size in result.sizes]
    console.print(table_of(("hit@1", *result.sizes[0].ours.found), shares))
    console.print(f"{result.queries} texts a size", style="dim")


def _rows(result: CatalogBenchmark) -> list[tuple[str, ...]]:
    rows = []
    for size in result.sizes:
        costs = (f"{size.build_seconds:.1f}", f"{size.megabytes:.0f}")
        rows.append((f"{size.names:,}", "catalog", *costs, *_figures(size.ours)))
        if size.plain:
            rows.append((f"{size.names:,}", "plain", "", "", *_figures(size.plain)))
    return rows


def _figures(one: Searched) -> tuple[str, ...]:
    return f"{one.latency.p50:.1f}", f"{one.latency.p95:.1f}", f"{one.hit:.3f}", f"{one.invented:.3f}"


def _plain(products: Mapping[str, Product]) -> Find:
    """The likest of all names, each compared."""
    names = {key: default_process(product.name) for key, product in products.items()}

    def find(text: str) -> list[str]:
        best = process.extractOne(default_process(text), names, scorer=fuzz.token_set_ratio)
        return [best[2]] if best else []

    return find


def _searched(queries: Sequence[GeneratedQuery], find: Find) -> Searched:
    for query in queries[:_WARM_UP]:
        find(query.text)
    times, found = [], dict[str, list[bool]]()
    invented = 0
    for query in queries:
        start = time.perf_counter()
        accepted = find(query.text)
        times.append((time.perf_counter() - start) * 1000)
        invented += any(key != query.gold for key in accepted)
        if query.gold is not None:
            found.setdefault(query.kind, []).append(list(accepted) == [query.gold])
    everything = [one for right in found.values() for one in right]
    return Searched(
        found={kind: sum(right) / len(right) for kind, right in found.items()},
        hit=sum(everything) / len(everything),
        invented=invented / len(queries),
        latency=latency(times),
    )
