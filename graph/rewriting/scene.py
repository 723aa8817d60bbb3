"""The scene: all by which a message is read, such as what was spoken of before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from graph.catalog import Mention
from graph.catalog.units import singular, units
from graph.discourse import Discourse, PastTurn
from graph.language.locale import table
from graph.turn import Role, User
from ingestion.evidence import Product

_STATED = re.compile(
    r"\b(?:i\s+am|i'm|im|as|i’m)\s+(?:(?:actually|just|only)\s+)?(?:a|the|an?\s+\w+)\s+(?P<role>seller|merchant|vendor|buyer|customer|shopper)\b"
    r"|\bi\s+(?P<verb>sell)\s+(?:on|with|through|here|things|my|in)\b",
    re.IGNORECASE,
)
_SELLERS = frozenset({"seller", "merchant", "vendor", "sell"})


def stated_role(query: str) -> Role | None:
    """The role a user gives themself ("I'm a seller"); None where they do not."""
    match = _STATED.search(query)
    if match is None:
        return None
    return "seller" if (match["role"] or match["verb"]).casefold() in _SELLERS else "buyer"


_GENERIC = frozenset("product item one thing model device article".split())
_MIN_SUFFIX = 4


def is_kind(noun: str, product: Product) -> bool:
    """Whether a noun names the kind of thing a product is: a word of its name, its category, or a synonym of one."""
    wanted = singular(noun)
    if is_generic(wanted):
        return True
    names = {unit.text for text in (product.name, *product.aliases) for unit in units(text)}
    heads = {cut[-1].text for cut in map(units, product.category) if cut}
    if wanted in names | heads or not _synonyms().get(wanted, frozenset()).isdisjoint(names | heads):
        return True
    return len(wanted) >= _MIN_SUFFIX and any(head.endswith(wanted) for head in heads)


def is_generic(noun: str) -> bool:
    """Whether a noun fits any product."""
    return singular(noun) in _GENERIC


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, frozenset[str]]:
    raw = table("kinds")
    groups = [frozenset(singular(word) for word in group) for group in raw["synonyms"]]
    return {
        word: frozenset().union(*(group for group in groups if word in group)) for group in groups for word in group
    }


class NameFinder(Protocol):
    """Finds where a text names products or kinds of them."""

    def mentions(self, text: str, context: Sequence[str] = ()) -> list[Mention]:
        """Mentions in order; `context` are ids of products at hand, nearest first."""
        ...

    def category(self, text: str) -> tuple[str, ...]:
        """The catalog path that a text names; empty for none."""
        ...

    def line(self, product_id: str) -> list[str]:
        """Ids of the products of a product's line, itself first."""
        ...

    def holds(self, word: str) -> bool:
        """Whether some product's name holds a folded word."""
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What a thread and the open page offer to refer to.

    Attributes:
        discourse: What the thread remembers.
        user: Who asks, and what page is open.
        products: The catalog by id.
        names: Finds product names.
    """

    discourse: Discourse
    user: User
    products: Mapping[str, Product]
    names: NameFinder

    @property
    def page(self) -> Product | None:
        """The product whose page is open."""
        return self.products.get(self.user.page.product_id or "")

    @property
    def focus(self) -> list[Product]:
        """The products spoken of last; before any was, the open page's."""
        spoken = self._known(self.discourse.focus)
        return spoken or ([self.page] if self.page else [])

    @property
    def listed(self) -> list[Product]:
        """The products on show, in order: the last list, or the open browse page."""
        return self._known(self.discourse.listed) or self._known(self.user.page.products)

    @property
    def at_hand(self) -> list[str]:
        """Ids of all products a name may mean before others, nearest first."""
        page = [self.user.page.product_id] if self.user.page.product_id else self.user.page.products
        return list(dict.fromkeys([*self.discourse.focus, *page, *self.discourse.listed, *self.discourse.mentioned]))

    @property
    def last_two(self) -> list[Product]:
        """The two products spoken of or shown last, in that order; fewer where there were fewer."""
        return self._known(self.discourse.mentioned)[:2][::-1]

    @property
    def line(self) -> list[Product]:
        """The line of the one product spoken of."""
        return self._known(self.names.line(self.focus[0].id)) if len(self.focus) == 1 else []

    @property
    def strayed(self) -> bool:
        """Whether the last turn was about no product: "it" is then what that turn was about."""
        last = self.previous
        return last is not None and not last.products and last.outcome in {"clear", "no_answer", "ambiguous"}

    @property
    def previous(self) -> PastTurn | None:
        """The last turn."""
        return self.discourse.turns[-1] if self.discourse.turns else None

    def mentions(self, text: str) -> list[Mention]:
        """Where a text names products."""
        return self.names.mentions(text, self.at_hand)

    def of_kind(self, noun: str) -> list[Product]:
        """Products of the thread that a noun such as "tent" fits, nearest first."""
        recent = [*self.focus, *([self.page] if self.page else []), *self._known(self.discourse.mentioned)]
        return [product for product in {product.id: product for product in recent}.values() if is_kind(noun, product)]

    def owned(self, noun: str) -> list[Product]:
        """Products the user owns that a noun such as "tent" fits."""
        return [product for product in self._known(self.user.owned) if is_kind(noun, product)]

    def _known(self, ids: Sequence[str]) -> list[Product]:
        return [self.products[key] for key in ids if key in self.products]
