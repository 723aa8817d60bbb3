"""Places of the world: countries and well-known cities, as the time zone database (IANA) names them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import dropwhile

from graph.language.lexicon import ARTICLES
from graph.language.locale import word_class
from graph.language.terms import words

_BEFORE = word_class("before_places")
_MOST_WORDS = 4
"""Of a place's name."""


def countries_named(text: str) -> Iterator[tuple[str, str]]:
    """Each place of the world that a text says something goes to, is in or comes from, with the country it lies in."""
    spoken, known = words(text), _country_of()
    for place, before in enumerate(spoken, 1):
        if before not in _BEFORE:
            continue
        behind = list(dropwhile(ARTICLES.__contains__, spoken[place : place + _MOST_WORDS + 1]))
        names = (" ".join(behind[:length]) for length in range(len(behind), 0, -1))
        if name := next((name for name in names if name in known), None):
            yield name, known[name]


@cache
def _country_of() -> Mapping[str, str]:
    """The country of each place, by its folded name."""
    names = {code: re.sub(r"\s*\(.*?\)", "", name).replace("&", "and") for code, name in _rows("iso3166.tab")}
    cities = {zone.split("/")[-1].replace("_", " "): names[code] for code, _, zone, *_ in _rows("zone.tab")}
    return {
        " ".join(words(place)): country for place, country in (cities | {one: one for one in names.values()}).items()
    }


def _rows(table: str) -> list[list[str]]:
    lines = (files("tzdata.zoneinfo") / table).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]
