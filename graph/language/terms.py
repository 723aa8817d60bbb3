"""Terms: the stemmed content words by which questions and evidence are compared."""

import re
import unicodedata
from functools import lru_cache

from ingestion.stems import stem

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?", re.UNICODE)
"""A number with its separators, or a word with its apostrophe; letters and digits part ("128gb")."""

THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
REMEMBERED = 16384
"""Texts whose words are kept: the evidence of a product is read again for every intent and turn."""

STOPWORDS = frozenset(
    """a an the this that these those it its it's they them their he she his her i me my mine we us our you your
    yours is are was were be been being am do does did doing done have has had having can could will would shall
    should may might must of in on at to from for with without by as into onto about over under up down out off
    than then so and or but if not no nor very too also just only more most any some such own same other another
    each both what which who whom whose when where why how there here please tell know want need like get got
    give say says said anything something thing things kind sort ok okay hi hello hey thanks thank really
    actually exactly still yet until now right currently today already during within through between against per
    via upon once while again ever never plain simply straight away i'm i've i'd you're don't doesn't didn't
    isn't aren't can't won't what's that's there's let's""".split()
)


def fold(text: str) -> str:
    """Lower-case text without accents."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def words(text: str) -> list[str]:
    """Folded words and numbers of a text, in order; thousands separators are dropped."""
    return list(_words(text))


@lru_cache(maxsize=REMEMBERED)
def _words(text: str) -> tuple[str, ...]:
    return tuple(THOUSANDS.sub("", word) if "," in word else word for word in WORD.findall(fold(text)))


@lru_cache(maxsize=REMEMBERED)
def terms(text: str) -> tuple[str, ...]:
    """Stems of the content words of a text, in order, with repetitions."""
    return tuple(stem(word) for word in _words(text) if word not in STOPWORDS)


def coverage(asked: frozenset[str], text: str) -> float:
    """Share of the asked terms that occur in a text; 0 when nothing was asked."""
    return len(asked.intersection(terms(text))) / len(asked) if asked else 0.0


LONGEST = 300
"""Characters of a name that are looked for; what is longer is known by its beginning."""


@lru_cache(maxsize=2048)
def name_pattern(name: str, before: str = r"(?<!\w)", behind: str = r"(?!\w)") -> re.Pattern[str]:
    """The pattern of a whole name, in any case.

    Args:
        name: The name.
        before: Pattern of what stands before it; by itself, nothing that continues a word.
        behind: Pattern of what stands behind it.
    """
    return re.compile(rf"(?i){before}{re.escape(name[:LONGEST])}{behind}")
