"""Product look-ups as customers speak them: the catalog of a conversation that is only written down."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest

from evals.rows import Message
from graph.language.families import families
from graph.language.lexicon import FUNCTION_WORDS, REQUEST_VERBS, is_verb
from graph.language.locale import word_class
from graph.language.quantities import Written, quantities
from graph.language.terms import stems
from graph.language.units import UNITS
from graph.rewriting.message import fragment_of
from graph.rewriting.scene import QUALITIES, about_shop, is_browsing
from graph.rewriting.selection import is_comparing
from ingestion.evidence import Money, Product

_WORD = r"(?:[a-z]?[A-Z][\w’'+]*(?:-[A-Z\d][\w’'+]*)*|\d+(?:[.,]\d+)?[A-Za-z]*\b(?!\s?%))"
_RUN = re.compile(rf"(?<![\w$€£.,-]){_WORD}(?:\s(?:&\s)?{_WORD})*")
_ENTRY = re.compile(r"(?:^|\n|(?<=\s))(?:\d{1,2}[.)]|[-*•])\s+\**(?=[A-Z0-9])")
_DEFINITE = re.compile(r"\b(?:the|your|this|that|our)\s+[\"“]?$", re.IGNORECASE)
_AS_PRODUCT = re.compile(r"(?:\b(?:the|our|your|about|of|and|or|like|have|compare)|[,:])\s*$", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|to|at|from|by|with|via|on|into|since|until)(?: the)?\s*$", re.IGNORECASE)
_STANDARD = re.compile(r"[A-Z]{1,5}-?\s?[\d.]+")
"""What has a number and is no product, such as a protection class, where no article stands before it."""
_SMALL = re.compile(r"(?:\s[a-z][\w’'-]*)*")
_WORDS = re.compile(r"\w+")
_NO_DETERMINER = r"(?<!\b[Tt]he )(?<!\b[Yy]our )(?<!\b[Tt]his )(?<!\b[Tt]hat )"
_OPENING = FUNCTION_WORDS | REQUEST_VERBS
_EMPTY, _NO_ADVERBS = word_class("empty"), word_class("no_adverbs")
_ADVERB = re.compile(r"\A\w{3,}ly")
_CURRENCIES = {"dollar": "USD", "euro": "EUR", "sterling": "GBP"}
_MEASURES = {
    "mass": "Weight",
    "inch": "Display",
    "length": "Length",
    "volume": "Capacity",
    "duration": "Battery life",
    "charge": "Battery",
    "power": "Power",
}
"""What a unit, or all of a measure, shows to be measured, as a shop calls it."""


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
class _Name:
    """A name in a message, where a product's stands.

    Attributes:
        proper: Its words with capitals or digits: "Quill".
        nouns: The nouns behind them: ("e-reader",).
        details: What is said after the name.
        definite: Whether an article stands before it.
        sold: Whether it is shown to be a product's: by a list, a price, a model number, or an article and its kind.
        by_user: Who said it.
        kind: The kind of product that was searched for just before.
    """

    proper: str
    nouns: tuple[str, ...]
    details: str
    definite: bool
    sold: bool
    by_user: bool
    kind: str | None


def read_catalog(history: Sequence[Message], query: str, context: Sequence[str]) -> SpokenCatalog | None:
    """The products of a conversation; None where it is no shop's.

    It is a shop's when user and answers speak of the same thing by name ("the Savanna rug"), or when at least half of
    what the user asks is what is asked of shops and a product is shown: as the open page's title or in what is said, in
    a list, with a price, by its model number, by name and kind, or by a question that names a quality and no more.
    """
    asked = [*(said.content for said in history if said.role == "user"), query]
    page = context[0] if context else None
    said = list(_names(history))
    if not _is_shop(asked, page, said):
        return None
    known = [_full_name(one, said).casefold() for one in said]
    said += [new for new in _names_in(query) if not any(new.proper.casefold() in other for other in known)]
    products = {page: Product(id=page, name=page)} if page else {}
    for one in said:
        product = _product(_full_name(one, said), one)
        if product.id not in products or product.price or product.attributes:
            products[product.id] = product
    articled = frozenset(_full_name(one, said) for one in said if one.definite)
    return SpokenCatalog(products, page, articled)


def _is_shop(asked: Sequence[str], page: str | None, said: Sequence[_Name]) -> bool:
    named = {one.proper for one in said if one.by_user and one.definite}
    if any(one.proper in named for one in said if not one.by_user):
        return True
    shown = any(one.sold for one in said) or (page is not None and (_is_model(page) or any(map(_is_terse, asked))))
    return shown and 2 * sum(map(_asks_shop, asked)) >= len(asked)


def _is_terse(text: str) -> bool:
    """Whether a question only names a quality ("Battery size?"), as it is asked on a product's page."""
    return fragment_of(text) is not None and _asks_shop(text)


def _is_model(name: str) -> bool:
    """Whether a name has a number behind its first letter."""
    letter = re.search(r"[A-Za-z]", name)
    return letter is not None and any(map(str.isdecimal, name[letter.end() :]))


def _names(history: Sequence[Message]) -> Iterator[_Name]:
    kind = None
    for message in history:
        by_user = message.role == "user"
        if by_user:
            kind = _kind(message.content) if is_browsing(message.content) else None
        yield from _names_in(message.content, kind, by_user=by_user)


def _names_in(text: str, kind: str | None = None, *, by_user: bool = True) -> Iterator[_Name]:
    entries = {match.end() for match in _ENTRY.finditer(text)}
    found = [(match, proper) for match in _RUN.finditer(text) if (proper := _stripped(match.group()))]
    for (match, proper), following in zip_longest(found, found[1:]):
        start = match.start() + match.group().index(proper)
        end = start + len(proper)
        details = text[end : following[0].start() if following else len(text)]
        nouns, definite = _nouns_behind(text, end), _DEFINITE.search(text, 0, start) is not None
        priced = _price(quantities(details)) is not None and not _PLACED.search(text, 0, start)
        model = _is_model(proper) and (definite or not _STANDARD.fullmatch(proper))
        sold = start in entries or priced or model or (definite and bool(nouns))
        if sold or (" " in proper and _AS_PRODUCT.search(text, 0, start)):
            yield _Name(proper, nouns, details, definite, sold, by_user, kind)


def _stripped(name: str) -> str:
    """A name without the words that open a sentence; empty for a mere number."""
    words = name.removesuffix("'s").removesuffix("’s").split(" ")
    while words and (words[0].casefold() in _OPENING or not any(letter.isalpha() for letter in words[0])):
        del words[0]
    return " ".join(words)


def _nouns_behind(text: str, end: int) -> tuple[str, ...]:
    """The small words right behind a name, up to one that names no thing: "waterproof", "warmer", "gives"."""
    match = _SMALL.match(text, end)
    said = match.group().split() if match else []
    return tuple(takewhile(lambda word: "-" in word or not (_names_nothing(word) or is_comparing(word)), said))


def _full_name(one: _Name, said: Sequence[_Name]) -> str:
    """A name and its nouns, the fewest that stand behind it anywhere."""
    nouns = min((other.nouns for other in said if other.proper == one.proper), key=len, default=one.nouns)
    return " ".join((one.proper, *nouns))


def _kind(text: str) -> str | None:
    """The noun that a search is for: the last of the first ones in a row."""
    words = _WORDS.findall(text)
    start = next((place for place, word in enumerate(words) if not _names_nothing(word)), len(words))
    phrase = list(takewhile(lambda word: not _names_nothing(word), words[start:]))
    return phrase[-1] if phrase else None


def _names_nothing(word: str) -> bool:
    said = word.lower()
    adverb = _ADVERB.fullmatch(said) is not None and said not in _NO_ADVERBS
    return said in FUNCTION_WORDS | _EMPTY or adverb or is_verb(said)


def _product(name: str, said: _Name) -> Product:
    told = quantities(said.details)
    kinds = [kind for kind in (*name.removeprefix(said.proper).split()[-1:], said.kind) if kind]
    measured = [(_attribute_of(one.quantity.unit), f"{one.figure} {one.unit}") for one in told]
    return Product(
        id=name,
        name=name,
        category=tuple(kinds),
        price=_price(told),
        attributes={name: value for name, value in reversed(measured) if name},
    )


def _attribute_of(unit: str | None) -> str | None:
    return None if unit is None else _MEASURES.get(unit) or _MEASURES.get(UNITS[unit].measure)


def _price(told: Sequence[Written]) -> Money | None:
    """The first sum of money among what is told."""
    sums = (one.quantity for one in told)
    return next((Money(float(one.value), _CURRENCIES[one.unit]) for one in sums if one.unit in _CURRENCIES), None)


def _asks_shop(text: str) -> bool:
    """Whether a question is of the kind that shops and their products are asked, whichever these are."""
    found = stems(text)
    named = any(found & family.stems for family in families())
    return named or bool(found & QUALITIES) or about_shop(text) or is_browsing(text)
