"""A made-up catalog of any size, and texts that name its products in the ways in which people do."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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
