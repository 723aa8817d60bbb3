"""`shop.toml`: what a shop says of itself and of its folder."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from ingestion.errors import ShopConfigError
from ingestion.evidence import GlossaryTerm
from ingestion.readers.cleaning import CELL_LIMIT, NAME_LIMIT, clean_line
from ingestion.readers.opening import RefusedFileError, read_small
from ingestion.source_types import SOURCE_TYPES

_NAME = re.compile(r"[a-z][a-z0-9_]*")
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ShopIntent:
    """What a shop says of an intent of its own, or adds to one that there is.

    Attributes:
        name: The intent.
        utterances: Ways to ask for it; `{product}` and `{brand}` stand for any name.
        source_types: The kinds of evidence that answer it; empty for those that an intent of this name reads anyway.
    """

    name: str
    utterances: tuple[str, ...]
    source_types: frozenset[str]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")

    utterances: list[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]] = Field(min_length=1)
    source_types: list[str] = Field(default_factory=list)

    @field_validator("source_types")
    @classmethod
    def _known(cls, given: list[str]) -> list[str]:
        if unknown := [kind for kind in given if kind not in SOURCE_TYPES]:
            message = f"{unknown[0]!r} is no kind of evidence; known are {', '.join(sorted(SOURCE_TYPES))}"
            raise ValueError(message)
        return given


def _intents(path: Path, section: Any) -> tuple[ShopIntent, ...]:  # noqa: ANN401 - parsed TOML
    """Read `[intents.NAME]` tables."""
    if not isinstance(section, dict):
        raise ShopConfigError(path, "[intents] must hold tables, such as [intents.gift_wrapping]")
    intents = []
    for name, body in section.items():
        if not _NAME.fullmatch(name):
            reason = "a name is lower-case letters, digits and _, such as gift_wrapping"
            raise ShopConfigError(path, f"[intents.{name}] {reason}")
        given = _checked(path, f"intents.{name}", _Section, body)
        intents.append(ShopIntent(name, tuple(given.utterances), frozenset(given.source_types)))
    return tuple(intents)


def _checked(path: Path, section: str, model: type[Model], body: object) -> Model:
    try:
        return model.model_validate(body)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise ShopConfigError(path, f"[{section}] {where}: {problem['msg']}") from error


CONFIG_NAME = "shop.toml"
_MAX_KEY_PARTS = 64
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
TABLES = ("products", "reviews", "questions", "facts")


@dataclass(frozen=True, slots=True)
class ShopConfig:
    """A read `shop.toml`.

    Attributes:
        columns: Table name to our column (dotted for nested ones) to the shop's column.
        regions: Region name to the names and postal prefixes that belong to it.
        glossary: The shop's own words.
        intents: What else its customers ask for, which `footnote train intent --shop` learns.
    """

    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    regions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    glossary: tuple[GlossaryTerm, ...] = ()
    intents: tuple[ShopIntent, ...] = ()


class _Term(BaseModel):
    model_config = ConfigDict(extra="forbid")

    term: str = Field(max_length=NAME_LIMIT)
    meaning: str = Field(max_length=CELL_LIMIT)
    intents: list[str] = Field(default_factory=list)
    url: str | None = None

    @field_validator("intents", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return [value] if isinstance(value, str) else value


def read_config(path: Path) -> ShopConfig:
    """Read a `shop.toml`.

    Raises:
        ShopConfigError: It is no TOML, or a part of it has an unknown name or a wrong shape.
    """
    try:
        text = read_small(path).decode("utf-8-sig")
        _check_keys(path, text)
        data = tomllib.loads(text)
        known = {*TABLES, "regions", "glossary", "intents"}
        if unknown := sorted(set(data) - known):
            raise ShopConfigError(path, f"unknown section [{unknown[0]}]; known are {', '.join(sorted(known))}")
        return ShopConfig(
            columns={table: _columns(path, table, data[table]) for table in TABLES if table in data},
            regions=_regions(path, data.get("regions", {})),
            glossary=tuple(_glossary(path, data.get("glossary", {}))),
            intents=_intents(path, data.get("intents", {})),
        )
    except RecursionError as error:
        raise ShopConfigError(path, "not valid TOML: nested too deeply") from error
    except (OSError, RefusedFileError) as error:
        raise ShopConfigError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except ValueError as error:
        raise ShopConfigError(path, f"not valid TOML: {error}") from error


def _check_keys(path: Path, text: str) -> None:
    """Refuse keys of many parts, which take the library a time that grows with their cube."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MAX_KEY_PARTS and _QUOTED.sub("", line).count(".") > _MAX_KEY_PARTS:
            raise ShopConfigError(path, f"not valid here: line {number} has a key of too many parts")


def _columns(path: Path, table: str, section: Any) -> dict[str, str]:  # noqa: ANN401 - parsed TOML
    if not isinstance(section, dict) or set(section) - {"columns"}:
        raise ShopConfigError(path, f'[{table}] may only hold [{table}.columns], such as id = "uniq_id"')
    flat = _flatten(section.get("columns", {}))
    if wrong := [ours for ours, theirs in flat.items() if not isinstance(theirs, str)]:
        raise ShopConfigError(path, f"[{table}.columns] {wrong[0]} must be the name of a column")
    return {ours: str(theirs) for ours, theirs in flat.items()}


def _flatten(section: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Make `{"price": {"amount": "cost"}}` into `{"price.amount": "cost"}`, so that TOML's dotted keys work."""
    flat: dict[str, Any] = {}
    for key, value in section.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _regions(path: Path, section: Any) -> dict[str, tuple[str, ...]]:  # noqa: ANN401 - parsed TOML
    regions = {}
    for name, members in section.items() if isinstance(section, dict) else [("[regions]", None)]:
        listed = [members] if isinstance(members, (str, int)) else members
        if not isinstance(listed, list) or not all(isinstance(member, (str, int)) for member in listed):
            raise ShopConfigError(path, f"[regions] {name} must be a name or a list of names and postal prefixes")
        regions[name] = tuple(str(member) for member in listed)
    return regions


def _glossary(path: Path, section: Any) -> list[GlossaryTerm]:  # noqa: ANN401 - parsed TOML
    """Read `[[glossary]]` entries, `[glossary."Term"]` tables and plain `"Term" = "meaning"` lines alike."""
    if isinstance(section, dict):
        section = [
            {"term": term, **(body if isinstance(body, dict) else {"meaning": body})} for term, body in section.items()
        ]
    if not isinstance(section, list):
        raise ShopConfigError(path, "[glossary] must hold terms and their meanings")
    terms = [_checked(path, "glossary", _Term, entry) for entry in section]
    return [
        GlossaryTerm(
            term=clean_line(term.term), meaning=clean_line(term.meaning), intents=tuple(term.intents), url=term.url
        )
        for term in terms
    ]
