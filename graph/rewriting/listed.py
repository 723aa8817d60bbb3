"""Listed: one of the products at hand, by its place or by what tells it from others ("the second", "the blue one")."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_letters

from graph.catalog.units import units
from graph.language.english import ordinary_words
from graph.language.lexicon import ARTICLES, AUXILIARIES, FUNCTION_WORDS, INDEFINITE, OWNERS, PREPOSITIONS, PRONOUNS
from graph.language.quantities import NUMBER_WORDS
from graph.rewriting.fragments import lead_of
from graph.rewriting.scene import is_kind
from graph.rewriting.topics import is_quality_word
from graph.rewriting.words import Edit, Word, appended, edited, words_of
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
_POINTING = frozenset({"the", "this", "that"})


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
            picked = shown[place] if place is not None and shown and place < len(shown) else None
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


@dataclass(frozen=True, slots=True)
class Known:
    """The words by which one of several is known, figures also as they stand in a model's name ("20" of "C20").

    Attributes:
        name: Those of its name.
        said: Those of all its names, and what is said of it.
    """

    name: frozenset[str]
    said: frozenset[str]


def told(words: Sequence[Word], several: Sequence[Known]) -> Iterator[tuple[int, int, int]]:
    """Where words tell one of several from the others: the first and the last of them, and which one.

    Of those that are named alike, the one is meant whose name holds nothing more ("the 5" is no "5 Shield").
    """
    fits = [_fits(word, several) for word in words]
    for fitting, run in groupby(range(len(words)), key=lambda index: bool(fits[index])):
        places = list(run)
        counts = Counter(one for index in places for one in fits[index])
        best = [one for one, count in counts.items() if count == max(counts.values())]
        named = [one for one in best if all(_texts(words[index]) & several[one].name for index in places)]
        least = [one for one in named if all(several[one].name <= several[other].name for other in named)]
        chosen = least if len(named) == len(best) > 1 else best
        if fitting and len(chosen) == 1:
            own, first, last = several[chosen[0]].name, places[0], places[-1]
            while first and _texts(words[first - 1]) & own:
                first -= 1
            while last + 1 < len(words) and _texts(words[last + 1]) & own:
                last += 1
            yield first, last, chosen[0]


def _fits(word: Word, several: Sequence[Known]) -> frozenset[int]:
    """Which of several a word fits; none where it fits all, or counts them ("the two")."""
    texts = _texts(word)
    found = frozenset(index for index, known in enumerate(several) if texts & known.said)
    return found if len(found) < len(several) and str(len(several)) not in texts else frozenset()


def _texts(word: Word) -> frozenset[str]:
    """A word as names have it; nothing for a function word, of which a single letter may be a size."""
    if word.text in FUNCTION_WORDS and (len(word.text) > 1 or word.text in PRONOUNS | ARTICLES):
        return frozenset()
    return frozenset(unit.text for unit in units(NUMBER_WORDS.get(word.text, word.text)))


def _known(name: str, other: Sequence[str] = ()) -> Known:
    cut = frozenset(unit.text for unit in units(name))
    own = cut | {text.lstrip(ascii_letters) for text in cut if text[-1].isdigit()}
    return Known(own, own.union(unit.text for text in other for unit in units(text)))


def find_described(query: str, shown: Sequence[Product], *, by_name: bool = False) -> Selection | None:
    """A phrase whose words tell one of the products shown by its names or, unless by these alone, a quality."""
    words = words_of(query)
    said = [() if by_name else product.attributes.values() for product in shown]
    known = [
        _known(f"{one.brand or ''} {one.name}", [*one.aliases, *more]) for one, more in zip(shown, said, strict=True)
    ]
    for first, last, place in told(words, known):
        span = _noun_span(query, (first, last), shown[place], known[place])
        if span is not None:
            return Selection(*span, (shown[place],))
    return None


def _noun_span(query: str, run: tuple[int, int], product: Product, known: Known) -> tuple[int, int] | None:
    """The span of a noun phrase around telling words, with its article and the noun for what the product is.

    Without that noun, it must be pointed at by a word of its name, or be all that a clause begins with ("ten it is").
    """
    words, (first, last) = words_of(query), run
    before = words[first - 1].text if first else None
    if before not in FUNCTION_WORDS and first > 1 and words[first - 2].text == "the":
        first, before = first - 1, "the"
    following = words[last + 1].text.removesuffix("'s") if last + 1 < len(words) else None
    headed = following is not None and is_kind(following, product) and not is_quality_word(following, product)
    figure = all(word.text.isdigit() or word.text in NUMBER_WORDS for word in words[run[0] : last + 1])
    pointed = before in _POINTING | {"your"}
    start = words[first - 1 if pointed else first].start
    if last > run[0] and is_kind(words[last].text, product):
        return start, words[last].end
    if headed and (pointed or not figure) and before not in INDEFINITE | OWNERS:
        return start, words[last + 1].end
    parted = following is not None and not query[words[last].end : words[last + 1].start].isspace()
    ends = following is None or following in FUNCTION_WORDS or parted
    if not any(_texts(word) & known.name for word in words[run[0] : last + 1]):
        return None
    if pointed:
        asked = first > 1 and words[first - 2].text in AUXILIARIES
        return (start, words[last].end) if ends or asked or not figure else None
    plain = figure or any(word.text in ordinary_words() for word in words[first : last + 1])
    opens = words[first].start <= lead_of(query) or not query[words[first - 1].end : words[first].start].isspace()
    several = any(unit.plural for unit in units(words[last].text))
    stands = opens and ends and not several and (parted or following not in PREPOSITIONS)
    return (start, words[last].end) if stands or not (plain or several) else None


def place_of(word: str) -> int | None:
    """The place, from 0 (-1 for the last), that a word such as "second" or "2" names."""
    return _ORDINALS[word] if word in _ORDINALS else _number(word)


def _number(text: str) -> int | None:
    return int(text) - 1 if text.isdigit() and int(text) > 0 else _NUMBERS.get(text)


def _phrase(words: Sequence[Word], index: int, product: Product) -> tuple[int, int] | None:
    """The span of "the second one"; None where it counts something else ("my last serum", "lasts", "last one, ...")."""
    before = words[index - 1].text if index else None
    if before in OWNERS or (before not in _POINTING and index + 2 < len(words)):
        return None
    first = index - 1 if before in _POINTING else index
    following = words[index + 1].text if index + 1 < len(words) else None
    if following is not None and is_kind(following.removesuffix("'s"), product):
        return words[first].start, words[index + 1].end
    if first < index and (following is None or following in AUXILIARIES | PREPOSITIONS):
        return words[first].start, words[index].end
    return None


def varied(query: str, previous: str, product: Product) -> tuple[str, list[tuple[int, int]]] | None:
    """The previous question with the values that a message names of what the variants differ in, and where it does.

    A value of the same attribute gives way to it; beside none it is added.
    """
    said, asked = words_of(query), words_of(previous)
    edits, added, spans = list[Edit](), list[str](), list[tuple[int, int]]()
    for values in _options(product).values():
        known = [_known(value) for value in values]
        new, old = next(told(said, known), None), next(told(asked, known), None)
        if new is None:
            continue
        spans.append((said[new[0]].start, said[new[1]].end))
        text = query[slice(*spans[-1])]
        if old is None:
            added.append(text)
        elif old[2] != new[2]:
            edits.append(Edit(asked[old[0]].start, asked[old[1]].end, text))
    if not spans:
        return None
    again = edited(previous, edits)
    return (appended(again, f"in {', '.join(added)}") if added else again), spans


def _options(product: Product) -> dict[str, list[str]]:
    """Each attribute by which the variants differ, and its values."""
    options: dict[str, list[str]] = defaultdict(list)
    for variant in product.variants:
        for name, value in variant.attributes.items():
            if value not in options[name]:
                options[name].append(value)
    return {name: values for name, values in options.items() if len(values) > 1}
