"""Phrases: what is recognised by the words it is said with, class by class."""

import re
from functools import cache

from graph.language.locale import table


def alternatives(name: str) -> str:
    """A class of phrases as the pattern of any of them, the longest first."""
    listed = sorted(table("phrases")[name], key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\*", r"[\w-]{0,40}").replace(r"\ ", r"\s+") for phrase in listed)


@cache
def phrases(name: str) -> re.Pattern[str]:
    """The pattern that finds the phrases of a class, whole and in any case."""
    return re.compile(rf"(?i)(?<!\w)(?:{alternatives(name)})(?!\w)")
