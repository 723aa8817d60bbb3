"""Contradiction: a short name that says something else where a product's name tells it from others.

"Wharf Parka" is not the "Harbour Parka"; a word more or less contradicts nothing.
"""

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from graph.catalog.marks import EXTENSIONS
from graph.catalog.matching.profile import COLOURS, Profile
from graph.catalog.matching.resemblance import resemblances
from graph.catalog.units import is_measure
from graph.language.function_words import ARTICLES, CONJUNCTIONS, PREPOSITIONS

LONGEST = 6
"""Words of a query up to which each is taken at its word; longer names from elsewhere are noisy."""
_RESEMBLING = 0.5
_BY_THE_WAY = ARTICLES | CONJUNCTIONS | PREPOSITIONS


def contradicts(query: Profile, alias: Profile, name: Profile) -> bool:
    """Whether all that the query does not say of the name is replaced by something else, or an extension is added.

    Args:
        query: What was said.
        alias: What the product is called that is likest to it: its name or an alias, which may be said instead.
        name: Its name.
    """
    if f" {' '.join(alias.units)} " in f" {' '.join(query.units)} ":
        name = alias
    said, own = (
        _content(query.units),
        [unit for unit in _content(name.units) if unit not in name.brand - query.distinct],
    )
    if not own or len(said) > LONGEST:
        return False
    extra, missing = _apart(said, query, name), _apart(own, name, query)
    if not missing:
        return _is_extended(said, name)
    replaced = {
        own[edit.dest_pos]
        for edit in Levenshtein.editops(said, own)
        if edit.tag == "replace" and said[edit.src_pos] in extra
    }
    # Sizes and colours may be left out; what tells the product may not be another word.
    telling = {unit for unit in missing if unit not in COLOURS and not is_measure(unit)} or missing
    return telling <= replaced


def _is_extended(said: Sequence[str], name: Profile) -> bool:
    """Whether the name is said whole, and then an extension that makes it another product's ("X3 *Pro*")."""
    last = max(place for place, unit in enumerate(said) if unit in name.known)
    return last + 1 < len(said) and said[last + 1] in EXTENSIONS


def _content(units: Sequence[str]) -> list[str]:
    return [unit for unit in units if unit not in _BY_THE_WAY]


def _apart(units: Sequence[str], one: Profile, other: Profile) -> set[str]:
    """Units of one name that the other has in no spelling."""
    lacking = {unit for unit in units if unit not in other.known}
    theirs = other.distinct - one.distinct
    return {unit for unit, share in resemblances(lacking, theirs, other.squashed).items() if share < _RESEMBLING}
