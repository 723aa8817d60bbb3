"""`[intents]` of a `shop.toml`: what else the shop's customers ask for, and how they say it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from ingestion.errors import ShopConfigError
from ingestion.source_types import SOURCE_TYPES

_NAME = r"^[a-z][a-z0-9_]*$"


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


class _Name(BaseModel):
    name: str = Field(pattern=_NAME)


def read_intents(path: Path, section: Any) -> tuple[ShopIntent, ...]:  # noqa: ANN401 - parsed TOML
    """Read `[intents.NAME]` tables.

    Raises:
        ShopConfigError: A name, an utterance or a kind of evidence cannot be used.
    """
    if not isinstance(section, dict):
        raise ShopConfigError(path, "[intents] must hold tables, such as [intents.gift_wrapping]")
    return tuple(_intent(path, name, body) for name, body in section.items())


def _intent(path: Path, name: str, body: object) -> ShopIntent:
    try:
        _Name(name=name)
        given = _Section.model_validate(body)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        if where == "name":
            reason = "a name is lower-case letters, digits and _, such as gift_wrapping"
        else:
            reason = f"{where}: {problem['msg']}".removeprefix(": ")
        raise ShopConfigError(path, f"[intents.{name}] {reason}") from error
    return ShopIntent(name, tuple(given.utterances), frozenset(given.source_types))
