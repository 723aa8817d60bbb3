"""`shop.toml`: what a shop says of itself and of its folder."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from ingestion.errors import ShopConfigError
from ingestion.evidence import GlossaryTerm
from ingestion.readers.opening import RefusedFileError, read_small
from ingestion.readers.rows import Line, Name, Names, explain
from ingestion.source_types import SOURCE_TYPES

CONFIG_NAME = "shop.toml"
TABLES = ("products", "reviews", "questions", "facts")
_INTENT_NAME = re.compile(r"[a-z][a-z0-9_]*")
_MAX_KEY_PARTS = 64
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


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


@dataclass(frozen=True, slots=True)
class ShopConfig:
    """A read `shop.toml`.

    Attributes:
        columns: Table name to our column (dotted for nested ones) to the shop's column.
        regions: Region name to the names and postal prefixes that belong to it.
        glossary: The shop's own words.
        intents: What else its customers ask for, which `footnote train intent --shop` learns.
    """

    columns: Mapping[str, dict[str, str]] = field(default_factory=dict)
    regions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    glossary: tuple[GlossaryTerm, ...] = ()
    intents: tuple[ShopIntent, ...] = ()


def _flat(section: Any) -> Any:  # noqa: ANN401 - parsed TOML, as below
    """Make `{"price": {"amount": "cost"}}` into `{"price.amount": "cost"}`, so that TOML's dotted keys work."""
    return dict(_paths(section)) if isinstance(section, dict) else section


def _paths(section: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in section.items():
        if isinstance(value, dict):
            yield from _paths(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _terms(section: Any) -> Any:  # noqa: ANN401
    """Read `[[glossary]]` entries, `[glossary."Term"]` tables and plain `"Term" = "meaning"` lines alike."""
    if not isinstance(section, dict):
        return section
    return [{"term": term, **(body if isinstance(body, dict) else {"meaning": body})} for term, body in section.items()]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Table(_Section):
    columns: Annotated[dict[str, str], BeforeValidator(_flat)] = Field(default_factory=dict)


class _Term(_Section):
    term: Name
    meaning: Line
    intents: Names = ()
    url: Line | None = None


class _Intent(_Section):
    utterances: list[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]] = Field(min_length=1)
    source_types: list[str] = Field(default_factory=list)

    @field_validator("source_types")
    @classmethod
    def _known(cls, given: list[str]) -> list[str]:
        if unknown := [kind for kind in given if kind not in SOURCE_TYPES]:
            message = f"{unknown[0]!r} is no kind of evidence; known are {', '.join(sorted(SOURCE_TYPES))}"
            raise ValueError(message)
        return given


class _File(_Section):
    products: _Table = _Table()
    reviews: _Table = _Table()
    questions: _Table = _Table()
    facts: _Table = _Table()
    regions: dict[str, Names] = Field(default_factory=dict)
    glossary: Annotated[list[_Term], BeforeValidator(_terms)] = Field(default_factory=list)
    intents: dict[str, _Intent] = Field(default_factory=dict)

    @field_validator("regions", mode="before")
    @classmethod
    def _lists(cls, given: Any) -> Any:  # noqa: ANN401
        if isinstance(given, dict) and (
            wrong := [name for name, members in given.items() if isinstance(members, dict)]
        ):
            message = f"{wrong[0]} must be a name or a list of names and postal prefixes"
            raise ValueError(message)
        return given

    @field_validator("intents")
    @classmethod
    def _named(cls, given: dict[str, _Intent]) -> dict[str, _Intent]:
        if wrong := [name for name in given if not _INTENT_NAME.fullmatch(name)]:
            message = f"{wrong[0]!r}: a name is lower-case letters, digits and _, such as gift_wrapping"
            raise ValueError(message)
        return given


def read_config(path: Path) -> ShopConfig:
    """Read a `shop.toml`.

    Raises:
        ShopConfigError: It is no TOML, or a part of it has an unknown name or a wrong shape.
    """
    try:
        text = read_small(path).decode("utf-8-sig")
        _check_keys(path, text)
        file = _File.model_validate(tomllib.loads(text))
    except RecursionError as error:
        raise ShopConfigError(path, "not valid TOML: nested too deeply") from error
    except (OSError, RefusedFileError) as error:
        raise ShopConfigError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except ValidationError as error:
        raise ShopConfigError(path, explain(error)) from error
    except ValueError as error:
        raise ShopConfigError(path, f"not valid TOML: {error}") from error
    columns = {table: getattr(file, table).columns for table in TABLES}
    return ShopConfig(
        {table: named for table, named in columns.items() if named},
        file.regions,
        tuple(GlossaryTerm(**dict(term)) for term in file.glossary),
        tuple(
            ShopIntent(name, tuple(one.utterances), frozenset(one.source_types)) for name, one in file.intents.items()
        ),
    )


def _check_keys(path: Path, text: str) -> None:
    """Refuse keys of many parts, which take the library a time that grows with their cube."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MAX_KEY_PARTS and _QUOTED.sub("", line).count(".") > _MAX_KEY_PARTS:
            raise ShopConfigError(path, f"not valid here: line {number} has a key of too many parts")
