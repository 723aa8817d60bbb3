"""Product look-ups as customers speak them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest

from evals.rows.reading import Message
from graph.language.lexicon import FUNCTION_WORDS, REQUEST_VERBS, is_adjective, is_stop, is_verb
from graph.language.quantities import Written, quantities
from graph.language.units import UNITS
from graph.rewriting.message import fragment_of
from graph.rewriting.selection import is_comparing
from graph.rewriting.topics import asks_shop, is_browsing
from ingestion.evidence import Money, Product

_WORD = r"(?:[a-z]?[A-Z][\w’'+]*(?:-[A-Z\d][\w’'+]*)*|\d+(?:[.,]\d+)?[A-Za-z]*\b(?!\s?%))"
_RUN = re.compile(rf"(?<![\w$€£.,-]){_WORD}(?:\s(?:&\s)?{_WORD})*")
_ENTRY = re.compile(r"(?:^|\n|(?<=\s))(?:\d{1,2}[.)]|[-*•])\s+\**(?=[A-Z0-9])")
_DEFINITE = re.compile(r"\b(?:the|your|this|that|our)\s+[\"“]?$", re.IGNORECASE)
_AS_PRODUCT = re.compile(r"(?:\b(?:the|our|your|about|of|and|or|like|have|compare)|[,:])\s*$", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|to|at|from|by|with|via|on|into|since|until)(?: the)?\s*$", re.IGNORECASE)
_OPENING = FUNCTION_WORDS | REQUEST_VERBS | frozenset("sure great happy tell compare options top".split())
_NO_MODEL = re.compile(
    r"\A(?:[A-Z]{1,5}-?\s?[\d.]+|Bluetooth.*|Wi-?Fi.*"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b.*|.*\b(?:19|20)\d\d)"
)
"""What has a number and is no product: a protection class, a standard, a date."""

_MAX_WORDS = 8
_BESIDE = 40
"""Characters before a name that tell what it is."""
_MAX_NOUNS = 3
_SMALL = re.compile(r"(?:\s[a-z][\w’'-]*)*")
_SENTENCE_END = re.compile(r"(?:\A|[.!?:\n])[^\S\n]*\Z")


@dataclass(frozen=True, slots=True)
class SpokenName:
    """A name in a text.

    Attributes:
        proper: Its words with capitals or digits: "Quill".
        nouns: The nouns behind them: ("e-reader",).
        details: What is said after the name.
        sold: Whether a list or a price shows that it is a product's.
        definite: Whether an article stands before it.
        opens: Whether it opens a sentence.
    """

    proper: str
    nouns: tuple[str, ...]
    details: str
    sold: bool
    definite: bool
    opens: bool

    @property
    def has_kind(self) -> bool:
        """Whether it stands with an article and the noun for what it is, as a product's name does."""
        return self.definite and bool(self.nouns)

    @property
    def is_model(self) -> bool:
        """Whether it has a model number."""
        return is_model(self.proper, definite=self.definite)


def is_model(name: str, *, definite: bool = True) -> bool:
    """Whether a name has a number behind its first letter; that of a standard or a date is none."""
    letter = re.search(r"[A-Za-z]", name)
    numbered = letter is not None and any(map(str.isdecimal, name[letter.end() :]))
    return numbered and ((definite and " " not in name) or not _NO_MODEL.fullmatch(name))


def names_in(text: str) -> Iterator[SpokenName]:
    """The names in a text that stand where a product's does."""
    entries = {match.end() for match in _ENTRY.finditer(text)}
    found = [match for match in _RUN.finditer(text) if _stripped(match)]
    for match, following in zip_longest(found, found[1:]):
        proper = _stripped(match)
        start = match.start() + match.group().index(proper)
        end = start + len(proper)
        before = text[max(0, start - _BESIDE) : start]
        details = text[end : following.start() if following else len(text)]
        placed = _PLACED.search(before) is not None
        name = SpokenName(
            proper=proper,
            nouns=_nouns_behind(text, end),
            details=details,
            sold=start in entries or (_price(quantities(details)) is not None and not placed),
            definite=_DEFINITE.search(before) is not None,
            opens=_SENTENCE_END.search(before) is not None,
        )
        spoken_of = " " in proper and not placed and _AS_PRODUCT.search(before)
        shown = name.sold or name.is_model or name.has_kind or spoken_of
        if shown and len(proper.split()) <= _MAX_WORDS:
            yield name


def _stripped(match: re.Match[str]) -> str:
    """A name without the words that open a sentence; empty for a mere number."""
    words = match.group().removesuffix("'s").removesuffix("’s").split(" ")
    while words and (words[0].casefold() in _OPENING or not any(letter.isalpha() for letter in words[0])):
        del words[0]
    return " ".join(words)


def _nouns_behind(text: str, end: int) -> tuple[str, ...]:
    """The small words right behind a name, up to one that names no thing: "waterproof", "warmer", "gives"."""
    match = _SMALL.match(text, end)
    said = match.group().split() if match else []
    return tuple(takewhile(lambda word: "-" in word or (_is_noun(word) and not is_comparing(word)), said))[:_MAX_NOUNS]


def _is_noun(word: str) -> bool:
    """Whether a word is a noun as far as it tells by itself."""
    return not (is_stop(word) or is_verb(word) or is_adjective(word))


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

_NO_DETERMINER = r"(?<!\b[Tt]he )(?<!\b[Yy]our )(?<!\b[Tt]his )(?<!\b[Tt]hat )"
_WORDS = re.compile(r"\w+")


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
    products = {page: Product(id=page, name=page)} if page else {}
    articled = set[str]()
    for one in said:
        product = _product(one, _nouns(one.name.proper, said))
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
    known = [_product(one, _nouns(one.name.proper, said)).name.casefold() for one in said]
    new = (name for name in names_in(query) if not any(name.proper.casefold() in other for other in known))
    return [_Said(name, by_user=True, kind=None) for name in new]


def _names(history: Sequence[Message]) -> Iterator[_Said]:
    kind = None
    for message in history:
        by_user = message.role == "user"
        if by_user:
            kind = _kind(message.content) if is_browsing(message.content) else None
        yield from (_Said(name, by_user, kind) for name in names_in(message.content))


def _nouns(proper: str, said: Sequence[_Said]) -> tuple[str, ...]:
    """The nouns of a name: the fewest that stand behind it anywhere."""
    return min((one.name.nouns for one in said if one.name.proper == proper), key=len)


def _kind(text: str) -> str | None:
    """The noun that a search is for: the last of the first ones in a row."""
    words = _WORDS.findall(text)
    start = next((place for place, word in enumerate(words) if not _names_nothing(word)), len(words))
    phrase = list(takewhile(lambda word: not _names_nothing(word), words[start:]))
    return phrase[-1] if phrase else None


def _names_nothing(word: str) -> bool:
    return is_stop(word.lower()) or is_verb(word.lower())


def _product(said: _Said, nouns: tuple[str, ...]) -> Product:
    name, told = " ".join((said.name.proper, *nouns)), quantities(said.name.details)
    kinds = [kind for kind in (*nouns[-1:], said.kind) if kind]
    measured = [(_attribute_of(one.quantity.unit), f"{one.figure} {one.unit}") for one in told]
    return Product(
        id=name,
        name=name,
        brand=name.split(maxsplit=1)[0],
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
