"""Listed: one of the products that were shown ("the second", "the blue one")."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from graph.catalog.units import units
from graph.language.lexicon import AUXILIARIES, FUNCTION_WORDS, PREPOSITIONS
from graph.language.quantities import NUMBER_WORDS
from graph.rewriting.scene import is_kind
from graph.rewriting.topics import is_quality_word
from graph.rewriting.words import Edit, Word, appended, as_question, edited, words_of
from ingestion.evidence import Product

_ORDINALS = {
    **{
        word: place
        for place, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split())
    },
    **{word: place for place, word in enumerate("1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split())},
    "last": -1,
    "former": 0,
    "latter": -1,
}
_NUMBERS = {"one": 0} | {word: int(number) - 1 for word, number in NUMBER_WORDS.items()}
_OTHER = "other"


@dataclass(frozen=True, slots=True)
class Selection:
    """A phrase that picks products out of a list: where it stands, and what it picks."""

    start: int
    end: int
    products: tuple[Product, ...]


def find_ordinal(query: str, shown: Sequence[Product], focus: Sequence[Product]) -> Selection | None:
    """The first phrase that picks by place: "the second one", "number two", "the other"."""
    words = words_of(query)
    for index, word in enumerate(words):
        place = _ORDINALS.get(word.text)
        if word.text == _OTHER and len(focus) == 1:
            rest = [product for product in shown if product.id != focus[0].id]
            picked = rest[0] if len(rest) == 1 else None
        elif word.text == "number" and index + 1 < len(words):
            place = _number(words[index + 1].text)
            if place is not None and place < len(shown):
                return Selection(word.start, words[index + 1].end, (shown[place],))
            continue
        else:
            picked = shown[place] if place is not None and -1 <= place < len(shown) else None
        several = _several(words, index, shown)
        if several is not None:
            return several
        span = _phrase(words, index, picked) if picked is not None else None
        if span is not None and picked is not None:
            return Selection(*span, (picked,))
    return None


def _several(words: Sequence[Word], index: int, shown: Sequence[Product]) -> Selection | None:
    """Read "the first two", "the last three"."""
    number = _NUMBERS.get(words[index + 1].text, 0) + 1 if index + 1 < len(words) else 1
    if words[index].text not in {"first", "last"} or not 1 < number <= len(shown):
        return None
    start = words[index - 1].start if index and words[index - 1].text == "the" else words[index].start
    picked = shown[:number] if words[index].text == "first" else shown[-number:]
    return Selection(start, words[index + 1].end, tuple(picked))


def find_described(query: str, shown: Sequence[Product]) -> Selection | None:
    """A phrase whose words fit just one of the products shown, by name, brand or a quality ("the black one")."""
    words = words_of(query)
    own = [_described_by(product) for product in shown]
    telling = [
        [i for i, known in enumerate(own) if any(unit.text in known for unit in units(word.text))]
        if word.text not in FUNCTION_WORDS
        else []
        for word in words
    ]
    for index, fits in enumerate(telling):
        if len(fits) != 1:
            continue
        last = index
        while last + 1 < len(words) and telling[last + 1] == fits:
            last += 1
        span = _noun_span(words, index, last, shown[fits[0]])
        if span is not None:
            return Selection(*span, (shown[fits[0]],))
    return None


def place_of(word: str) -> int | None:
    """The place, from 0 (-1 for the last), that a word such as "second" or "2" names."""
    return _ORDINALS[word] if word in _ORDINALS else _number(word)


def _number(text: str) -> int | None:
    return int(text) - 1 if text.isdigit() and int(text) > 0 else _NUMBERS.get(text)


def _phrase(words: Sequence[Word], index: int, product: Product) -> tuple[int, int] | None:
    """The span of "the second one"; None where the word counts something else ("the second time", "lasts")."""
    first = index - 1 if index and words[index - 1].text in {"the", "this", "that"} else index
    following = words[index + 1].text if index + 1 < len(words) else None
    if following is not None and is_kind(following.removesuffix("'s"), product):
        return words[first].start, words[index + 1].end
    if first < index and (following is None or following in AUXILIARIES | PREPOSITIONS):
        return words[first].start, words[index].end
    return None


def _described_by(product: Product) -> frozenset[str]:
    texts = [product.name, product.brand or "", *product.attributes.values()]
    return frozenset(unit.text for text in texts for unit in units(text))


def _noun_span(words: Sequence[Word], first: int, last: int, product: Product) -> tuple[int, int] | None:
    """The span of a noun phrase around telling words, with its article and the noun for what the product is."""
    article = first > 0 and words[first - 1].text in {"the", "this", "that", "your"}
    following = words[last + 1].text.removesuffix("'s") if last + 1 < len(words) else None
    if following is not None and is_kind(following, product) and not is_quality_word(following, product):
        last += 1
    elif not article and not _is_named(words[first].text, product):
        return None
    return words[first - 1 if article else first].start, words[last].end


def _is_named(word: str, product: Product) -> bool:
    """Whether a word is part of a product's name or brand, so that it can stand without a noun."""
    named = {unit.text for unit in units(f"{product.brand or ''} {product.name}")}
    return any(unit.text in named for unit in units(word)) and not re.fullmatch(r"\d+", word)


_BEFORE = (
    frozenset({"in", "with", "for", "as"}),
    frozenset({"the", "a", "an"}),
    frozenset({"color", "colour", "size"}),
)
_BEHIND = frozenset({"one", "version", "variant", "model"})


def varied(fragment: str, previous: str, product: Product) -> str | None:
    """The previous question with another variant's value in it; None where the fragment names no such value."""
    said = _text(_value_of(fragment))
    for values in _options(product).values():
        chosen = [value for value in values if _names(said, value)]
        if len(chosen) != 1:
            continue
        for other in sorted(set(values) - set(chosen), key=len, reverse=True):
            span = _find(other, previous)
            if span is not None:
                return as_question(edited(previous, [Edit(*span, chosen[0])]))
        return as_question(appended(previous, f"in {chosen[0]}"))
    return None


def _value_of(fragment: str) -> str:
    """A fragment without the words around the value it names: `in the red version` names `red`."""
    words = fragment.split()
    for around in _BEFORE:
        if len(words) > 1 and words[0].casefold() in around:
            words = words[1:]
    if len(words) > 1 and words[-1].casefold() in _BEHIND:
        words = words[:-1]
    return " ".join(words)


def _options(product: Product) -> dict[str, list[str]]:
    """Each attribute by which the variants differ, and its values."""
    options: dict[str, list[str]] = defaultdict(list)
    for variant in product.variants:
        for name, value in variant.attributes.items():
            if value not in options[name]:
                options[name].append(value)
    return {name: values for name, values in options.items() if len(values) > 1}


def _text(value: str) -> tuple[str, ...]:
    return tuple(unit.text for unit in units(value))


def _names(said: tuple[str, ...], value: str) -> bool:
    """Whether words name a value: all of it, or its beginning ("wide" for "Wide (2E)")."""
    whole = _text(value)
    return bool(said) and (said == whole or said == whole[: len(said)])


def _find(value: str, text: str) -> tuple[int, int] | None:
    """Where a text says a value."""
    wanted, cut = _text(value), units(text)
    for first in range(len(cut) - len(wanted) + 1):
        if tuple(unit.text for unit in cut[first : first + len(wanted)]) == wanted:
            return cut[first].start, cut[first + len(wanted) - 1].end
    return None
