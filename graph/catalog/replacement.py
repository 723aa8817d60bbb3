"""Replacement: a phrase that says another word where a product's name tells it from others ("the Wharf Parka")."""

from functools import cache

from rapidfuzz.distance import Levenshtein

from graph.catalog.alignment import Alignment, Spoken
from graph.catalog.bare_names import SPEECH
from graph.catalog.marks import has_digit
from graph.catalog.names import NameIndex
from graph.catalog.units import units
from graph.language.families import cue_words
from graph.language.function_words import FUNCTION_WORDS


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
    if not found.missing or (first, last) == (found.first, found.last):
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
        if edit.tag == "replace" and _instead(question, first + edit.src_pos, own[edit.dest_pos])
    }
    return bool(missing) and missing <= replaced


def _instead(question: Spoken, place: int, unit: str) -> bool:
    """Whether a word of the question may stand instead of a unit of a name."""
    return has_digit(question.units[place].text) == has_digit(unit)


def _may_name(question: Spoken, place: int, names: NameIndex, *, sentence: bool) -> bool:
    """Whether the unit at a place may be part of a name; in a sentence only one with a capital."""
    if not 0 <= place < len(question.units):
        return False
    text = question.units[place].text
    if sentence and not question.units[place].capital:
        return False
    return text not in FUNCTION_WORDS and text not in names.kinds and text not in words_of_questions()
