"""Selection: which of the products at hand a phrase picks: by place, by what tells it from others, or by comparing.

"the second one", "the blue one", "the cheaper of the two".
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_letters

from num2words import num2words

from graph.catalog import Mention
from graph.catalog.units import units
from graph.language.english import ordinary_words
from graph.language.lexicon import (
    ADJECTIVES,
    ARTICLES,
    AUXILIARIES,
    COMPARATIVES,
    DEGREES,
    FUNCTION_WORDS,
    INDEFINITE,
    OWNERS,
    PREPOSITIONS,
    PRICE,
    PRONOUNS,
    SUPERLATIVES,
)
from graph.language.quantities import NUMBER_WORDS, Amount, amount_of, comparable
from graph.language.words import Word, words_of
from graph.rewriting.message import Edit, appended, edited, lead_of
from graph.rewriting.scene import Scene
from graph.rewriting.topics import is_kind, is_quality_word, stems
from ingestion.evidence import Product

_ORDINALS = {num2words(place, to=form): place - 1 for place in range(1, 11) for form in ("ordinal", "ordinal_num")} | {
    "last": -1,
    "former": 0,
    "latter": -1,
}
_NUMBERS = {"one": 0} | {word: int(number) - 1 for word, number in NUMBER_WORDS.items()}
_OTHER = "other"
_POINTING = frozenset({"the", "this", "that"})
_FEWEST = 2
"""Out of fewer there is nothing to pick."""
_MOST_TO_CHOOSE = 5

Span = tuple[int, int]
"""Where a phrase begins and ends, in code points."""


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
        span = _placed(words, index, picked) if picked is not None else None
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


def _placed(words: Sequence[Word], index: int, product: Product) -> Span | None:
    """The span of "the second one"; None where it counts something else ("my last serum", "lasts", "last one, ...")."""
    before = words[index - 1].text if index else None
    if before in OWNERS or (before not in _POINTING and index + 2 < len(words)):
        return None
    return _headed(words, index - 1 if before in _POINTING else index, index, product)


def _headed(words: Sequence[Word], first: int, last: int, product: Product) -> Span | None:
    """The span of a phrase with the noun behind it for what the product is; without one only where it is pointed at."""
    following = words[last + 1].text if last + 1 < len(words) else None
    if following is not None and is_kind(following.removesuffix("'s"), product):
        return words[first].start, words[last + 1].end
    ends = following is None or following in AUXILIARIES | PREPOSITIONS
    return (words[first].start, words[last].end) if ends and words[first].text in _POINTING else None


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


Measures = Sequence[tuple[str, int]]
"""Ways to name an attribute, best first, each with 1 where more of it is meant and -1 where less is."""

_AMONG = (["the", "two"], ["the", "three"], ["them"], ["these"], ["those"], ["both"])
"""What may stand behind "the cheaper of"."""
_ASKING = frozenset("which which's what what's who who's".split())
_BEING = frozenset("is are was were which's what's who's".split())


def find_comparative(query: str, shown: Sequence[Product]) -> Selection | None:
    """The first phrase that picks by comparing; None where the products do not say enough to decide."""
    cut = words_of(query)
    for index in range(len(cut)):
        measured = _measured(cut, index)
        if not measured or (index and cut[index - 1].text not in {"the", *DEGREES}):
            continue
        span = None if _asks_which(cut, index) or len(shown) < _FEWEST else _compared(cut, index, shown[0])
        chosen = _extreme(shown, measured) if span else None
        if span is not None and chosen is not None:
            return Selection(*span, (chosen,))
    return None


def _measured(cut: Sequence[Word], index: int) -> Measures:
    """What a comparative measures, best first, each with the direction that is meant; nothing for other words."""
    word, degree = cut[index].text, DEGREES.get(cut[index - 1].text if index else "")
    if degree is not None and word in ADJECTIVES:
        return tuple((name, direction * degree) for name, direction in ADJECTIVES[word].names)
    adjective = COMPARATIVES.get(word) or SUPERLATIVES.get(word)
    return ADJECTIVES[adjective].names if adjective else ()


def _asks_which(cut: Sequence[Word], index: int) -> bool:
    """Whether a question asks for what a phrase picks: "which of these is the lightest?" names none by it."""
    before = [word.text for word in cut[:index] if word.text not in {"the", *DEGREES}]
    return bool(before) and not _ASKING.isdisjoint(before) and before[-1] in _BEING


def is_comparing(word: str) -> bool:
    """Whether a word is an adjective's comparative or superlative, or a degree of something."""
    return word in SUPERLATIVES or word in COMPARATIVES or word in DEGREES


def _compared(words: Sequence[Word], index: int, product: Product) -> Span | None:
    """The span of "the cheaper one" or "the cheaper of the two"; None for "is it cheaper" and other nouns."""
    first = index - 2 if index and words[index - 1].text in DEGREES else index - 1
    if first < 0 or words[first].text != "the":
        return None
    following = [word.text for word in words[index + 1 :]]
    if following[:1] == ["of"]:
        among = next((len(phrase) for phrase in _AMONG if following[1 : 1 + len(phrase)] == phrase), None)
        return (words[first].start, words[index + 1 + among].end) if among else None
    return _headed(words, first, index, product)


def _extreme(shown: Sequence[Product], measures: Measures) -> Product | None:
    """The product with most (or least) of the first measure that all products state."""
    for name, sign in measures:
        values = _values(shown, name, sign)
        known = [value for value in values if value is not None]
        if len(known) == len(shown) and len(set(known)) > 1:
            best = max(known, key=lambda value: value * sign)
            return shown[values.index(best)] if values.count(best) == 1 else None
    return None


def _values(shown: Sequence[Product], name: str, sign: int) -> list[float | None]:
    """What each product states of a measure, in one unit; None for those that state it in none that compares."""
    if name == PRICE:
        return [product.price.amount if product.price else None for product in shown]
    stated = [_amount(product, name, sign) for product in shown]
    told = iter(comparable([amount for amount in stated if amount is not None]))
    return [None if amount is None else next(told) for amount in stated]


def _amount(product: Product, name: str, sign: int) -> Amount | None:
    fitting = (value for key, value in product.attributes.items() if stems(name) <= stems(key))
    return next((amount for value in fitting if (amount := amount_of(value, sign)) is not None), None)


_DIFFERENCE = frozenset({"difference", "differences"})
_FOR_BEST = frozenset({"better", "best", "worse", "compare", "comparison", "recommend"}) | _DIFFERENCE
_COMPARING = frozenset("differ different compare compares compared comparison vs versus".split()) | _DIFFERENCE


def find_choice(query: str, scene: Scene) -> tuple[str, Sequence[Product]] | None:
    """The question with the products to choose from, where it leaves them out."""
    products = scene.focus if len(scene.focus) > 1 else scene.listed or scene.last_two
    said = [word.text for word in words_of(query)]
    best = not _FOR_BEST.isdisjoint(said) or any(is_comparing(word) for word in said)
    if not best or not 1 < len(products) <= _MOST_TO_CHOOSE or not _asks_to_choose(query, said):
        return None
    names = [product.name for product in products]
    all_but_last = ", ".join(names[:-1])
    if not _DIFFERENCE.isdisjoint(said):
        return appended(query, f"between {all_but_last} and {names[-1]}"), products
    if "compare" in said:
        return appended(query, f"{all_but_last} and {names[-1]}"), products
    return appended(query, f"{all_but_last} or {names[-1]}", joint=", "), products


def _asks_to_choose(query: str, said: Sequence[str]) -> bool:
    """Whether a question asks "which (one) is" or "what is the difference", and not "which colour is"."""
    if not (_DIFFERENCE | {"compare"}).isdisjoint(said):
        return True
    opening = [word.text for word in words_of(query) if word.start >= lead_of(query)][:2]
    named = opening[:1] == ["which"] and opening[1:] and opening[1] not in AUXILIARIES | {"of", "one", "ones"}
    return not _ASKING.isdisjoint(opening[:1]) and not named


def is_one_sided(query: str, mentions: Sequence[Mention], product: Product) -> bool:
    """Whether a question compares with one product and leaves out the other side, the product at hand."""
    named = any(fit.surface.product_id == product.id for mention in mentions for fit in mention.fits[:1])
    compares = not _COMPARING.isdisjoint(word.text for word in words_of(query))
    return compares and len(mentions) == 1 and not named


def find_selection(query: str, scene: Scene, mentions: Sequence[Mention]) -> Selection | None:
    """A phrase that picks by place, by comparison or by description from those shown or compared, or from a line.

    Args:
        query: The user's words.
        scene: What they may refer to.
        mentions: The products they name; beside a clear name, a mere description picks none.
    """
    shown = scene.listed
    compared = scene.focus if len(scene.focus) > 1 else shown
    if len(compared) < _FEWEST:
        shown, compared = [], scene.last_two if len(scene.last_two) >= _FEWEST else []
    several = shown or compared
    named = any(_is_clear(mention) for mention in mentions)
    return (
        find_ordinal(query, several, scene.focus)
        or find_comparative(query, compared)
        or (None if named else find_described(query, several))
        or (None if mentions else _of_line(query, scene.line))
    )


def _is_clear(mention: Mention) -> bool:
    """Whether a mention needs no list to be understood: it names one product whole, or none of the shop's."""
    return not mention.known or (len(mention.fits) == 1 and mention.fits[0].whole)


def _of_line(query: str, line: Sequence[Product]) -> Selection | None:
    """A product of the line that is spoken of, by its name or by comparison ("the bigger one")."""
    return find_comparative(query, line) or find_described(query, line, by_name=True)
