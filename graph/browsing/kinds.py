"""Kinds: the products that a request is about, by the kind, the category and the maker that it names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from textblob.en.inflect import pluralize

from graph.browsing.request import FRAME, BrowsingRequest
from graph.browsing.superlatives import Superlative
from graph.catalog.units import singular, units
from graph.language.lexicon import AUXILIARIES
from graph.language.terms import STOPWORDS, name_pattern, terms, words
from graph.rewriting.topics import category_heads, is_generic, is_kind, names_category
from ingestion.evidence import Product
from ingestion.stems import stem

_PAIR = 2
"""Of two products a comparative makes a table."""
_WHICH = frozenset({"which", "what"})

Catalog = Mapping[str, Product]


@dataclass(frozen=True, slots=True)
class Scope:
    """The products that a request chooses among.

    Attributes:
        products: The products.
        called: What they are, in the plural: `tents`, `Samsung phones`; empty where each is named.
        named: Whether the question names each of them, so that it compares rather than looks for some.
        nouns: Stems of the words that say what they are; none of them names a quality.
    """

    products: tuple[Product, ...]
    called: str
    named: bool
    nouns: frozenset[str]


def ranked_scope(superlative: Superlative, request: BrowsingRequest, catalog: Catalog) -> Scope | None:
    """The products named, else those of the kind, the category and the maker that a superlative ranges over."""
    named = request.named
    if len(named) > (_PAIR if superlative.comparing else 1):
        return _together(named, named=True)
    if superlative.comparing or (len(named) == 1 and not _may_be_kind(named[0], superlative, request, catalog)):
        return None
    found = kind_of(request, catalog)
    if found is None and request.listed and named and request.carries(named[0]):
        return _together(request.listed, named=False)
    return found


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
    which = which_words(request.text)
    nouns = frozenset(stem(word) for word in words(f"{' '.join(request.category)} {noun} {brand}"))
    if which and stem(which[-1]) in nouns:
        called = " ".join((*which[:-1], _plural(which[-1])))
    return Scope(tuple(pool), called, named=False, nouns=nouns)


def in_category(request: BrowsingRequest, products: Sequence[Product]) -> list[Product]:
    """Those of the catalog path that a request names; all where it names none."""
    path = {part.casefold() for part in request.category}
    return [product for product in products if path <= {part.casefold() for part in product.category}]


def kind_asked(request: BrowsingRequest, catalog: Catalog) -> Scope | None:
    """The products of the kind that a question names, also by the last word of their names."""
    found = kind_of(request, catalog)
    for noun in words(request.text) if found is None else ():
        if noun not in STOPWORDS and stem(noun) not in FRAME:
            holding = _named_by(noun, list(catalog.values()))
            headed = tuple(one for one in holding if units(one.name)[-1].text == singular(noun))
            if headed:
                return Scope(headed, _plural(noun), named=False, nouns=frozenset({stem(noun)}))
    return found


def which_words(query: str) -> tuple[str, ...]:
    """The words between "which" or "what" and the verb."""
    spoken = words(query)
    start = next((place for place, word in enumerate(spoken, 1) if word in _WHICH), len(spoken))
    end = next((place for place in range(start, len(spoken)) if spoken[place] in STOPWORDS), len(spoken))
    return tuple(spoken[start:end])


def _may_be_kind(named: Product, superlative: Superlative, request: BrowsingRequest, catalog: Catalog) -> bool:
    """Whether a question that one product is found in ranks several, and does not ask what that product comes with.

    It does where it asks whether that product is the one, where the product only stands for what was spoken of, and
    where its name is a word for a kind or for a maker ("sunglasses", "Apple's cheapest").
    """
    whether = next(iter(words(request.text)), "") in AUXILIARIES
    kind = {singular(word) for word in (*which_words(request.text), *superlative.phrase)}
    makers = {(product.brand or "").casefold() for product in catalog.values()}
    called = {unit.text for unit in units(named.name)}
    return whether or request.carries(named) or called <= kind or named.name.casefold() in makers


def _together(products: Sequence[Product], *, named: bool) -> Scope:
    """Products that are known one by one."""
    nouns = frozenset(term for product in products for term in terms(product.name))
    return Scope(tuple(products), "", named=named, nouns=nouns)


def _noun(request: BrowsingRequest, products: Sequence[Product]) -> str:
    """The noun for what is chosen: that of "which phones", else one that names a category, else the phrase's head."""
    superlative = request.wish.superlative
    heads = superlative.phrase[-1:] if superlative else ()
    spoken = [word for word in words(request.wish.plain) if word not in STOPWORDS and stem(word) not in FRAME]

    categories = frozenset(head for product in products for head in category_heads(product.category))

    def is_told(word: str) -> bool:
        known = stem(word) not in FRAME and (names_category(word, categories) or _named_by(word, products))
        return is_generic(word) or bool(known)

    first = filter(is_told, which_words(request.text)[-1:])
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
