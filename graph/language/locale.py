"""The language that shops and customers write: its words and tables lie in a folder of its name."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGE = "en"
"""The folder; another language is another folder of the same files, and weights taught in it."""


@cache
def table(name: str) -> dict[str, Any]:
    """A table of the language, such as its units."""
    return tomllib.loads(files(__package__).joinpath(LANGUAGE, f"{name}.toml").read_text(encoding="utf-8"))


def word_list(name: str) -> tuple[str, ...]:
    """Words of one class, in their order."""
    return tuple(table("words")[name].split())


def word_class(name: str) -> frozenset[str]:
    """Words of one class."""
    return frozenset(word_list(name))
