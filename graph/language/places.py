"""Places of the world: countries by the names of the Unicode CLDR, and well-known cities of the IANA time zones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import dropwhile

from babel import Locale

from graph.language.lexicon import ARTICLES
from graph.language.locale import word_class
from graph.language.terms import words

_BEFORE = word_class("before_places")
_MOST_WORDS = 4
"""Of a place's name."""


def countries_named(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Each place of the world that a text says something goes to, is in or comes from.

    Yields:
        Its name, folded, and the names of the country it lies in, the usual one first, the code last.
    """
    spoken, known = words(text), _country_of()
    for place, before in enumerate(spoken, 1):
        if before not in _BEFORE:
            continue
        behind = list(dropwhile(ARTICLES.__contains__, spoken[place : place + _MOST_WORDS + 1]))
        names = (" ".join(behind[:length]) for length in range(len(behind), 0, -1))
        if name := next((name for name in names if name in known), None):
            yield name, known[name]


@cache
def _country_of() -> Mapping[str, Sequence[str]]:
    """The names of the country that each place lies in, by the place's folded name."""
    usual, found = Locale("en").territories, dict[str, Sequence[str]]()
    names = {code: [usual[code], *re.findall(r"[^()]+", said), code] for code, said in _rows("iso3166.tab")}
    for code, _, zone, *_ in _rows("zone.tab"):
        found[_folded(zone.split("/")[-1].replace("_", " "))] = names[code]
    return found | {_folded(name): own for own in names.values() for name in own[:-1]}


def _folded(name: str) -> str:
    return " ".join(words(name.replace("&", "and")))


def _rows(table: str) -> list[list[str]]:
    lines = (files("tzdata.zoneinfo") / table).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]
