"""Wording: the tokens by which a claim is found again in a source, whatever its case, hyphens, plurals and units."""

import re
from dataclasses import dataclass
from functools import lru_cache

from graph.language.terms import STOPWORDS, fold
from graph.options.sensitive import raw_table
from ingestion.stems import stem

TOKEN = re.compile(r"°\s?[cf]\b|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
NEGATIONS = frozenset({"not", "no", "never", "cannot", "without", "none", "neither", "nor"})
PREFIXES = frozenset({"non", "hypo", "anti"})
WASHABLE = re.compile(r"\b(dishwasher|microwave|oven|freezer|washer|machine)[ -]safe\b")
"""What an appliance does not harm is no matter of safety."""
LIMITING = frozenset({"up", "from", "above", "over", "under", "below", "most", "least"})
"""Words that tell which way a limit goes, though they are stop words elsewhere."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is known of single words.

    Attributes:
        canonical: Stem to the stem that stands for it.
        units: Stems of units.
        status: Stems of what was done to earn a statement.
        upper: Stems that tell a limit above.
        lower: Stems that tell a limit below.
        generic: Stems that do not say what a claim is about.
        empty: Those that do not even tell its topic.
        topics: Groups of stems that belong together.
    """

    canonical: dict[str, str]
    units: frozenset[str]
    status: frozenset[str]
    upper: frozenset[str]
    lower: frozenset[str]
    generic: frozenset[str]
    empty: frozenset[str]
    topics: tuple[frozenset[str], ...]


@lru_cache(maxsize=1)
def vocabulary() -> Words:
    """The words of the table, read once."""
    raw = raw_table()["words"]
    canonical = {_plain(word): _plain(group[0]) for group in raw["same"] for word in group}

    def stems(words: list[str]) -> frozenset[str]:
        return frozenset(canonical.get(_plain(word), _plain(word)) for word in words)

    return Words(
        canonical=canonical,
        units=stems(raw["units"]),
        status=stems(raw["status"]),
        upper=stems(raw["upper"]),
        lower=stems(raw["lower"]),
        generic=stems(raw["generic"]),
        empty=stems(raw["empty"]),
        topics=tuple(stems(group) for group in raw["topics"]),
    )


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Canonical stems of a text in order, a figure and its unit as one; function words and negations are left out."""
    known = vocabulary()
    found: list[str] = []
    joined = ""
    for word in TOKEN.findall(WASHABLE.sub(r"\1", fold(text))):
        figure = bool(found) and found[-1][0].isdigit() and not found[-1][-1].isalpha()
        if word[0].isdigit():
            found.append(re.sub(r",(?=\d{3})", "", word))
        elif word in PREFIXES:
            joined = word
            continue
        elif figure and (unit := _canonical(word)) in known.units:
            found[-1] += unit
        elif len(word) == 1 or (word in STOPWORDS and word not in LIMITING) or negates(word):
            found += [word] if len(word) == 1 and figure and word not in STOPWORDS else []
        else:
            found.append(_canonical(joined + word))
        joined = ""
    return tuple(found)


@lru_cache(maxsize=4096)
def negated(text: str) -> bool:
    """Whether a clause denies what it is about."""
    return any(negates(word) for word in TOKEN.findall(fold(text)))


def negates(word: str) -> bool:
    """Whether a folded word denies."""
    return word in NEGATIONS or word.replace("’", "'").endswith("n't")


def about(found: tuple[str, ...]) -> frozenset[str]:
    """The tokens that say what a claim is about; where none is specific, those that tell its topic."""
    plain = frozenset(token.removeprefix("non") or token for token in found)
    return plain - vocabulary().generic or plain - vocabulary().empty or plain


def related(specific: frozenset[str], said: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a claim is about, with the topics that it or anything said beside it belongs to."""
    return specific.union(*(group for group in vocabulary().topics if group & (specific | said)))


def _canonical(word: str) -> str:
    stemmed = _plain(word)
    return vocabulary().canonical.get(stemmed, stemmed)


def _plain(word: str) -> str:
    return stem(fold(word).replace("°", "").strip())
