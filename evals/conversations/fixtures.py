"""Conversation fixtures: read with the line of whatever is wrong."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Generic, Self, TypeVar

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from app.errors import InputError
from graph.turn import Branch, Outcome, Page, Style, User

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the top of a document down."""

_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"
_BOOL = "tag:yaml.org,2002:bool"


class MalformedFixtureError(InputError):
    """A conversation fixture that cannot be understood.

    Attributes:
        file: The fixture.
        line: Where in it, from 1; None when it is about the whole file.
        key: Path of the key, such as `turns[1].expect.outcome`; empty for the whole file.
        reason: What is wrong and what is allowed.
    """

    def __init__(self, file: Path, line: int | None, key: str, reason: str) -> None:
        self.file, self.line, self.key, self.reason = file, line, key, reason
        place = f"{file}:{line}" if line else str(file)
        super().__init__(f"{place}: {key}: {reason}" if key else f"{place}: {reason}")


class MalformedFixturesError(InputError):
    """Several fixtures that cannot be understood."""

    def __init__(self, errors: Sequence[MalformedFixtureError]) -> None:
        self.errors = list(errors)
        super().__init__("\n".join(map(str, errors)))


class _FixtureLoader(yaml.SafeLoader):
    """Reads only null, true and false as something other than text.

    So `now: 2026-06-01`, `region: 01067` and `answer_contains: [yes, 4.50]` mean what they look like.
    """

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 - the name and shape are PyYAML's


_FixtureLoader.add_implicit_resolver(_NULL, re.compile(r"(~|null|)$", re.IGNORECASE), ["~", "n", "N", ""])
_FixtureLoader.add_implicit_resolver(_BOOL, re.compile(r"(true|false)$", re.IGNORECASE), list("tTfF"))
_FixtureLoader.add_implicit_resolver(_MERGE, re.compile(r"<<$"), ["<"])


def read_yaml(text: str, file: Path) -> tuple[Any, Mapping[KeyPath, int]]:
    """Read one document, which stands in a file or is to.

    Returns:
        Its content, and the line (from 1) of every key and list item.

    Raises:
        MalformedFixtureError: It is no YAML, holds several documents, or repeats a key.
    """
    try:
        loader = _FixtureLoader(text)
        node = loader.get_single_node()
        if node is None:
            raise MalformedFixtureError(file, None, "", "the file is empty")
        lines: dict[KeyPath, int] = {}
        _walk(file, node, (), lines)
        return loader.construct_document(node), lines
    except RecursionError as error:
        raise MalformedFixtureError(file, None, "", "an alias contains itself") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise MalformedFixtureError(file, line, "", f"it is no YAML ({error.problem})") from error
    except yaml.YAMLError as error:
        raise MalformedFixtureError(file, None, "", f"it is no YAML ({error})") from error


def key_name(path: KeyPath) -> str:
    """A path as people write it: `turns[1].expect.outcome`, turns counted from 1."""
    name = ""
    for part in path:
        name += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if name else part
    return name


def _walk(file: Path, node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int]) -> None:
    """Note the line of everything below a node."""
    if isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            lines[*path, position] = item.start_mark.line + 1
            _walk(file, item, (*path, position), lines)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            below = (*path, str(key.value))
            line = key.start_mark.line + 1
            if below in lines and key.tag != _MERGE:
                raise MalformedFixtureError(
                    file, line, key_name(below), f"it stands twice, first in line {lines[below]}"
                )
            lines[below] = line
            _walk(file, value, below, lines)


SUFFIX = ".conversation.yaml"

T = TypeVar("T")


class Strict(BaseModel):
    """Base of all fixture parts: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(config=ConfigDict(extra="forbid"), frozen=True)
class AnyOf(Generic[T]):
    """`{any: [..]}`: one of several values is enough."""

    any: Annotated[list[T], Field(min_length=1)]


def _kind_of_value(value: object) -> str:
    return "{any}" if isinstance(value, AnyOf) or (isinstance(value, Mapping) and "any" in value) else "{value}"


def _as_list(value: object) -> object:
    """A single entry stands for a list of one."""
    return value if isinstance(value, list) else [value]


def _as_text(value: object) -> object:
    """A bare `true` or `false` among texts is the word."""
    return str(value).lower() if isinstance(value, bool) else value


def _as_moment(value: object) -> object:
    """A date is its first moment; times without a zone are UTC."""
    if not isinstance(value, str):
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        msg = f"{value!r} is no date or time such as 2026-06-01 or 2026-06-01T09:30"
        raise ValueError(msg) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Value = Annotated[Annotated[T, Tag("{value}")] | Annotated[AnyOf[T], Tag("{any}")], Discriminator(_kind_of_value)]
"""A value, or several of which one is enough."""

Values = Value[Annotated[list[Value[T]], BeforeValidator(_as_list)]]
"""A list of values, or several lists of which one is enough."""

Text = Annotated[str, BeforeValidator(_as_text)]
Moment = Annotated[datetime, BeforeValidator(_as_moment)]


class ExpectedDerivation(Strict):
    """How a figure must have been computed."""

    op: Value[str] | None = None
    value: Value[Text] | None = None


class ExpectedCitation(Strict):
    """What one citation must be; keys that are absent may be anything, `null` must be null."""

    source_type: Value[str] | None = None
    product: Value[str] | None = None
    product_id: Value[str] | None = None
    evidence_id: Value[str] | None = None
    title: Value[Text] | None = None
    section: Value[Text] | None = None
    page: Value[int] | None = None
    url: Value[str] | None = None
    updated_at: Value[str] | None = None
    quote: Value[Text] | None = None
    marker: Value[int] | None = None
    start: Value[int] | None = None
    end: Value[int] | None = None
    generation: Value[str] | None = None
    derived: ExpectedDerivation | None = None


class Expect(Strict):
    """What must hold of a turn; see `evals.conversations.expectations` for what each key means."""

    outcome: Value[Outcome] | None = None
    products: Values[str] | None = None
    intents: Values[str] | None = None
    branch: Value[Branch] | None = None
    answer_contains: Values[Text] | None = None
    answer_excludes: Values[Text] | None = None
    cites: Values[ExpectedCitation] | None = None
    cites_only_products: Values[str] | None = None
    min_confidence: Value[float] | None = None
    standalone_contains: Values[Text] | None = None
    searchable: Value[bool] | None = None
    live_agent: Value[bool] | None = None
    options: Values[Text] | None = None
    escalation: Value[bool | str] | None = None

    @model_validator(mode="after")
    def _no_empty_key(self) -> Self:
        empty = [name for name in self.model_fields_set if getattr(self, name) is None]
        if empty:
            msg = f"{', '.join(sorted(empty))} has no value; leave the key out, or say what is expected"
            raise ValueError(msg)
        return self


class FixtureTurn(Strict):
    """One thing the user says or clicks."""

    user: Text | None = None
    click: Text | None = None
    now: Moment | None = None
    style: Style = "text"
    expect: Annotated[Expect, BeforeValidator(lambda value: {} if value is None else value)] = Expect()

    @model_validator(mode="after")
    def _said_or_clicked(self) -> Self:
        if (self.user is None) == (self.click is None):
            msg = "a turn has either `user` (what is typed) or `click` (an option that was offered)"
            raise ValueError(msg)
        return self


class Conversation(Strict):
    """A fixture.

    Attributes:
        name: What it is about; the file's name when absent.
        index: A built index by name or path, a shop's folder, or `demo`.
        now: What the clock says; the machine's time when absent.
        user: Who asks.
        turns: What is said, in order.
    """

    name: Text = ""
    index: str | None = None
    now: Moment | None = None
    user: User | None = None
    turns: list[FixtureTurn] = Field(min_length=1)


def load_fixture(file: Path) -> Conversation:
    """Read a fixture.

    Raises:
        MalformedFixtureError: It says something that fixtures cannot say.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedFixtureError(file, None, "", f"it cannot be read ({error})") from error
    return parse_fixture(text, file)


def parse_fixture(text: str, file: Path) -> Conversation:
    """A fixture from its text; raises as `load_fixture`.

    Args:
        text: The fixture.
        file: Where it stands, or is to; names it where it has no name.
    """
    content, lines = read_yaml(text, file)
    if not isinstance(content, dict):
        raise MalformedFixtureError(file, 1, "", f"a fixture is a mapping with the keys {_names(Conversation)}")
    try:
        conversation = Conversation.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        path = _known_path(first["loc"], lines)
        reason = (
            _unknown_key(path) if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
        )
        raise MalformedFixtureError(file, lines.get(path), key_name(path), reason) from error
    name = conversation.name or file.name.removesuffix(SUFFIX)
    return conversation.model_copy(update={"name": name})


def find_fixtures(paths: Iterable[Path]) -> list[Path]:
    """The fixtures at these paths, folders searched through, each once.

    Raises:
        InputError: A path does not exist, or is a folder without any.
    """
    found: dict[Path, None] = {}
    for path in paths:
        files = [path] if path.is_file() else sorted(path.rglob(f"*{SUFFIX}"))
        if not files:
            what = f"holds no *{SUFFIX}" if path.exists() else "does not exist"
            message = f"{path} {what}. Name a fixture, or a folder that holds some."
            raise InputError(message)
        found.update(dict.fromkeys(files))
    return list(found)


def load_fixtures(paths: Iterable[Path]) -> dict[Path, Conversation]:
    """Read all fixtures at these paths.

    Raises:
        InputError: Nothing lies at one of them.
        MalformedFixturesError: Some cannot be understood; it holds the error of each.
    """
    loaded: dict[Path, Conversation] = {}
    errors: list[MalformedFixtureError] = []
    for file in find_fixtures(paths):
        try:
            loaded[file] = load_fixture(file)
        except MalformedFixtureError as error:
            errors.append(error)
    if errors:
        raise MalformedFixturesError(errors)
    return loaded


def _known_path(location: Iterable[str | int], lines: Mapping[KeyPath, int]) -> KeyPath:
    """The part of a validation error's location that stands in the file; the rest names branches of types."""
    path: KeyPath = ()
    for part in location:
        if (*path, part) in lines:
            path = (*path, part)
    return path


def _unknown_key(path: KeyPath) -> str:
    *above, key = path
    allowed = _names(_model_at(tuple(above)))
    near = difflib.get_close_matches(str(key), allowed.split(", "), n=1)
    return f"there is no such key{f'; did you mean {near[0]}?' if near else '.'} Allowed here are {allowed}."


def _model_at(path: KeyPath) -> type[BaseModel]:
    """The model of the mapping at a path."""
    named: dict[str | int, type[BaseModel]] = {
        "expect": Expect,
        "user": User,
        "page": Page,
        "derived": ExpectedDerivation,
    }
    if not path:
        return Conversation
    if path[-1] in named:
        return named[path[-1]]
    if "cites" in path:
        return ExpectedCitation
    return FixtureTurn


def _names(model: type[BaseModel]) -> str:
    return ", ".join(model.model_fields)
