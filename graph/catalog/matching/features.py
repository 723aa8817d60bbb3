"""Features: how a query is like a candidate, in figures."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from graph.catalog.matching.profile import PLAIN, Profile, are_siblings, is_code, years

_RESPELT, _PREFIX, _CONTRACTED = 0.9, 0.75, 0.4
_SHORTEST_INSIDE = 4
_SHORTEST_PREFIX = 3
_SHORTEST_MISTYPED = 4
_LEAST_SIMILAR = 0.75


def resemblances(units: Iterable[str], others: Iterable[str], squashed: str) -> Mapping[str, float]:
    """For each unit, 0 to 1: how well the other name has it in another spelling.

    It may stand inside the other's squashed letters ("spysweeper", "8489a001"), be cut short ("pro", "blu"), mistyped,
    or contracted ("std").

    Args:
        units: Units of one name that the other lacks.
        others: Units of the other name that this one lacks.
        squashed: The other name's letters and digits.
    """
    words = [other for other in others if other.isalpha()]
    return {unit: _resemblance(unit, words, squashed) for unit in units}


def _resemblance(unit: str, words: Iterable[str], squashed: str) -> float:
    if len(unit) >= _SHORTEST_INSIDE and unit in squashed:
        return _RESPELT
    if not unit.isalpha():
        return 0.0
    return max((_of_words(unit, word) for word in words if word[0] == unit[0]), default=0.0)


def _of_words(unit: str, word: str) -> float:
    short, long = sorted((unit, word), key=len)
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return _PREFIX
    if len(short) >= _SHORTEST_MISTYPED:
        return OSA.normalized_similarity(short, long, score_cutoff=_LEAST_SIMILAR) * _RESPELT
    return _CONTRACTED if len(short) > 1 and _is_contraction(short, long) else 0.0


def _is_contraction(short: str, long: str) -> bool:
    """Whether all letters of one word stand in the other in the same order."""
    rest = iter(long)
    return len(short) < len(long) and all(letter in rest for letter in short)


Rarity = Callable[[str], float]
"""How much a unit says: its inverse document frequency over the largest of the catalog, 0 to 1."""

_TELLING = 3
_MAKER_WEIGHT = 0.4
_CAP = 2


@dataclass(frozen=True, slots=True)
class Compared:
    """A query beside one name.

    Attributes:
        query: The query.
        name: The name.
        rarity: Weighs units.
        local: Weighs the query's units by how few of the candidates have them.
        shared: Units that both have.
        query_only: What the query alone says: unit to what is left of its weight, after resemblances.
        name_only: What the name alone says, likewise.
    """

    query: Profile
    name: Profile
    rarity: Rarity
    local: dict[str, float]
    shared: frozenset[str]
    query_only: dict[str, float]
    name_only: dict[str, float]


def candidate_features(
    query: Profile, names: Sequence[Profile], rarity: Rarity, makers: frozenset[str]
) -> NDArray[np.float64]:
    """Describe candidates, shape `(len(names), len(FEATURES))`.

    Args:
        query: The name from elsewhere.
        names: The candidates, likeliest first.
        rarity: Weighs units.
        makers: First words of the makers' names in the catalog.
    """
    local = _local_weights(query, names)
    compared = [_compare(query, name, rarity, local) for name in names]
    maker = next((unit for unit in query.units[:2] if unit in makers), None)
    rows = [
        (*_coverage(pair), *_missing(pair), *_letters(pair), *_order(pair), *_codes(pair), *_numbers(pair),
         *_looks(pair), *_maker(pair, maker))
        for pair in compared
    ]  # fmt: skip
    values = np.array(rows, dtype=np.float64)
    best = np.where(
        _LOWER_IS_BETTER, values[:, _RELATIVE_COLUMNS].min(axis=0), values[:, _RELATIVE_COLUMNS].max(axis=0)
    )
    return np.hstack([values, values[:, _RELATIVE_COLUMNS] - best])


def _local_weights(query: Profile, names: Sequence[Profile]) -> dict[str, float]:
    held = Counter(unit for name in names for unit in query.distinct & name.known)
    return {unit: math.log((len(names) + 1) / (held[unit] + 0.5)) for unit in query.distinct}


def _compare(query: Profile, name: Profile, rarity: Rarity, local: dict[str, float]) -> Compared:
    own = frozenset(name.units)
    lacking, extra = query.distinct - name.known, own - query.distinct
    found = resemblances(lacking, extra, name.squashed)
    back = resemblances(extra, lacking, query.squashed)
    return Compared(
        query=query,
        name=name,
        rarity=rarity,
        local=local,
        shared=query.distinct & name.known,
        query_only={unit: rarity(unit) * (1 - found[unit]) for unit in lacking},
        name_only={unit: _weight(unit, name, rarity) * (1 - back[unit]) for unit in extra},
    )


def _weight(unit: str, name: Profile, rarity: Rarity) -> float:
    return rarity(unit) * (_MAKER_WEIGHT if unit in name.brand else 1.0)


def _coverage(pair: Compared) -> tuple[float, ...]:
    """How much of the query the name says, and the other way round; by rarity, and by rarity among the candidates."""
    rarity = pair.rarity
    query = sum(map(rarity, pair.query.distinct)) or 1.0
    name = sum(_weight(unit, pair.name, rarity) for unit in frozenset(pair.name.units)) or 1.0
    shared = sum(map(rarity, pair.shared))
    of_query = 1 - sum(pair.query_only.values()) / query
    of_name = 1 - sum(pair.name_only.values()) / name
    local = sum(pair.local.values()) or 1.0
    missing = sum(pair.local[unit] * left / rarity(unit) for unit, left in pair.query_only.items())
    telling = sorted(pair.query.distinct, key=lambda unit: (-rarity(unit), unit))[:_TELLING]
    return (
        shared / query,
        of_query,
        sum(_weight(unit, pair.name, rarity) for unit in pair.shared.intersection(pair.name.units)) / name,
        of_name,
        2 * of_query * of_name / (of_query + of_name or 1.0),
        1 - missing / local,
        sum(unit not in pair.query_only or unit in pair.name.squashed for unit in telling) / _TELLING,
        shared,
    )


def _missing(pair: Compared) -> tuple[float, ...]:
    """What one of both lacks: all of it and the most telling unit; of the name also without its codes."""
    query, name = pair.query_only, pair.name_only
    plain = {unit: left for unit, left in name.items() if not is_code(unit)}
    return (
        sum(query.values()),
        max(query.values(), default=0.0),
        sum(left for unit, left in query.items() if unit.isalpha()),
        sum(pair.rarity(unit) for unit in query if pair.rarity(unit) < 1.0),
        float(sum(pair.rarity(unit) == 1.0 for unit in query)),
        sum(name.values()),
        max(name.values(), default=0.0),
        sum(plain.values()),
        max(plain.values(), default=0.0),
    )


def _letters(pair: Compared) -> tuple[float, ...]:
    query, name = pair.query, pair.name
    common = len(query.trigrams & name.trigrams)
    return (
        2 * common / max(len(query.trigrams) + len(name.trigrams), 1),
        common / max(len(query.trigrams), 1),
        common / max(len(name.trigrams), 1),
        fuzz.token_set_ratio(query.text, name.text) / 100,
        fuzz.token_sort_ratio(query.text, name.text) / 100,
        fuzz.partial_ratio(query.text, name.text) / 100,
        fuzz.ratio(query.text, name.text) / 100,
    )


def _order(pair: Compared) -> tuple[float, ...]:
    """Whether both begin and go on alike."""
    query, name = pair.query.units, pair.name.units
    places = [query.index(unit) for unit in dict.fromkeys(name) if unit in pair.query.distinct]
    swaps = sum(one > other for one, other in pairwise(places))
    bare_query = [unit for unit in query if unit not in pair.name.brand and not is_code(unit)]
    bare_name = [unit for unit in name if unit not in pair.name.brand and not is_code(unit)]
    lengths = sorted((len(query), len(name)))
    return (
        lengths[0] / max(lengths[1], 1),
        swaps / max(len(places) - 1, 1),
        _run(query, name) / max(lengths[0], 1),
        _lead(bare_query, bare_name) / max(len(bare_query), 1),
        float(bool(query) and query[0] in pair.name.known),
        float(bool(query) and query[-1] in pair.name.known),
        float(bool(name) and name[0] in pair.query.distinct),
        float(frozenset(bare_query) == frozenset(bare_name)),
    )


def _run(left: Sequence[str], right: Sequence[str]) -> int:
    """The longest run of units that both have."""
    best, before = 0, [0] * (len(right) + 1)
    for one in left:
        here = [0] * (len(right) + 1)
        for place, other in enumerate(right, 1):
            if one == other:
                here[place] = before[place - 1] + 1
        best, before = max(best, *here), here
    return best


def _lead(left: Sequence[str], right: Sequence[str]) -> int:
    """How many units both begin with."""
    return next(
        (i for i, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), min(len(left), len(right))
    )


def _codes(pair: Compared) -> tuple[float, ...]:
    query, name = pair.query.codes, pair.name.codes
    equal = len(query & name)
    said = any(code in pair.name.squashed for code in query) or any(code in pair.query.squashed for code in name)
    return (
        float(min(equal, _CAP)),
        float(said),
        float(bool(query) and not said),
        float(bool(name) and not said),
        float(bool(query) and bool(name) and not said),
        float(not equal and are_siblings(query, name)),
    )


def _numbers(pair: Compared) -> tuple[float, ...]:
    """Plain numbers and amounts: said by both, by one, or otherwise by the other."""
    query, name = pair.query.quantities, pair.name.quantities
    kinds = (query.keys() & name.keys()) - {PLAIN}
    plain, other = query.get(PLAIN, frozenset()), name.get(PLAIN, frozenset())
    missing, extra = plain - other, other - plain
    return (
        float(len(plain & other)),
        float(len(missing)),
        float(len(extra)),
        float(min(len(missing), len(extra))),
        float(bool(plain) and not missing),
        float(bool(years(missing)) and bool(years(extra))),
        float(sum(not query[kind].isdisjoint(name[kind]) for kind in kinds)),
        float(sum(query[kind].isdisjoint(name[kind]) for kind in kinds)),
    )


def _looks(pair: Compared) -> tuple[float, ...]:
    query, name = pair.query.colours, pair.name.colours
    return (
        float(bool(query & name)),
        float(bool(query) and bool(name) and query.isdisjoint(name)),
        float(bool(query) and not name),
        float(bool(name) and not query),
    )


def _maker(pair: Compared, maker: str | None) -> tuple[float, ...]:
    """Whether the query names the product's maker, and whether it names another."""
    named = not pair.name.brand.isdisjoint(pair.query.distinct)
    unnamed = bool(pair.name.brand) and not named
    return float(named), float(unnamed), float(unnamed and maker is not None)


_COMPARED = """
exact_query_coverage query_coverage exact_name_coverage name_coverage coverage local_coverage telling_units
shared_weight query_only most_telling_query_only query_only_words query_only_known query_only_unknown name_only
most_telling_name_only name_only_plain most_telling_name_only_plain
trigrams trigrams_of_query trigrams_of_name token_set_ratio token_sort_ratio partial_ratio ratio
length_ratio swaps run lead begins_alike ends_within name_begins_within same_units
equal_codes said_codes query_code_unsaid name_code_unsaid other_codes sibling_codes
shared_numbers query_only_numbers name_only_numbers other_numbers all_numbers other_year shared_amounts other_amounts
shared_colour other_colour query_only_colour name_only_colour
maker_named maker_unnamed other_maker
""".split()
_RELATIVE = """
query_coverage name_coverage coverage local_coverage telling_units shared_weight query_only query_only_known name_only
name_only_plain trigrams token_set_ratio token_sort_ratio equal_codes said_codes shared_numbers shared_amounts
shared_colour
""".split()

FEATURES = (*_COMPARED, *(f"{name}_beside_best" for name in _RELATIVE))
"""Names of the features; the last ones are differences to the best candidate of the query."""

_RELATIVE_COLUMNS = [_COMPARED.index(name) for name in _RELATIVE]
_LOWER_IS_BETTER = np.array([name.startswith(("query_only", "name_only")) for name in _RELATIVE])
