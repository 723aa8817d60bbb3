"""Dates: months and days of the week that a sentence tells stand in what it cites."""

import calendar
import re

from graph.verification.case import Case

_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)}
_DAYS |= {name[:length]: number for name, number in _DAYS.items() for length in (3, 4)}
_NAME = "|".join(sorted({*_MONTHS, *_DAYS}, key=len, reverse=True))
_TOLD = re.compile(
    rf"\b(?:in|on|until|till|by|since|of|from|to|through|before|after|early|late|mid)[\s-](?P<after>{_NAME})s?\b"
    rf"|\d(?:st|nd|rd|th)?\s(?P<behind>{_NAME})\b|\b(?P<opening>{_NAME})\.?\s\d",
    re.IGNORECASE,
)
"""A word such as "may" or "sun" tells a date only beside a figure or a word of time."""
_ANY = re.compile(rf"\b(?:{_NAME})s?\b", re.IGNORECASE)
_ISO = re.compile(r"\b\d{4}-(\d\d)-\d\d\b")


def unfound_dates(case: Case) -> tuple[str, ...]:
    """The months and days of a sentence that no cited span says."""
    text = "\n".join(one.text for one in case.texts)
    there = {_read(found[0]) for found in _ANY.finditer(text)}
    there |= {("month", int(found[1])) for found in _ISO.finditer(text)}
    told = [found["after"] or found["behind"] or found["opening"] for found in _TOLD.finditer(case.said.text)]
    return tuple(name for name in told if name[0].isupper() and _read(name) not in there)


def _read(name: str) -> tuple[str, int]:
    bare = name.casefold()
    bare = bare if bare in _MONTHS or bare in _DAYS else bare.removesuffix("s")
    return ("month", _MONTHS[bare]) if bare in _MONTHS else ("day", _DAYS[bare])
