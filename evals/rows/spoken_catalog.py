"""A catalog read off a conversation: the products that it names, where no shop stands behind it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile

from evals.rows.grammar import noun_phrases, tags
from evals.rows.passages import read_passage
from evals.rows.row import Message
from evals.rows.spoken_names import PRICE, SpokenName, is_model, names_in
from graph.language.lexicon import FUNCTION_WORDS
from graph.rewriting.fragments import fragment_of
from graph.rewriting.scene import is_kind
from graph.rewriting.topics import asks_shop, is_browsing, is_quality_word
from ingestion.evidence import Money, Product

_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "dollars": "USD", "euros": "EUR", "pounds": "GBP"}
_AMOUNT = re.compile(
    r"(?<!\d)(?<!\d\.)\d+(?:\.\d+)?[\s-]?(?P<unit>kg|g|lb|oz|mAh|inch|inches|L|litres?|hours?|W|cm|mm)\b"
)
_MEASURES = {
    **dict.fromkeys(("kg", "g", "lb", "oz"), "Weight"),
    **dict.fromkeys(("inch", "inches"), "Display"),
    **dict.fromkeys(("L", "litre", "litres"), "Capacity"),
    **dict.fromkeys(("hour", "hours"), "Battery life"),
    **dict.fromkeys(("cm", "mm"), "Length"),
    "mAh": "Battery",
    "W": "Power",
}
"""What a unit shows to be measured."""

_NO_DETERMINER = r"(?<!\b[Tt]he )(?<!\b[Yy]our )(?<!\b[Tt]his )(?<!\b[Tt]hat )"
_NO_KINDS = FUNCTION_WORDS | frozenset("week month year day time way order deal case".split())


@dataclass(frozen=True, slots=True)
class SpokenCatalog:
    """What a conversation sells.

    Attributes:
        products: Its products by id, which is their name.
        page: Id of the open page's product; None where it shows none.
        articled: Ids of those that are called with "the".
    """

    products: Mapping[str, Product]
    page: str | None = None
    articled: frozenset[str] = frozenset()

    def as_said(self, text: str) -> str:
        """A text with the products called as they are in the conversation."""
        for key in self.named_in(text):
            if key in self.articled:
                text = re.sub(rf"{_NO_DETERMINER}(?<!\w){re.escape(key)}", f"the {key}", text)
        return text[:1].upper() + text[1:] if text.startswith("the ") else text

    def named_in(self, text: str) -> list[str]:
        """Ids of the products that a text names in full, in its order."""
        places: dict[str, int] = {}
        for key in sorted(self.products, key=len, reverse=True):
            place = text.find(key)
            if place >= 0:
                places[key] = place
                text = text.replace(key, " " * len(key))
        return sorted(places, key=places.__getitem__)


@dataclass(frozen=True, slots=True)
class _Said:
    """A name in a message, who said it, and the kind of product that was searched for just before."""

    name: SpokenName
    by_user: bool
    kind: str | None


def read_catalog(history: Sequence[Message], query: str, context: Sequence[str]) -> SpokenCatalog | None:
    """The products of a conversation; None where it is no shop's.

    It is a shop's when user and answers speak of the same thing by name ("the Savanna rug"), or when at least half of
    what the user asks is what is asked of shops and a product is shown: by its model number, as the open page's title
    or in what is said, in a list, with a price, by name and kind, or by a question that names a quality and no more.
    """
    asked = [*(said.content for said in history if said.role == "user"), query]
    page = context[0] if context else None
    said = list(_names(history))
    if not _is_shop(asked, page, said):
        return None
    said += _new_names(query, said)
    called = tuple(_called(asked))
    products = {page: Product(id=page, name=page, category=called)} if page else {}
    articled = set[str]()
    for one in said:
        product = _product(one, _nouns(one.name.proper, said), called)
        if product.id not in products or product.price or product.attributes:
            products[product.id] = product
        if one.name.definite:
            articled.add(product.id)
    return SpokenCatalog(products, page, frozenset(articled))


def _is_shop(asked: Sequence[str], page: str | None, said: Sequence[_Said]) -> bool:
    named = {one.name.proper for one in said if one.by_user and one.name.definite}
    if any(one.name.proper in named and (one.name.definite or one.name.opens) for one in said if not one.by_user):
        return True
    shown = any(one.name.sold or one.name.is_model or one.name.has_kind for one in said)
    on_page = page is not None and (is_model(page) or any(map(_is_terse, asked)))
    return (shown or on_page) and 2 * sum(map(asks_shop, asked)) >= len(asked)


def _is_terse(text: str) -> bool:
    """Whether a question only names a quality ("Battery size?"), as it is asked on a product's page."""
    return fragment_of(text) is not None and asks_shop(text)


def _new_names(query: str, said: Sequence[_Said]) -> list[_Said]:
    """The names that only the question has, and that are no short form of another."""
    known = [_product(one, _nouns(one.name.proper, said), ()) for one in said]
    new = (name for name in names_in(query) if not any(_may_mean(name, product) for product in known))
    return [_Said(name, by_user=True, kind=None) for name in new]


def _may_mean(name: SpokenName, product: Product) -> bool:
    """Whether a name is a product's or a short form of it: "the LG fridge"."""
    words = {word.casefold() for word in product.name.split()}
    named = {word.casefold() for word in name.proper.split()}
    return named <= words and all(noun in words or is_kind(noun, product) for noun in name.nouns[-1:])


def _names(history: Sequence[Message]) -> Iterator[_Said]:
    kind = None
    for message in history:
        by_user = message.role == "user"
        if by_user:
            kind = _kind(message.content) if is_browsing(message.content) else None
        yield from (_Said(name, by_user, kind) for name in names_in(message.content))


def _nouns(proper: str, said: Sequence[_Said]) -> tuple[str, ...]:
    """The nouns of a name: the small words behind it that are said again; else the fewest that grammar tells."""
    forms = [one.name for one in said if one.name.proper == proper]
    again = max((_shared(one.behind, other.behind) for one, other in combinations(forms, 2)), key=len, default=())
    return again or min((form.nouns for form in forms), key=len)


def _shared(words: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The words with which both begin."""
    return tuple(word for word, _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False)))


def _kind(text: str) -> str | None:
    """The noun that a search is for."""
    passage = read_passage(text)
    heads = (passage.words[end - 1] for _, end in noun_phrases(passage))
    return next((head for head in heads if not head.endswith("ing")), None)


def _called(asked: Sequence[str]) -> Iterator[str]:
    """What the user calls the product at hand: "tent" in "this tent"."""
    anything = Product(id="", name="")
    for text in asked:
        passage = read_passage(text)
        for index, noun in enumerate(passage.lower):
            named = passage.before(index) in {"this", "that"} and tags(passage)[index] == "noun"
            if named and noun not in _NO_KINDS and not is_quality_word(noun, anything):
                yield noun


def _product(said: _Said, nouns: tuple[str, ...], called: tuple[str, ...]) -> Product:
    name, details = " ".join((said.name.proper, *nouns)), said.name.details
    kinds = [kind for kind in (*nouns[-1:], said.kind) if kind]
    return Product(
        id=name,
        name=name,
        brand=name.split(maxsplit=1)[0],
        category=tuple(kinds) or called,
        price=_price(details),
        attributes={_MEASURES[match["unit"]]: match.group() for match in reversed(list(_AMOUNT.finditer(details)))},
    )


def _price(text: str) -> Money | None:
    match = PRICE.search(text)
    if match is None:
        return None
    said = match["sign"] or match["code"]
    return Money(float((match["after"] or match["before"]).replace(",", "")), _CURRENCIES.get(said, said))
