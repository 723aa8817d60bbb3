"""Plausibility: whether words may be a name that was written otherwise."""

from collections.abc import Set as AbstractSet
from functools import cache

from rapidfuzz.distance import Levenshtein

from graph.catalog.alignment import Alignment, Spoken
from graph.catalog.names import EXTENSIONS, NameIndex, has_digit
from graph.catalog.units import NameUnit, is_measure, units
from graph.language.english import ordinary_words
from graph.language.families import cue_words
from graph.language.lexicon import (
    ARTICLES,
    AUXILIARIES,
    DEFINITE,
    FUNCTION_WORDS,
    INDEFINITE,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    REQUEST_VERBS,
    SUPERLATIVES,
    is_verb,
)
from graph.language.locale import table
from graph.language.quantities import NUMBER_WORDS
from graph.language.units import unit_of
from ingestion.evidence import Product

SHORT = 4
"""Up to so many content words, what a bare name mentions, or says otherwise than a product's, tells what it means."""
_MOST_WORDS = 60
"""Longer texts are no names."""
_MIN_KNOWN = 0.5
SPEECH = QUESTION_WORDS | AUXILIARIES | PRONOUNS | REQUEST_VERBS | {"any", "some"}
"""Words that make a text a sentence."""


def content(question: Spoken) -> list[str]:
    """The words of a text but articles and prepositions."""
    return [unit.text for unit in question.units if unit.text not in PREPOSITIONS | ARTICLES]


def may_be_name(question: Spoken, names: NameIndex) -> bool:
    """Whether a text may be a bare name: half of its words, and all that are words of speech, stand in names."""
    words = content(question)
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    if any(word in SUPERLATIVES and word not in names for word in words):
        return False
    known = sum(word in names for word in words)
    return known >= _MIN_KNOWN * len(words) and all(word in names for word in words if word in SPEECH)


def is_speech(question: Spoken, name: AbstractSet[str]) -> bool:
    """Whether a text says what is no part of the name it may be: a question mark, a pronoun, a verb of asking."""
    words = {unit.text for unit in question.units}
    return not (words & SPEECH <= name) or ("?" in question.text and not words <= name)


@cache
def words_of_questions() -> frozenset[str]:
    """Words by which customers ask for attributes and policies ("price", "battery")."""
    return frozenset(unit.text for word in cue_words() for unit in units(word))


def phrase(question: Spoken, found: Alignment, names: NameIndex) -> tuple[int, int]:
    """The first and the last unit of the phrase that a mention stands in.

    Words of questions and of kinds end it, in a sentence also words without a capital.
    """
    first, last = found.first, found.last
    sentence = "?" in question.text or any(unit.text in SPEECH for unit in question.units)
    # A maker, a word and what the product is: whatever the word, it is part of the name.
    if first > 1 and first not in question.breaks and question.units[first - 2].text in found.surface.maker:
        first -= 2
    while first not in question.breaks and _may_name(question, first - 1, names, sentence=sentence):
        first -= 1
    while last + 1 not in question.breaks and _may_name(question, last + 1, names, sentence=sentence):
        last += 1
    return first, last


def replaces(question: Spoken, found: Alignment, names: NameIndex) -> bool:
    """Whether a phrase replaces all that tells a product and that it does not say, each word by one of its kind."""
    first, last = phrase(question, found, names)
    if _lacks_only_maker(found):
        return False
    name = names.of_product(found.product_id)[0]
    own = name.units
    said = [
        next((unit for unit in own if unit in question.meant[i]), question.units[i].text)
        for i in range(first, last + 1)
    ]
    missing = set(own).difference(said, found.surface.maker)
    # Sizes and colours may be left out; what tells the product may not be another word.
    missing = missing & name.distinctive or missing
    replaced = {
        own[edit.dest_pos]
        for edit in Levenshtein.editops(said, own)
        if edit.tag == "replace"
        and said[edit.src_pos] not in own
        and has_digit(question.units[first + edit.src_pos].text) == has_digit(own[edit.dest_pos])
    }
    return bool(missing) and missing <= replaced


def _lacks_only_maker(found: Alignment) -> bool:
    """Whether several words are a name but for its maker's ("the folding phone"); one may be of another name."""
    return not found.missing or (found.first < found.last and found.surface.maker.issuperset(found.missing))


def _may_name(question: Spoken, place: int, names: NameIndex, *, sentence: bool) -> bool:
    """Whether the unit at a place may be part of a name; in a sentence only one with a capital."""
    if not 0 <= place < len(question.units):
        return False
    text = question.units[place].text
    if sentence and not question.units[place].capital:
        return False
    return text not in FUNCTION_WORDS and text not in names.kinds and text not in words_of_questions()


_BEFORE, _THINGS, _COMPOUNDING, _VERBS, _ADDING = (
    frozenset(table("names")[name].split()) for name in ("before", "things", "compounding", "verbs", "adding")
)
_BEFORE_NAMES = AUXILIARIES | DEFINITE | REQUEST_VERBS | _BEFORE
"""Words after which an ordinary word may name a product."""
_MIN_SHARE = 0.3
_MIN_WORD_SHARE = 0.4


_COUNTS = NUMBER_WORDS | {"one": "1"}


def plausible(found: Alignment, question: Spoken) -> bool:
    """Whether enough of a name is there, in a place where a certain product is spoken of."""
    if _is_of_another_count(found, question) or _multiplies(found, question) or _does(found, question):
        return False
    cut = question.units[found.first : found.last + 1]
    before = question.units[found.first - 1].text if found.first else None
    pointed = before in DEFINITE
    # A number counts ("big enough for 4?", "after 5 months") or measures ("4 mm"), and "the 5" names.
    if found.missing and not pointed and all(unit.number or is_measure(unit.text) for unit in cut):
        return False
    # "Any air fryers" speaks of a kind of things.
    if found.whole and not (found.missing and (cut[-1].plural or before in INDEFINITE)):
        return len(cut) > 1 or _stands_alone(found, question)
    if pointed and _lacks_only_maker(found):
        return True
    # A single letter is a size before it is a mark of a model.
    if all(len(unit) == 1 for unit in found.covered):
        return False
    telling = found.share >= _MIN_SHARE or missing_words(found) == 0
    return telling and not found.surface.distinctive.isdisjoint(found.covered) and _points(found, question)


def _is_of_another_count(found: Alignment, question: Spoken) -> bool:
    """Whether another number stands before a name than the one in it: "a 2 person tent" is no "one-person tent"."""
    before = question.units[found.first - 1] if found.first else None
    counted = _COUNTS.keys() & found.surface.units
    if before is None or not counted or not (before.number or before.text in _COUNTS):
        return False
    return _COUNTS.get(before.text, before.text) not in map(_COUNTS.get, counted)


def _does(found: Alignment, question: Spoken) -> bool:
    """Whether it is what something does: "does that *go* for the other one, too"."""
    unit = question.units[found.first]
    before = question.units[found.first - 1].text if found.first else None
    verb = found.first == found.last and unit.text in _VERBS and not unit.capital
    return verb and before is not None and before not in ARTICLES


def _multiplies(found: Alignment, question: Spoken) -> bool:
    """Whether it is a number of times: "89.99 x2"."""
    unit = question.units[found.first]
    times = found.first == found.last and unit.text[:1] == "x" and unit.text[1:].isdecimal()
    return times and found.first > 0 and question.units[found.first - 1].number


def _points(found: Alignment, question: Spoken) -> bool:
    """Whether a part of a name is written as a name, or stands where one certain product is spoken of."""
    cut = question.units[found.first : found.last + 1]
    if any(unit.model for unit in cut) or (any(unit.capital for unit in cut) and _tells_by_case(found, question)):
        return True
    return _is_definite(found, question)


def nameable(found: Alignment) -> bool:
    """Whether what was found of a name tells which line of products is meant."""
    return found.whole or not found.surface.distinctive.isdisjoint(found.covered)


def contradicted(found: Alignment, question: Spoken, rivals: list[Alignment], names: NameIndex) -> int | None:
    """Index of the unit beside a name that makes it another product's name ("Aurora *X9*", "X2 *Ultra*"), if any."""
    following = found.last + 1
    if following == len(question.units) or following in question.breaks:
        return None
    unit = question.units[following]
    if question.text[question.units[found.last].end : unit.start].strip() not in {"", "-"}:
        return None
    whole = not question.text[unit.end : unit.end + 1].isalnum()  # "airfryer" is no "air"
    extends = unit.text in EXTENSIONS and unit.text not in found.surface.units
    after = question.units[following + 1].text if following + 1 < len(question.units) else ""
    # "can the Tarn 2 *go* in the hold", "the Tarn 2 *plus* a sleeve"
    before = [one.text for one in question.units[: found.first] if one.text not in DEFINITE][-1:]
    joins = unit.text in _ADDING and after in ARTICLES and AUXILIARIES.isdisjoint(before)
    speaks = not unit.capital and (unit.text in _VERBS or joins)
    if whole and extends and not speaks:
        return None if _comes_in(unit.text, names.products[found.product_id]) else following
    return following if unit.model and _other_model(unit, found, rivals) else None


def _comes_in(unit: str, product: Product) -> bool:
    """Whether a word is the value of a variant, such as the size XL."""
    return any(unit == other.text for value in product.variant_values for other in units(value))


def lacks_only_extension(found: Alignment) -> bool:
    """Whether a complete model name is given of which only a longer form is sold ("iPhone 13" for "iPhone 13 Pro")."""
    has_model = any(map(has_digit, found.covered))
    missing = [unit for unit in found.missing if unit in found.surface.distinctive or unit in EXTENSIONS]
    return has_model and bool(missing) and all(unit in EXTENSIONS for unit in missing)


def missing_words(found: Alignment) -> int:
    """How many words of the name are missing beyond marks of its model ("X2", "Pro"): "the Kestrel" is no footprint."""
    surface = found.surface
    return sum(unit not in surface.marks and unit not in surface.maker for unit in found.missing)


def _other_model(unit: NameUnit, found: Alignment, rivals: list[Alignment]) -> bool:
    """Whether a model number takes the place of one that the name, or one like it, has."""
    named = [found, *(rival for rival in rivals if rival.covered == found.covered)]
    missing = [text for rival in named for text in rival.missing if has_digit(text)]
    if unit.text in missing:
        return False
    if unit.text[0].isdigit():
        return any(text[0].isdigit() for text in missing)
    return bool(missing) or not any(map(has_digit, found.surface.units))


def _stands_alone(found: Alignment, question: Spoken) -> bool:
    """Whether a one-word name is not merely part of a compound ("water resistant", "apple juice").

    One that is an ordinary word ("Water") is a name by its form alone: by a capital, or where a product is asked for.
    """
    unit = question.units[found.first]
    if ordinary_words().isdisjoint({unit.text, f"{unit.text}s"}):
        return True
    by_case = unit.capital and _tells_by_case(found, question)
    return by_case or (_in_name_slot(found, question) and _ends_phrase(found, question))


def _in_name_slot(found: Alignment, question: Spoken) -> bool:
    """Whether a bare noun stands where a product does, and none is spoken of before: "how much is water"."""
    before = [unit.text for unit in question.units[: found.first]]
    return not before or (before[-1] in _BEFORE_NAMES and _THINGS.isdisjoint(before[:-1]))


def _ends_phrase(found: Alignment, question: Spoken) -> bool:
    """Whether a noun is no part of a longer word for a quality: "water price", but not "water resistant"."""
    following = found.last + 1
    if following == len(question.units):
        return True
    text, *rest = [unit.text for unit in question.units[following : following + 2]]
    # "the Uno *2 weeks* ago"
    measures = question.units[following].number and any(unit_of(one) for one in rest if one not in FUNCTION_WORDS)
    asked = measures or text in FUNCTION_WORDS | words_of_questions() or not rest
    return asked and text not in _COMPOUNDING


def _tells_by_case(found: Alignment, question: Spoken) -> bool:
    """Whether a capital says that a word is a name: not where the text begins, nor in a clause that is all capitals."""
    begin = max((place for place in question.breaks if place <= found.first), default=0)
    end = min((place for place in question.breaks if place > found.last), default=len(question.units))
    rest = [*question.units[begin + 1 : found.first], *question.units[found.last + 1 : end]]
    return found.last > 0 and not (rest and all(unit.capital for unit in rest))


def _describes(found: Alignment, question: Spoken) -> bool:
    """Whether a word that extends names tells what the next one is ("the *down* ratio")."""
    following = found.last + 1
    if not found.surface.marks.issuperset(found.covered) or following in question.breaks:
        return False
    if following == len(question.units) or question.units[following].text in FUNCTION_WORDS:
        return False
    # "can the Flip *go* back": what it does.
    return not is_verb(question.units[following].text)


def _is_definite(found: Alignment, question: Spoken) -> bool:
    """Whether lower-case words speak of one product: "the nova", "of nova", but not "a nova" or "which novas"."""
    if found.first == found.last and (question.units[found.last].plural or _describes(found, question)):
        return False
    before = question.units[found.first - 1].text if found.first else None
    if before in DEFINITE:
        return found.first < found.last or found.share >= _MIN_WORD_SHARE or missing_words(found) == 0
    if before in INDEFINITE | REQUEST_VERBS:
        return False
    leads = question.units[found.first].text == found.surface.units[0]
    return found.first < found.last or len(question.units) == 1 or (leads and missing_words(found) == 0)
