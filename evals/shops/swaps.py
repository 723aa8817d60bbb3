"""Swaps: true sentences of a shop, and the same with one thing changed."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.shops import read_folder
from graph.language.quantities import NUMBER_WORDS, quantities
from graph.language.sentences import state
from graph.language.wording import read
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans

_FIGURE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]*\d)")
_SAY = re.compile(r"\b(is|are|was|were|can|will|could|should|must|may)\b(?! not)(?!n't)", re.IGNORECASE)
_DENY = re.compile(r"\b(is|are|was|were|can|will|does|do|did|could|should|must) ?not\b|\b(\w+)n['’]t\b", re.IGNORECASE)
_HAVE = re.compile(r"\b(has|includes|supports|fits|contains|comes|works|needs|holds|runs)\b")
_BASES = {"has": "have"}
_ALIKE = (
    "g kg mg lb oz lbs pounds ounces grams kilograms",
    "mm cm m km inches inch feet ft metres meters miles centimeters",
    "ml l litres liters gallons oz",
    "hours minutes seconds days weeks months years",
    "hour minute second day week month year",
    "w kw v mah wh watts volts amps",
    "gb tb mb",
    "hz khz mhz ghz",
    "percent dollars euros",
)
_NAMES = "Larch Osprey Delmar Quill Harrow Zephyr Nimbus Tavira Corvid Maple".split()
_EXTENSIONS = "Pro Plus Max Mini Lite".split()


def swaps(claim: str, source: random.Random) -> dict[str, str]:
    """False neighbours of a true sentence, by what was changed; only those that can be made of it."""
    made = {name: change(claim, source) for name, change in _CHANGES.items()}
    return {name: text for name, text in made.items() if text is not None and text != claim}


def _other_figure(claim: str, source: random.Random) -> str | None:
    places = [(one.span(), one[0]) for one in _FIGURE.finditer(claim)]
    if not places:
        words = [(one.span(), one[0]) for one in re.finditer(r"[a-z]+", claim) if one[0] in NUMBER_WORDS]
        if not words:
            return None
        span, _ = source.choice(words)
        others = [word for word in NUMBER_WORDS if word != claim[slice(*span)]]
        return _replaced(claim, span, source.choice(others))
    span, figure = source.choice(places)
    return _replaced(claim, span, _other_digit(figure, source))


def _other_digit(figure: str, source: random.Random) -> str:
    """A figure with one of its digits changed, never into the same one, never with a leading nought."""
    places = [place for place, character in enumerate(figure) if character.isdigit()]
    place = source.choice(places)
    others = [digit for digit in "123456789" if digit != figure[place]]
    return _replaced(figure, (place, place + 1), source.choice(others))


def _other_unit(claim: str, source: random.Random) -> str | None:
    found = []
    for one in re.finditer(r"(?<=\d)[\s-]?([A-Za-z]+)\b", claim):
        alike = [group.split() for group in _ALIKE if one[1].lower() in group.split()]
        found += [(one.span(1), unit) for unit in (alike[0] if alike else []) if not _same_unit(unit, one[1])]
    if not found:
        return None
    span, unit = source.choice(found)
    return _replaced(claim, span, unit)


def _same_unit(one: str, other: str) -> bool:
    first, second = (quantities(f"1 {word}")[0].quantity.unit for word in (one, other))
    return first == second


def _denied(claim: str, _: random.Random) -> str | None:
    """The sentence with a "not" more, or without the one it has."""
    if found := _DENY.search(claim):
        verb = found[1] or found[2]
        return None if verb in {"ca", "wo"} else _replaced(claim, found.span(), verb)
    if found := _SAY.search(claim):
        return _replaced(claim, found.span(), f"{found[0]} not")
    if found := _HAVE.search(claim):
        return _replaced(claim, found.span(), f"does not {_BASES.get(found[0], found[0].removesuffix('s'))}")
    return None


def _other_name(claim: str, source: random.Random) -> str | None:
    runs = [run for run in read(claim).names if not run[0].text[0].isdigit()]
    if not runs:
        return None
    run = source.choice(runs)
    if source.random() < 0.5:  # noqa: PLR2004 - as often the one as the other
        return _replaced(claim, (run[-1].end, run[-1].end), f" {source.choice(_EXTENSIONS)}")
    others = [name for name in _NAMES if name.casefold() != run[0].text]
    return _replaced(claim, (run[0].start, run[0].end), source.choice(others))


def _replaced(text: str, span: Sequence[int], by: str) -> str:
    return f"{text[: span[0]]}{by}{text[span[1] :]}"


_CHANGES: Mapping[str, Callable[[str, random.Random], str | None]] = {
    "number": _other_figure,
    "unit": _other_unit,
    "negation": _denied,
    "name": _other_name,
}


RULES = frozenset(
    """warranty return_policy delivery exchange payment offer stock authenticity checkout size_chart feature
    description""".split()
)
"""Kinds of evidence whose sentences are true as they stand."""
TRUE = "true"
PRODUCT = "product"
_UNSPOKEN = frozenset({"Price", "Brand", "Category"})
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Swap:
    """A sentence beside its evidence.

    Attributes:
        claim: The sentence.
        evidence: What it cites, title first.
        kind: `true`, or what was changed: `number`, `unit`, `negation`, `product`.
    """

    claim: str
    evidence: tuple[str, ...]
    kind: str

    @property
    def label(self) -> bool:
        """Whether the evidence supports it."""
        return self.kind == TRUE


def swapped_shop(products: Mapping[str, Product], facts: Sequence[Evidence], seed: int = 11) -> list[Swap]:
    """Make true sentences and their swaps.

    Args:
        products: The catalog by id.
        facts: Evidence whose sentences are true as they stand.
        seed: Other seeds change other things.

    Returns:
        The same for the same shop and seed.
    """
    source = random.Random(seed)  # noqa: S311 - reproducible, no secret
    return [*_of_products(products, source), *_of_facts(facts, products, source)]


def swaps_of_shop(folder: Path, seed: int = 11) -> list[Swap]:
    """Read a shop's files and make true sentences and their swaps."""
    shop = read_folder(folder)
    return swapped_shop(shop.products, [one for one in shop.evidence if one.source_type in RULES], seed)


def support_rows(swapped: Sequence[Swap]) -> list[dict[str, Any]]:
    """The same as rows of `footnote eval support`; the group is what was changed."""
    return [
        {"id": f"swap-{place}", "claim": one.claim, "evidence": one.evidence, "label": one.label, "group": one.kind}
        for place, one in enumerate(swapped)
    ]


def _of_products(products: Mapping[str, Product], source: random.Random) -> Iterator[Swap]:
    for product in products.values():
        strangers = [other.name for other in products.values() if other.id != product.id]
        siblings = [
            other.name for other in products.values() if other.id != product.id and other.category == product.category
        ]
        for attribute, value in product.attributes.items():
            if attribute in _UNSPOKEN:
                continue
            evidence = (f"{product.name} specifications\n{attribute}: {value}",)
            yield Swap(state(product.name, attribute, value), evidence, TRUE)
            yield from _changed(state(product.name, attribute, value), evidence, source)
            for name in (source.choice(group) for group in (strangers, siblings) if group):
                yield Swap(state(name, attribute, value), evidence, PRODUCT)


def _of_facts(facts: Sequence[Evidence], products: Mapping[str, Product], source: random.Random) -> Iterator[Swap]:
    for fact in facts:
        title = fact.title
        for start, end in sentence_spans(fact.text):
            said = fact.text[start:end]
            if len(said) > _LONGEST or not said.endswith("."):
                continue
            evidence = (f"{title}\n{said}",)
            yield Swap(said, evidence, TRUE)
            yield from _changed(said, evidence, source)
            own = products[fact.product_id].name if fact.product_id and fact.product_id in products else None
            if own and own in said:
                name = source.choice([other.name for other in products.values() if other.name != own])
                yield Swap(said.replace(own, name), evidence, PRODUCT)


def _changed(claim: str, evidence: tuple[str, ...], source: random.Random) -> Iterator[Swap]:
    for kind, text in swaps(claim, source).items():
        if kind != "name":  # a name the shop does not sell; wrong products are its own
            yield Swap(text, evidence, kind)
