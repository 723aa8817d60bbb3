"""Giving a shop's columns our names and shapes."""

import ast
import json
import math
import re
from functools import lru_cache
from typing import Any

from ingestion.readers.repairs import Repairs

Row = dict[str, Any]

_STRUCTURED = frozenset({"category", "aliases", "price", "attributes", "features", "variants", "related", "keywords"})
"""Columns whose cells may hold JSON, and which may be spread over dotted columns."""
_LISTS = _STRUCTURED - {"price", "attributes"}
_TRUTHS = {"true": True, "false": False}


def rename(row: Row, columns: dict[str, str]) -> Row:
    """Give columns our names; a column that several of ours read is read by each of them."""
    taken = {theirs for theirs in columns.values() if theirs in row}
    renamed = {name: value for name, value in row.items() if name not in taken and name not in columns}
    for ours, theirs in columns.items():
        value = row[theirs] if theirs in row else _dig(row, theirs)
        if value is not None:
            renamed[ours] = value
        elif ours in row and ours not in taken:
            renamed[ours] = row[ours]
    return renamed


def _dig(row: Row, dotted: str) -> Any:  # noqa: ANN401 - any JSON value
    value: Any = row
    for part in dotted.split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdecimal() and int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def nest(row: Row, repairs: Repairs, line: int | None) -> Row:
    """Fold dotted columns into objects and lists, parse cells that hold JSON, and leave out what is empty."""
    nested: Row = {}
    for name, value in row.items():
        path = _path(name)
        parsed = _parse_cell(value, repairs, line) if path[0] in _STRUCTURED else value
        if path[0] in _STRUCTURED and isinstance(parsed, str) and "attributes" in path[:-1]:
            parsed = _TRUTHS.get(parsed.strip().lower(), parsed)
        kept = _without_empty(parsed)
        if kept is not None:
            _place(nested, path, kept)
    return {name: _listed(value) if name in _LISTS else value for name, value in nested.items()}


@lru_cache(maxsize=1024)
def _path(name: str) -> tuple[str, ...]:
    """The steps of a dotted column of ours; the name of an attribute may have dots itself."""
    steps = re.sub(r"\[(\d+)\]", r".\1", name).split(".")
    if steps[0] not in _STRUCTURED:
        return (name,)
    if "attributes" in steps[:-1]:
        end = steps.index("attributes") + 1
        return (*steps[:end], name.split("attributes.", 1)[1])
    return tuple(steps)


def _place(nested: Row, path: tuple[str, ...], value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Put a value at its place; what a dotted column says wins over the same in a cell."""
    *outer, last = path
    for step in outer:
        inner = nested.get(step)
        if not isinstance(inner, dict):
            inner = dict(enumerate(inner)) if isinstance(inner, list) else {}
            inner = {str(key): held for key, held in inner.items()}
            nested[step] = inner
        nested = inner
    existing = nested.get(last)
    nested[last] = {**value, **existing} if isinstance(value, dict) and isinstance(existing, dict) else value


def _listed(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """An object whose names are all numbers as the list that it is spread from."""
    if not isinstance(value, dict):
        return value
    if value and all(str(name).isdecimal() for name in value):
        return [_listed(value[name]) for name in sorted(value, key=int)]
    return {name: inner if name == "attributes" else _listed(inner) for name, inner in value.items()}


def _without_empty(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A value without what is null, not a number or blank in it; None where nothing is left."""
    if isinstance(value, dict):
        inner = {name: _without_empty(held) for name, held in value.items()}
        return {name: held for name, held in inner.items() if held is not None} or None
    if isinstance(value, list):
        return [held for held in map(_without_empty, value) if held is not None] or None
    if isinstance(value, float) and math.isnan(value):
        return None
    return None if isinstance(value, str) and not value.strip() else value


def _parse_cell(cell: Any, repairs: Repairs, line: int | None) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(cell, str) or not cell.lstrip().startswith(("[", "{")):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        # Exports of data frames write lists as Python does.
        parsed = ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    repairs.note("structure", line, "a list or object in Python's notation")
    return list(parsed) if isinstance(parsed, (tuple, set)) else parsed
