"""The table of sensitive claims: classes with their patterns, as the package ships them and as a shop extends them."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from graph.language.shop_patterns import shop_pattern

Severity = Literal["low", "medium", "high"]
PATTERNS = ("designations", "claims", "questions")
"""The fields of a class that hold patterns."""
Place = tuple[int, int]
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high")


class SensitiveClass(BaseModel):
    """A class of claims.

    Attributes:
        on: Whether it is looked for.
        severity: How bad a wrong one would be.
        label: What it is called in a review.
        settled: What answers a question of this class: `primary` where nothing but a primary source does, its yes and
            no in the same words; `shop` where only the words of yes and no are free; `verbatim` where only the claims
            in what is shown are looked up.
        figures: A claim with figures is these, the way its limit goes and what it is a limit of.
        holds: Words of which a statement must hold one to be about such a claim; empty for none.
        designations: Patterns of names and numbers, written in one order.
        claims: Patterns of statements.
        questions: Patterns that ask for such a claim without making it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    on: bool = True
    severity: Severity = "high"
    label: str = Field(min_length=1)
    settled: Literal["primary", "shop", "verbatim"] = "primary"
    figures: bool = False
    holds: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _usable(self) -> Self:
        """Every pattern can be read."""
        for pattern in (*self.designations, *self.claims, *self.questions):
            places(pattern, "")
        return self


def shipped_classes() -> dict[str, SensitiveClass]:
    """The classes that are known without any settings, by name."""
    return {name: SensitiveClass.model_validate(entry) for name, entry in raw_table()["class"].items()}


def extended(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a shop gives, over the classes that ship: patterns are added, anything else is replaced."""
    merged = {name: dict(entry) for name, entry in raw_table()["class"].items()}
    for name, entry in given.items():
        if not isinstance(entry, Mapping):
            merged[name] = entry
            continue
        known = merged.setdefault(name, {"label": name.replace("_", " ")})
        for key, value in entry.items():
            old = known.get(key, ())
            patterns = key in PATTERNS and isinstance(value, list | tuple)
            known[key] = tuple(dict.fromkeys([*old, *value])) if patterns else value
    return merged


@lru_cache(maxsize=1)
def raw_table() -> dict[str, Any]:
    """The shipped table as it is written, read once."""
    return tomllib.loads(files("graph.options").joinpath("sensitive.toml").read_text(encoding="utf-8"))


def places(pattern: str, text: str) -> Iterator[Place]:
    """Where a pattern matches, in code points: one that ships, or one that a shop gives.

    Raises:
        ValueError: It can be read as neither.
    """
    shipped = _shipped_patterns().get(pattern)
    if shipped is None:
        return shop_pattern(_whole(pattern)).places(text)
    return (found.span() for found in shipped.finditer(text))


@lru_cache(maxsize=1)
def _shipped_patterns() -> Mapping[str, re.Pattern[str]]:
    """What ships, compiled once; the tests hold it to time linear in the text."""
    lists = (entry.get(key, ()) for entry in raw_table()["class"].values() for key in PATTERNS)
    return {pattern: re.compile(_whole(pattern), re.IGNORECASE) for patterns in lists for pattern in patterns}


def _whole(pattern: str) -> str:
    """A pattern with its parts in their places."""
    for _ in range(2):  # A part may stand in another.
        for name, part in raw_table()["parts"].items():
            pattern = pattern.replace(f"%{name}%", part)
    return pattern
