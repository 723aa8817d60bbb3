"""Selection: which of the products at hand a phrase picks: by place, by what tells it from others, or by comparing.

"the second one", "the blue one", "the cheaper of the two".
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, takewhile
from string import ascii_letters

from graph.catalog import Mention
from graph.catalog.units import units
from graph.language.english import ordinary_words
from graph.language.lexicon import (
    ADJECTIVES,
    ARTICLES,
    AUXILIARIES,
    BE,
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
from graph.language.locale import word_class
from graph.language.quantities import NUMBER_WORDS, ORDINALS, Quantity, amount_of, comparable
from graph.language.sentences import joined
from graph.language.terms import Word, stems, words_of
from graph.rewriting.message import Edit, appended, edited, lead_of, naming
from graph.rewriting.scene import Scene, is_generic, is_kind, of_category
from ingestion.evidence import Product

_ORDINALS = {word: place - 1 for word, place in ORDINALS.items()} | {"last": -1, "former": 0, "latter": -1}
PLACES = {str(place): place - 1 for place in range(1, 11)} | {"one": 0, "two": 1, "three": 2, "four": 3} | _ORDINALS
"""Places, from 0 (-1 for the last), by the words that name them alone: "second", "two", "2"."""
_POINTING = frozenset({"the", "this", "that"})
_FEWEST = 2
"""Out of fewer there is nothing to pick."""
_MOST_TO_CHOOSE = 5

Span = tuple[int, int]
"""Where a phrase begins and ends, in code points."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A phrase that stands for products.

    Attributes:
        start: Where it begins, in code points.
        end: Where it ends.
        products: What it stands for.
        text: What takes its place; None where it stays, with the names behind the question: what "that" and "they"
            stand for is often something else that was said, of which the products are a part.
    """

    start: int
    end: int
    products: tuple[Product, ...]
    text: str | None


def replaced(query: str, reference: Reference) -> str:
    """The question with names in place of the reference, or behind the question."""
    if reference.text is None:
        return naming(query, reference.products)
    return edited(query, [(reference.start, reference.end, reference.text)])


def _picked(query: str, span: Span, product: Product) -> Reference:
    start, end = span
    owner = "'s" if query[end - 2 : end] in {"'s", "’s"} else ""
    return Reference(start, end, (product,), product.name + owner)


def find_ordinal(query: str, shown: Sequence[Product], focus: Sequence[Product]) -> Reference | None:
    """The first phrase that picks by place: "the second one", "the other"."""
    words = words_of(query)
    others = [product for product in shown if product.id != focus[0].id] if len(focus) == 1 else []
    for index, word in enumerate(words):
        place = _ORDINALS.get(word.text)
        chosen = others if word.text == "other" else [] if place is None else shown[place:][:1]
        before = words[index - 1].text if index else None
        # "My last serum" counts something else, and so does "last one, ...".
        if len(chosen) != 1 or before in OWNERS or (before not in _POINTING and index + 2 < len(words)):
            continue
        span = _headed(words, index - 1 if before in _POINTING else index, index, chosen[0])
        if span is not None:
            return _picked(query, span, chosen[0])
    return None


def _headed(words: Sequence[Word], first: int, last: int, product: Product) -> Span | None:
    """The span of a phrase with the noun behind it for what the product is; without one only where it is pointed at."""
    following = words[last + 1].text if last + 1 < len(words) else None
    if following is not None and is_kind(following.removesuffix("'s"), product):
        return words[first].start, words[last + 1].end
    ends = following is None or following in AUXILIARIES | PREPOSITIONS
    return (words[first].start, words[last].end) if ends and words[first].text in _POINTING else None


def told(words: Sequence[Word], several: Sequence[frozenset[str]]) -> Iterator[tuple[int, int, int]]:
    """Where words tell one of several from the others: the first and the last of them, and which one.

    Args:
        words: Those of a message.
        several: The words by which each is known. Of several that are told alike, that with the fewest is meant ("the
            5" is no "5 Shield").
    """
    fits = [_fits(word, several) for word in words]
    for fitting, run in groupby(range(len(words)), key=lambda index: bool(fits[index])):
        places = list(run)
        counts = Counter(one for index in places for one in fits[index])
        best = sorted((-count, len(several[one]), one) for one, count in counts.items())[:2]
        if fitting and len({one[:2] for one in best}) == len(best):
            own, first, last = several[best[0][2]], places[0], places[-1]
            while first and _texts(words[first - 1]) & own:
                first -= 1
            while last + 1 < len(words) and _texts(words[last + 1]) & own:
                last += 1
            yield first, last, best[0][2]


def _fits(word: Word, several: Sequence[frozenset[str]]) -> frozenset[int]:
    """Which of several a word fits; none where it fits all, or counts them ("the two")."""
    texts = _texts(word)
    found = frozenset(index for index, known in enumerate(several) if texts & known)
    return found if len(found) < len(several) and str(len(several)) not in texts else frozenset()


def _texts(word: Word) -> frozenset[str]:
    """A word as names have it; nothing for a function word, of which a single letter may be a size."""
    if word.text in FUNCTION_WORDS and (len(word.text) > 1 or word.text in PRONOUNS | ARTICLES):
        return frozenset()
    return frozenset(unit.text for unit in units(NUMBER_WORDS.get(word.text, word.text)))


def _known(*names: str) -> frozenset[str]:
    """The words of names, figures also as they stand in a model's name ("20" of "C20")."""
    cut = {unit.text for name in names for unit in units(name)}
    return frozenset(cut | {text.lstrip(ascii_letters) for text in cut if text[-1].isdigit()})


def find_described(query: str, shown: Sequence[Product]) -> Reference | None:
    """A phrase whose words tell one of the products shown by its names or a quality."""
    known = [_known(one.brand or "", one.name, *one.aliases, *one.attributes.values()) for one in shown]
    for first, last, place in told(words_of(query), known):
        span = _noun_span(query, (first, last), shown[place])
        if span is not None:
            return _picked(query, span, shown[place])
    return None


def _noun_span(query: str, run: tuple[int, int], product: Product) -> Span | None:
    """The span of a noun phrase around telling words, with its article and the noun for what the product is.

    Without that noun, it must be pointed at by a word of its name, or be all that a clause begins with ("ten it is").
    """
    words, (first, last) = words_of(query), run
    before = words[first - 1].text if first else None
    if before not in FUNCTION_WORDS and first > 1 and words[first - 2].text == "the":
        first, before = first - 1, "the"
    following = words[last + 1].text.removesuffix("'s") if last + 1 < len(words) else None
    headed = following is not None and is_kind(following, product)
    figure = all(word.text.isdigit() or word.text in NUMBER_WORDS for word in words[run[0] : last + 1])
    pointed = before in _POINTING | {"your"}
    start = words[first - 1 if pointed else first].start
    if last > run[0] and is_kind(words[last].text, product):
        return start, words[last].end
    if headed and (pointed or not figure) and before not in INDEFINITE | OWNERS:
        return start, words[last + 1].end
    own = _known(product.brand or "", product.name)
    if not any(_texts(word) & own for word in words[run[0] : last + 1]):
        return None
    if pointed:
        return start, words[last].end
    plain = figure or any(word.text in ordinary_words() for word in words[first : last + 1])
    several = any(unit.plural for unit in units(words[last].text))
    parted = following is not None and not query[words[last].end : words[last + 1].start].isspace()
    ends = parted or following is None or following in FUNCTION_WORDS - PREPOSITIONS
    stands = words[first].start <= lead_of(query) and ends
    return (start, words[last].end) if not several and (stands or not plain) else None


def varied(query: str, previous: str, product: Product) -> tuple[str, list[Span]] | None:
    """The previous question with the values that a message names of what the variants differ in, and where it does.

    A value of the same attribute gives way to it; beside none it is added.
    """
    said, asked = words_of(query), words_of(previous)
    edits, added, spans = list[Edit](), list[str](), list[Span]()
    options: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for variant in product.variants:
        for name, value in variant.attributes.items():
            options[name][value] = _known(value)
    for values in options.values():
        known = list(values.values())
        new, old = next(told(said, known), None), next(told(asked, known), None)
        if new is None:
            continue
        spans.append((said[new[0]].start, said[new[1]].end))
        text = query[slice(*spans[-1])]
        if old is None:
            added.append(text)
        elif old[2] != new[2]:
            edits.append((asked[old[0]].start, asked[old[1]].end, text))
    again = edited(previous, edits)
    return (appended(again, f"in {', '.join(added)}") if added else again, spans) if spans else None


_AMONG = word_class("among")
"""What may stand behind "the cheaper of"."""
_ASKING = word_class("asking_which")


def find_comparative(query: str, shown: Sequence[Product]) -> Reference | None:
    """The first phrase that picks by comparing; None where the products do not say enough to decide.

    Who asks "which of these is the lightest?" names none by it.
    """
    cut = words_of(query)
    for index, word in enumerate(cut):
        degree = DEGREES.get(cut[index - 1].text) if index else None
        adjective = word.text if degree else COMPARATIVES.get(word.text, SUPERLATIVES.get(word.text, ""))
        first = index - (2 if degree else 1)
        if adjective not in ADJECTIVES or first < 0 or cut[first].text != "the":
            continue
        if first and cut[first - 1].base in BE | _ASKING and not _ASKING.isdisjoint(one.text for one in cut[:first]):
            continue
        span = _compared(cut, first, index, shown[0]) if len(shown) >= _FEWEST else None
        ways = [(name, way * (degree or 1)) for name, way in ADJECTIVES[adjective].names]
        chosen = _extreme(shown, ways) if span else None
        if span is not None and chosen is not None:
            return _picked(query, span, chosen)
    return None


def is_comparing(word: str) -> bool:
    """Whether a word is an adjective's comparative or superlative, or a degree of something."""
    return word in SUPERLATIVES or word in COMPARATIVES or word in DEGREES


def _compared(words: Sequence[Word], first: int, index: int, product: Product) -> Span | None:
    """The span of "the cheaper one" or "the cheaper of the two"; None for other nouns."""
    if [word.text for word in words[index + 1 : index + 2]] != ["of"]:
        return _headed(words, first, index, product)
    among = list(takewhile(lambda word: word.text in _AMONG, words[index + 2 :]))
    return (words[first].start, among[-1].end) if among else None


def _extreme(shown: Sequence[Product], measures: Sequence[tuple[str, int]]) -> Product | None:
    """The one product with most of the first measure that all products state in one unit.

    Args:
        shown: The products.
        measures: Ways to name an attribute, best first, each with 1 where more of it is meant and -1 where less is.
    """
    for name, sign in measures:
        stated = [amount for product in shown if (amount := _amount(product, name, sign)) is not None]
        figures = [figure * sign for figure in comparable(stated)]
        if len(figures) == len(shown) and len(set(figures)) > 1:
            best = max(figures)
            return shown[figures.index(best)] if figures.count(best) == 1 else None
    return None


def _amount(product: Product, name: str, sign: int) -> Quantity | None:
    if name == PRICE:
        return Quantity(f"{product.price.amount}", product.price.currency) if product.price else None
    fitting = (value for key, value in product.attributes.items() if stems(name) <= stems(key))
    return next((amount for value in fitting if (amount := amount_of(value, sign)) is not None), None)


_COMPARING = word_class("comparing")


def compared_with(query: str, mentions: Sequence[Mention], scene: Scene) -> tuple[str, Sequence[Product]] | None:
    """The question with the products that it compares or chooses from and leaves out; None where it leaves out none.

    Beside one that is named that is the product at hand, else it is those spoken of or shown. A name that fits several
    names them all: "the difference between your two Kestrels".
    """
    words = words_of(query)
    compares = not _COMPARING.isdisjoint(word.text for word in words)
    if compares and len(mentions) == 1 and (several := _several_named(query, mentions[0], scene)):
        told = joined([product.name for product in several])
        return f"{query[: mentions[0].start]}{told}{query[mentions[0].end :]}", several
    if mentions:
        named = {fit.surface.product_id for mention in mentions for fit in mention.fits[:1]}
        other = scene.at_hand if compares and len(mentions) == 1 else None
        return (naming(query, [other]), (other,)) if other and other.id not in named else None
    if compares and (kind := _kind_compared(query, words, scene)):
        return kind
    products = scene.focus if len(scene.focus) > 1 else scene.listed or scene.last_two
    opening = [word.text for word in words if word.start >= lead_of(query)][:2]
    # "Which is better?", and not "which colour is better?".
    asks = opening[:1] == ["which"] and not AUXILIARIES.union({"of", "one", "ones"}).isdisjoint(opening[1:])
    chooses = asks and any(is_comparing(word.text) for word in words)
    if not 1 < len(products) <= _MOST_TO_CHOOSE or not (compares or chooses):
        return None
    names = [product.name for product in products]
    choice = appended(query, f"{', '.join(names[:-1])} or {names[-1]}", joint=", ")
    return (naming(query, products) if compares else choice), products


def _kind_compared(query: str, words: Sequence[Word], scene: Scene) -> tuple[str, Sequence[Product]] | None:
    """The question with the products of a kind in its place, as many as are counted: "your two sleeping bags"."""
    for place, word in enumerate(words):
        plural = any(unit.plural for unit in units(word.text)) and not is_generic(word.text)
        sold = of_category(word.text, scene.products.values()) if plural else []
        if not sold:
            continue
        shown = of_category(word.text, scene.listed)
        several = shown if len(shown) > 1 else sold
        own = stems(" ".join(chain.from_iterable(product.category for product in several)))
        first = place
        while first and words[first - 1].text not in FUNCTION_WORDS and stems(words[first - 1].text) <= own:
            first -= 1
        before = [NUMBER_WORDS.get(one.text, one.text) for one in words[:first]][-1:]
        # "the winter jackets" are some of the jackets.
        whole = all(one in FUNCTION_WORDS or one in _COMPARING or one == str(len(several)) for one in before)
        if 1 < len(several) <= _MOST_TO_CHOOSE and whole:
            names = joined([product.name for product in several])
            return f"{query[: words[first].start]}{names}{query[word.end :]}", several
    return None


def _several_named(query: str, mention: Mention, scene: Scene) -> Sequence[Product]:
    """The products that a name in the plural fits, as many as are counted: "your two Kestrel tents"; else none."""
    tied = [scene.products[fit.product_id] for fit in mention.fits] if mention.known else []
    if not 1 < len(tied) <= _MOST_TO_CHOOSE or scene.at_hand not in (None, *tied):
        return ()
    before = [word.text for word in words_of(query[: mention.start])][-1:]
    counted = [NUMBER_WORDS[word] for word in before if word in NUMBER_WORDS]
    behind = next((word.end for word in words_of(query) if word.start >= mention.end), mention.end)
    named, said = units(query[mention.start : mention.end]), units(query[mention.start : behind])
    plural = any(one.plural for one in named[-1:]) or (said[-1].plural and is_kind(said[-1].text, tied[0]))
    return tied if plural and counted in ([], [str(len(tied))]) else ()


def find_selection(query: str, scene: Scene, mentions: Sequence[Mention]) -> Reference | None:
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
    # What needs no list to be understood names one product whole, or none of the shop's.
    named = any(not one.known or (len(one.fits) == 1 and one.fits[0].whole) for one in mentions)
    found = find_ordinal(query, several, scene.focus) or find_comparative(query, compared)
    found = found or (None if named else find_described(query, several))
    if found is not None or mentions:
        return found
    named_alone = [replace(product, attributes={}) for product in scene.line]
    return find_comparative(query, scene.line) or find_described(query, named_alone)
