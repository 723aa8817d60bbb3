"""The language that shops and customers write: its words and tables lie in a folder of its name."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGE = "en"
"""The folder of words, tables and replies; weights know one language."""


@cache
def table(name: str) -> dict[str, Any]:
    """A table of the language, such as its units."""
    return tomllib.loads(files(__package__).joinpath(LANGUAGE, f"{name}.toml").read_text(encoding="utf-8"))


def reply(key: str, /, *, many: bool = False, **fields: object) -> str:
    """What the assistant says of its own, its fields filled in; of a pair the second, where it speaks of several."""
    text = table("replies")[key]
    return str(text if isinstance(text, str) else text[many]).format(**fields)


def word_list(name: str) -> tuple[str, ...]:
    """Words of one class, in their order."""
    return tuple(table("words")[name].split())


def word_class(name: str) -> frozenset[str]:
    """Words of one class."""
    return frozenset(word_list(name))


def alternatives(name: str) -> str:
    """A class of phrases as the pattern of any of them, the longest first."""
    listed = sorted(table("phrases")[name], key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\*", r"[\w-]{0,40}").replace(r"\ ", r"\s+") for phrase in listed)


@cache
def phrases(name: str) -> re.Pattern[str]:
    """The pattern that finds the phrases of a class, whole and in any case."""
    return re.compile(rf"(?i)(?<!\w)(?:{alternatives(name)})(?!\w)")
