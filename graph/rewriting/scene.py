"""The scene: all by which a message is read, such as what was spoken of before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph.catalog import LocalCatalog, Mention
from graph.catalog.units import singular, synonyms_of, units
from graph.discourse import Discourse, PastTurn
from graph.language.families import family_of
from graph.language.lexicon import ARTICLES, AUXILIARIES, PREPOSITIONS
from graph.language.locale import table
from graph.language.terms import stems, words, words_of
from graph.turn import Role, User
from ingestion.evidence import Product
from ingestion.stems import stem

_SAID = {name: frozenset(said.split()) for name, said in table("topics").items()}
_STEMS = {name: frozenset(map(stem, said)) for name, said in _SAID.items()}
_SHOP, _SERVICE = _STEMS["shop"], _STEMS["service"]
_QUALITY = _STEMS["quality"]
QUALITIES = _QUALITY | _STEMS["opinion"]
"""Stems by which a price or an opinion is asked for."""
_BROWSING, _SELLING, _AT_HAND = _SAID["browsing"], _SAID["selling"], _SAID["at_hand"]
_SHOP_SUBJECTS, _GENERIC = _SAID["shop_subjects"], _SAID["generic"]
_LEAST_SUFFIX = 4


def about_shop(text: str) -> bool:
    """Whether a question concerns the shop, whatever product was spoken of before."""
    found = stems(text)
    if _SHOP & found:
        return True
    # An auxiliary makes it a sentence, as far as closed classes tell.
    complete = not AUXILIARIES.isdisjoint(word.base for word in words_of(text))
    return bool(_SERVICE & found) and (complete or not _SHOP_SUBJECTS.isdisjoint(words(text)))


def is_browsing(text: str) -> bool:
    """Whether a question asks to be shown products."""
    spoken = set(words(text))
    offers = "you" in spoken and not _AT_HAND & spoken
    has = offers and (_SELLING & spoken or ("have" in spoken and not _QUALITY & stems(text)))
    return bool(_BROWSING & spoken or has)


def about_quality(text: str, product: Product) -> bool:
    """Whether a question asks for something products have: an attribute, a price, an opinion."""
    families = filter(None, map(family_of, product.attributes))
    return about_named_quality(text, product) or any(stems(text) & family.stems for family in families)


def about_named_quality(text: str, product: Product) -> bool:
    """Whether a question names an attribute by its own name, a price or an opinion; stricter than `about_quality`."""
    return bool(stems(text) & QUALITIES.union(*map(stems, product.attributes)))


def is_kind(noun: str, product: Product) -> bool:
    """Whether a noun names the kind of thing a product is: a word of its name, its category, or a synonym of one."""
    names = frozenset(unit.text for name in (product.name, *product.aliases) for unit in units(name))
    return _names_one(singular(noun), names) or names_category(noun, category_heads(product.category))


def names_category(noun: str, heads: frozenset[str]) -> bool:
    """Whether a noun is the last word of a catalog path's level, one that such a word ends in, or a synonym."""
    wanted = singular(noun)
    ends = len(wanted) >= _LEAST_SUFFIX and any(head.endswith(wanted) for head in heads)
    return ends or wanted in _GENERIC or _names_one(wanted, heads)


def of_category(noun: str, products: Iterable[Product]) -> list[Product]:
    """Those whose category a noun names, if it names one: a phone case is no phone."""
    paths: dict[tuple[str, ...], list[Product]] = {}
    for product in products:
        if product.category:
            paths.setdefault(product.category, []).append(product)
    wanted = singular(noun)
    heads = [path for path in paths if wanted in category_heads(path)]
    heads = heads or [path for path in paths if names_category(noun, category_heads(path))]
    return [product for path in heads for product in paths[path]]


def _names_one(wanted: str, known: frozenset[str]) -> bool:
    return wanted in known or not synonyms_of(wanted).isdisjoint(known)


@lru_cache(maxsize=4096)
def category_heads(category: tuple[str, ...]) -> frozenset[str]:
    """The last word of each level of a catalog path, in the singular."""
    return frozenset(cut[-1].text for cut in map(units, category) if cut)


def is_generic(noun: str) -> bool:
    """Whether a noun fits any product."""
    return singular(noun) in _GENERIC


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
