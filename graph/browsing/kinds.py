"""Kinds: the products that a request is about, by the kind, the category and the maker that it names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from textblob.en.inflect import pluralize

from graph.browsing.request import FRAME, BrowsingRequest
from graph.browsing.superlatives import Superlative
from graph.catalog.units import singular
from graph.language.lexicon import AUXILIARIES
from graph.language.terms import STOPWORDS, name_pattern, terms, words
from graph.rewriting.topics import category_heads, is_generic, is_kind, names_category
from ingestion.evidence import Product
from ingestion.stems import stem

_PAIR = 2
"""Of two products a comparative makes a table."""

Catalog = Mapping[str, Product]


@dataclass(frozen=True, slots=True)
class Scope:
    """The products that a request chooses among.

    Attributes:
        products: The products.
        called: What they are, in the plural: `tents`, `Samsung phones`; empty where the question names each of them, so
            that it compares rather than looks for some.
        nouns: Stems of the words that say what they are; none of them names a quality.
    """

    products: tuple[Product, ...]
    called: str
    nouns: frozenset[str]


def ranked_scope(superlative: Superlative, request: BrowsingRequest, catalog: Catalog) -> Scope | None:
    """The products named, else those of the kind, the category and the maker that a superlative ranges over.

    A question that names one product ranges over others only where it asks whether that one is it.
    """
    named = request.named
    if len(named) > (_PAIR if superlative.comparing else 1):
        nouns = frozenset(term for product in named for term in terms(product.name))
        return Scope(tuple(named), "", nouns)
    whether = next(iter(words(request.text)), "") in AUXILIARIES
    return None if superlative.comparing or (named and not whether) else kind_of(request, catalog)


def kind_of(request: BrowsingRequest, catalog: Catalog) -> Scope | None:
    """The products of the kind, the category and the maker that a question names; None where it names none."""
    pool = in_category(request, list(catalog.values()))
    noun, brand = _noun(request, pool), _brand(request, catalog)
    if not (request.category or brand or noun):
        return None
    kind = "" if is_generic(noun) else noun
    if kind:
        pool = _of_category(kind, pool) or _named_by(kind, pool)
    if brand:
        pool = [product for product in pool if (product.brand or "").casefold() == brand.casefold()]
    called = f"{brand} {_plural(kind) if kind else 'products'}".strip()
    which = request.which
    nouns = frozenset(stem(word) for word in words(f"{' '.join(request.category)} {noun} {brand}"))
    if which and stem(which[-1]) in nouns:
        called = " ".join((*which[:-1], _plural(which[-1])))
    return Scope(tuple(pool), called, nouns)


def in_category(request: BrowsingRequest, products: Sequence[Product]) -> list[Product]:
    """Those of the catalog path that a request names; all where it names none."""
    path = {part.casefold() for part in request.category}
    return [product for product in products if path <= {part.casefold() for part in product.category}]


def _noun(request: BrowsingRequest, products: Sequence[Product]) -> str:
    """The noun for what is chosen: that of "which phones", else one that names a category, else the phrase's head."""
    superlative = request.superlative
    heads = superlative.phrase[-1:] if superlative else ()
    spoken = [word for word in words(request.plain) if word not in STOPWORDS and stem(word) not in FRAME]

    categories = frozenset(head for product in products for head in category_heads(product.category))

    def is_told(word: str) -> bool:
        known = stem(word) not in FRAME and (names_category(word, categories) or _named_by(word, products))
        return is_generic(word) or bool(known)

    first = filter(is_told, request.which[-1:])
    named = (word for word in (*heads, *spoken) if stem(word) not in FRAME and names_category(word, categories))
    return next(chain(first, named, filter(is_told, heads)), "")


def _brand(request: BrowsingRequest, catalog: Catalog) -> str:
    """The maker whose name stands in a question, not in a product's name; the longest of several."""
    makers = {product.brand for product in catalog.values() if product.brand}
    text = request.text
    for product in request.named:
        text = text if product.name in makers else name_pattern(product.name).sub(" ", text)
    spoken = " ".join(word.replace("’", "'").removesuffix("'s") for word in words(text))
    found = [maker for maker in makers if f" {' '.join(words(maker))} " in f" {spoken} "]
    return max(found, key=len, default="")


def _named_by(noun: str, products: Sequence[Product]) -> list[Product]:
    """Those in whose name or aliases a noun stands."""
    wanted = singular(noun)
    near = (product for product in products if wanted in " ".join((product.name, *product.aliases)).casefold())
    return [product for product in near if is_kind(noun, product)]


def _of_category(noun: str, products: Sequence[Product]) -> list[Product]:
    """Those whose category the noun names, if it names one: a phone case is no phone."""
    wanted = singular(noun)
    paths = {product.category for product in products if product.category}
    heads = {path for path in paths if wanted in category_heads(path)}
    heads = heads or {path for path in paths if names_category(noun, category_heads(path))}
    return [product for product in products if product.category in heads]


def _plural(noun: str) -> str:
    return noun if singular(noun) != noun else str(pluralize(noun))
