"""Attribute families: how customers ask for an attribute, and how a sentence states it."""

import re
from functools import cache, cached_property, lru_cache

from pydantic import BaseModel, ConfigDict, TypeAdapter

from graph.language.locale import table, word_class
from graph.language.terms import Stems, stems, terms, words
from ingestion.source_types import SOURCE_TABLE
from ingestion.stems import stem

_NEUTRAL = frozenset(map(stem, word_class("neutral")))
"""Stems of words in an attribute's name that do not change what is measured."""
SHORTEST_VERB = 3
"""Letters before `-able`."""


class Family(BaseModel):
    """Attributes that mean the same kind of thing, whatever a shop calls them.

    Attributes:
        names: Stems of the ways to name it; all stems of one way must occur in the attribute's name.
        cues: Words by which it is asked for.
        says: The predicate for one product, with `{value}`, `{a_value}` and `{name}`; None for the general one.
        are: The same for a product whose name is a plural.
        units: The predicate fits only values with one of these words; empty for any value.
        noun: What `{name}` becomes when the attribute's own name is longer than the thing it names.
        measures: Whether its values are measures, which say little without a unit.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    names: tuple[Stems, ...]
    cues: tuple[str, ...]
    says: str | None = None
    are: str | None = None
    units: frozenset[str] = frozenset()
    noun: str | None = None
    measures: bool = False

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words by which it is asked for."""
        return frozenset(map(stem, self.cues))


@cache
def families() -> tuple[Family, ...]:
    """All families, read once."""
    return TypeAdapter(tuple[Family, ...]).validate_python(table("families")["family"])


@lru_cache(maxsize=1)
def cue_words() -> frozenset[str]:
    """Words by which attributes and kinds of evidence are asked for: "price", "battery", "warranty"."""
    cues = [*(family.cues for family in families()), *(kind.cues for kind in SOURCE_TABLE.values())]
    return frozenset(word for some in cues for word in some)


@lru_cache(maxsize=4096)
def family_of(attribute: str) -> Family | None:
    """The family whose name fits an attribute's name most closely; None for an attribute of no family."""
    named = stems(attribute)
    fits = [(len(way), family) for family in families() for way in family.names if way <= named]
    return max(fits, key=lambda fit: fit[0])[1] if fits else None


def is_wholly_named(attribute: str, family: Family) -> bool:
    """Whether an attribute's name says no more than its family: a maximum load weight is not what a thing weighs."""
    return not own_words(attribute, family)


def own_words(attribute: str, family: Family) -> frozenset[str]:
    """Stems of the words by which an attribute's name says more than its family."""
    named = stems(attribute) - _NEUTRAL
    return min((named - way for way in family.names if way <= named), key=len, default=frozenset())


@lru_cache(maxsize=16384)
def covered_terms(attribute: str, value: str) -> frozenset[str]:
    """Terms of a question that an attribute answers: its own words and its family's cues."""
    family = family_of(attribute)
    able = frozenset(base for word in words(f"{attribute} {value}") for base in _of_able(word))
    return frozenset(terms(f"{attribute} {value}")) | able | (family.stems if family else frozenset())


def _of_able(word: str) -> tuple[str, ...]:
    """What can be done with what is called so: what is `foldable` one can fold, what is `adjustable` adjust."""
    base = word.removesuffix("able")
    if base == word or len(base) < SHORTEST_VERB:
        return ()
    return tuple(map(stem, (base, f"{base}e", re.sub(r"(.)\1$", r"\1", base))))
