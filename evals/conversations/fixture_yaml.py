"""YAML as fixtures use it: values stay as they are written, every key knows its line, no key stands twice."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from evals.errors import MalformedFixtureError

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the top of a document down."""

_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"
_BOOL = "tag:yaml.org,2002:bool"


class _FixtureLoader(yaml.SafeLoader):
    """Reads only null, true and false as something other than text.

    So `now: 2026-06-01`, `region: 01067` and `answer_contains: [yes, 4.50]` mean what they look like.
    """

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 - the name and shape are PyYAML's


_FixtureLoader.add_implicit_resolver(_NULL, re.compile(r"(~|null|)$", re.IGNORECASE), ["~", "n", "N", ""])
_FixtureLoader.add_implicit_resolver(_BOOL, re.compile(r"(true|false)$", re.IGNORECASE), list("tTfF"))
_FixtureLoader.add_implicit_resolver(_MERGE, re.compile(r"<<$"), ["<"])


def read_yaml(file: Path) -> tuple[Any, Mapping[KeyPath, int]]:
    """Read one document.

    Returns:
        Its content, and the line (from 1) of every key and list item.

    Raises:
        MalformedFixtureError: It cannot be read, is no YAML, holds several documents, or repeats a key.
    """
    try:
        loader = _FixtureLoader(file.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        if node is None:
            raise MalformedFixtureError(file, None, "", "the file is empty")
        lines: dict[KeyPath, int] = {}
        _walk(file, node, (), lines)
        return loader.construct_document(node), lines
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedFixtureError(file, None, "", f"it cannot be read ({error})") from error
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
