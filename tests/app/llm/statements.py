"""Statements on the small shop's products in a model's own words: right ones, and ones wrong in a known way."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

_FIGURE = re.compile(r"\d+(?=[^\d]*$)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a model without its full stop, what it is about, and the kind of its wording or fault."""

    kind: str
    product: str
    text: str
    source: str

    @property
    def written(self) -> str:
        """The sentence as a model writes it."""
        return f"{self.text} [{self.source}]."


def right(shop: Path, count: int) -> list[Statement]:
    """Sentences that the specifications bear out."""
    return list(islice(_alternately([_by_kind(_right(one)) for one in _products(shop)]), count))


def wrong(shop: Path, count: int) -> list[Statement]:
    """Sentences that nothing bears out."""
    products = _products(shop)
    made = [_by_kind(_wrong(one, other)) for one, other in zip(products, [*products[1:], products[0]], strict=True)]
    return list(islice(_alternately(made), count))


def reported(shop: Path) -> list[Statement]:
    """What sellers and customers say of a product, in their words; none that gives orders or is marked up."""
    names = {str(product["id"]): str(product["name"]) for product in _products(shop)}
    told = [
        Statement("description", str(one["name"]), f"The seller says: {sentence}", f"description:{one['id']}")
        for one in _products(shop)
        for sentence in _sentences(one.get("description"))
    ]
    reviews = [json.loads(line) for line in (shop / "reviews.jsonl").read_text().splitlines()]
    told += [
        Statement("review", names[one["product_id"]], f"A customer says: {sentence}", f"review:{one['id']}")
        for one in reviews
        for sentence in _sentences(one["text"])
    ]
    return [one for one in told if not re.search(r"[<*]|(?i:ignore)", one.text)]


def _sentences(text: object) -> list[str]:
    return [one.rstrip(".!") for one in re.split(r"(?<=[.!])\s+", str(text or "")) if one]


def _right(product: dict[str, object]) -> Iterator[Statement]:
    name, source, figures, flags = _told(product)
    for attribute, value in figures:
        yield Statement("of", name, f"The {attribute} of the {name} is {value}", source)
        yield Statement("has", name, f"The {name} has a {attribute} of {value}", source)
        yield Statement("no article", name, f"{name} has {attribute} of {value}", source)
        yield Statement("name in front", name, f"For the {name}, the {attribute} is {value}", source)
    for (one, value), (other, second) in pairwise(figures):
        yield Statement("joined", name, f"The {name} has a {one} of {value} and a {other} of {second}", source)
    for attribute, has in flags:
        yield Statement("flag", name, f"The {name} {'has' if has else 'does not have'} {attribute}", source)


def _wrong(product: dict[str, object], other: dict[str, object]) -> Iterator[Statement]:
    name, source, figures, flags = _told(product)
    strange, others = str(other["name"]), dict(_told(other)[2])
    for attribute, value in figures:
        changed = _FIGURE.sub(lambda found: str(int(found[0]) + 3), value)
        if changed != value:
            yield Statement("figure", name, f"The {attribute} of the {name} is {changed}", source)
        if others.get(attribute) != value:
            yield Statement("product", name, f"The {attribute} of the {strange} is {value}", source)
        yield Statement("negated", name, f"The {attribute} of the {name} is not {value}", source)
        yield Statement("added", name, f"The {attribute} of the {name} is {value}, the best of its class", source)
    for (one, value), (second, another) in pairwise(figures):
        yield Statement("mixed", name, f"The {name} has a {one} of {another} and a {second} of {value}", source)
    for attribute, has in flags:
        yield Statement("flag", name, f"The {name} {'does not have' if has else 'has'} {attribute}", source)
    yield Statement("invented", name, f"The {name} comes with a free lamp", source)


def _told(product: dict[str, object]) -> tuple[str, str, Sequence[tuple[str, str]], Sequence[tuple[str, bool]]]:
    """Name, source, attributes with a value, and those that are there or not."""
    stated = product["attributes"]
    assert isinstance(stated, dict)
    figures = [(name.lower(), value) for name, value in stated.items() if value not in ("Yes", "No")]
    flags = [(name.lower(), value == "Yes") for name, value in stated.items() if value in ("Yes", "No")]
    named = [(name, has) for name, has in flags if name in ("wireless charging", "headphone jack", "noise cancelling")]
    return str(product["name"]), f"spec:{product['id']}", figures, named


def _products(shop: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (shop / "products.jsonl").read_text().splitlines()]


def _by_kind(statements: Iterator[Statement]) -> Iterator[Statement]:
    """Each kind in turn."""
    kinds: dict[str, list[Statement]] = {}
    for statement in statements:
        kinds.setdefault(statement.kind, []).append(statement)
    return _alternately([iter(kind) for kind in kinds.values()])


def _alternately(series: Sequence[Iterator[Statement]]) -> Iterator[Statement]:
    """One of each in turn."""
    left = list(series)
    while left:
        for one in list(left):
            if (statement := next(one, None)) is None:
                left.remove(one)
            else:
                yield statement
