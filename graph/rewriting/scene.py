"""The scene: all by which a message is read, such as what was spoken of before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.catalog import LocalCatalog, Mention
from graph.discourse import Discourse, PastTurn
from graph.language.lexicon import ARTICLES, PREPOSITIONS
from graph.language.terms import words_of
from graph.rewriting.topics import is_kind
from graph.turn import Role, User
from ingestion.evidence import Product

ROLE_NOUNS: Mapping[str, Role] = {
    "buyer": "buyer",
    "customer": "buyer",
    "shopper": "buyer",
    "purchaser": "buyer",
    "seller": "seller",
    "merchant": "seller",
    "vendor": "seller",
}
_STATING = frozenset({"am", "i'm", "im", "as"})
_MOST_LEFT_OPEN = 3
"""Products of a question back that are spoken of together where the reply chooses none."""
_STATED_WITHIN = 4
"""Words before a noun in which a role is stated: "as a", "I'm actually a small"."""


def stated_role(query: str) -> Role | None:
    """The role a user gives themself ("I'm a seller"); None where they do not."""
    words = [word.text for word in words_of(query)]
    for index, word in enumerate(words):
        before = set(words[max(0, index - _STATED_WITHIN) : index])
        if word in ROLE_NOUNS and before & _STATING and before & ARTICLES and not before & PREPOSITIONS - _STATING:
            return ROLE_NOUNS[word]
    return None


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
    names: LocalCatalog

    @property
    def page(self) -> Product | None:
        """The product whose page is open."""
        return self.products.get(self.user.page.product_id or "")

    @property
    def focus(self) -> list[Product]:
        """The products spoken of last, or between which a question back left it open; else the open page's."""
        waiting = self.discourse.pending
        asked = self._known([*waiting.options.values()]) if waiting and waiting.kind == "product" else []
        spoken = asked if 1 < len(asked) <= _MOST_LEFT_OPEN else self._known(self.discourse.focus)
        return spoken or ([self.page] if self.page else [])

    @property
    def at_hand(self) -> Product | None:
        """The one product that a question may be about without naming it."""
        return self.focus[0] if len(self.focus) == 1 else None

    @property
    def listed(self) -> list[Product]:
        """The products on show, in order: the last list, or the open browse page."""
        return self._known(self.discourse.listed) or self._known(self.user.page.products)

    @property
    def near(self) -> list[str]:
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
        return self._known(self.names.line(self.at_hand.id)) if self.at_hand else []

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
        return self.names.mentions(text, self.near)

    def of_kind(self, noun: str) -> list[Product]:
        """Products of the thread that a noun such as "tent" fits, nearest first."""
        recent = [*self.focus, *([self.page] if self.page else []), *self._known(self.discourse.mentioned)]
        return [product for product in {product.id: product for product in recent}.values() if is_kind(noun, product)]

    def owned(self, noun: str) -> list[Product]:
        """Products the user owns that a noun such as "tent" fits."""
        return [product for product in self._known(self.user.owned) if is_kind(noun, product)]

    def _known(self, ids: Sequence[str]) -> list[Product]:
        return [self.products[key] for key in ids if key in self.products]
