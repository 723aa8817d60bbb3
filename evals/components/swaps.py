"""Swaps: whether the verifier tells a shop's true sentences from the same with one thing changed."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from evals.components.support import Claimed, Judged, Verify, judge, load_verifier, prediction
from evals.report import Evaluation, Metric, mean_metric, run_rows
from evals.rows.reading import MissingDataError, NoSplitError, Request
from evals.shops import ShopData, read_folder
from graph.language.quantities import NUMBER_WORDS, quantities
from graph.language.sentences import state
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

RULES = frozenset(
    """warranty return_policy delivery exchange payment offer stock authenticity checkout size_chart feature
    description""".split()
)
"""Kinds of evidence whose sentences are true as they stand."""
TRUE, PRODUCT = "true", "product"
"""What a claim's group is called that is true, and one that says of another product what is true of this one."""
_UNSPOKEN = frozenset({"Price", "Brand", "Category"})
_LONGEST = 200


def evaluate(request: Request, load: Callable[[], Verify] = load_verifier) -> Evaluation:
    """Make sentences from a shop's files and verify each, at the threshold that ships.

    `caught` is the share of changed sentences that are rejected, of all and of each kind; `wrongly_rejected` that of
    true ones.

    Raises:
        MissingDataError: There is no such shop.
        NoSplitError: A split was asked for.
    """
    if request.split is not None:
        raise NoSplitError(component="swaps")
    if not request.data.exists():
        raise MissingDataError(request.data)
    return run_rows(swaps_of_shop(request.data), load, judge).evaluation("swaps", request.data, _metrics, prediction)


def _metrics(results: Sequence[Judged]) -> dict[str, Metric]:
    true = [result for result in results if result.row.group == TRUE]
    changed = [result for result in results if result.row.group != TRUE]
    metrics = {"caught": _rejected(changed), "wrongly_rejected": _rejected(true)}
    for kind in sorted({result.row.group or "" for result in changed}):
        metrics[f"group.{kind}.caught"] = _rejected([result for result in changed if result.row.group == kind])
    return metrics


def _rejected(results: Sequence[Judged]) -> Metric:
    return mean_metric([not result.found.accepted for result in results])


def swaps_of_shop(folder: Path, seed: int = 11) -> list[Claimed]:
    """Read a shop's files, and make true sentences and their swaps.

    Args:
        folder: The shop.
        seed: Other seeds change other things.

    Returns:
        Claims whose group is `true`, or what was changed; the same for the same shop and seed.
    """
    source, shop = random.Random(seed), read_folder(folder)  # noqa: S311 - reproducible, no secret
    made = [*_of_products(shop, source), *_of_facts(shop, source)]
    return [
        Claimed(id=f"swap-{place}", claim=claim, evidence=[evidence], label=kind == TRUE, group=kind)
        for place, (claim, evidence, kind) in enumerate(made)
    ]


_Swap = tuple[str, str, str]
"""A sentence, the evidence that it cites, title first, and its group."""


def _of_products(shop: ShopData, source: random.Random) -> Iterator[_Swap]:
    for product in shop.products.values():
        others = [other for other in shop.products.values() if other.id != product.id]
        strangers = [other.name for other in others]
        siblings = [other.name for other in others if other.category == product.category]
        for attribute, value in product.attributes.items():
            if attribute in _UNSPOKEN:
                continue
            evidence = f"{product.name} specifications\n{attribute}: {value}"
            yield from _with_changes(state(product.name, attribute, value), evidence, source)
            for name in (source.choice(group) for group in (strangers, siblings) if group):
                yield state(name, attribute, value), evidence, PRODUCT


def _of_facts(shop: ShopData, source: random.Random) -> Iterator[_Swap]:
    for fact in (one for one in shop.evidence if one.source_type in RULES):
        for start, end in sentence_spans(fact.text):
            said = fact.text[start:end]
            if len(said) > _LONGEST or not said.endswith("."):
                continue
            evidence = f"{fact.title}\n{said}"
            yield from _with_changes(said, evidence, source)
            product = shop.products.get(fact.product_id or "")
            if product and product.name in said:
                name = source.choice([other.name for other in shop.products.values() if other.id != product.id])
                yield said.replace(product.name, name), evidence, PRODUCT


def _with_changes(claim: str, evidence: str, source: random.Random) -> Iterator[_Swap]:
    yield claim, evidence, TRUE
    yield from ((text, evidence, kind) for kind, text in swaps(claim, source).items())


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


def _replaced(text: str, span: Sequence[int], by: str) -> str:
    return f"{text[: span[0]]}{by}{text[span[1] :]}"


_CHANGES: Mapping[str, Callable[[str, random.Random], str | None]] = {
    "number": _other_figure,
    "unit": _other_unit,
    "negation": _denied,
}
