"""Notation: values that a catalog keeps as objects in braces, read as words."""

import re
from functools import lru_cache
from typing import Any

import yaml

_TIGHT_COLON = re.compile(r"(?<=\w):(?=\S)")
_BRACKETS = re.compile(r'[{}\[\]";]|(?<=\s),')
_FORMAL = re.compile(r"\b(?:unit|value|type|name)\s*:")
_ALIAS = re.compile(r"(?<![\w*])\*\w")
"""A reference to another part of the object, by which a short text grows without bound."""
_TRAILING_POINT = re.compile(r"(?<=\d)\.(?!\d)")
_SPARE = ("standardized_values", "language_tag")
"""Keys that say again what stands beside them."""
_TRUTH = {"true": "yes", "false": "no"}

LEAST_PARTS = 2
LONGEST, MOST_BRACES = 5_000, 100
"""Characters and opening braces of a value that is read as an object; a longer one is no quantity."""

_Tree = Any


def plain_name(name: str) -> str:
    """The name of an attribute as words: `item_weight` says `item weight`."""
    return " ".join(name.replace("_", " ").split()) if "_" in name else name


def has_braces(text: str) -> bool:
    """Whether a text has braces around anything."""
    return "{" in text and text.find("{") < text.rfind("}")


@lru_cache(maxsize=4096)
def plain_value(value: str) -> str:
    """A value as words: `{ unit:pounds, value:2.5 }` says `2.5 pounds`; text without braces stays as it is."""
    if not has_braces(value):
        return value
    tree = _tree(value)
    said = _said(tree) if tree is not None else _BRACKETS.sub(" ", _FORMAL.sub(" ", value))
    return _spaced(said)


@lru_cache(maxsize=4096)
def measured_parts(value: str) -> tuple[tuple[str, str], ...]:
    """The parts of a value that are quantities with names of their own, such as the width and height of dimensions."""
    tree = _tree(value) if has_braces(value) else None
    parts = tree[0] if tree and len(tree) == 1 and isinstance(tree[0], dict) else {}
    measured = all(isinstance(part, dict) and {"unit", "value"} <= part.keys() for part in parts.values())
    if len(parts) < LEAST_PARTS or not measured:
        return ()
    return tuple((plain_name(name), _spaced(_said(part))) for name, part in parts.items())


def _tree(value: str) -> list[_Tree] | None:
    """A value in braces as YAML reads it, all leaves being text; None where it is not well formed, or too large."""
    if len(value) > LONGEST or value.count("{") + value.count("[") > MOST_BRACES or _ALIAS.search(value):
        return None
    flow = "[" + _TIGHT_COLON.sub(": ", value).replace("};", "},") + "]"
    try:
        return list(yaml.load(flow, Loader=yaml.BaseLoader))  # noqa: S506 - makes nothing but text, lists and dicts
    except yaml.YAMLError:
        return None


def _spaced(said: str) -> str:
    return " ".join(said.replace("_", " ").split())


def _said(tree: _Tree) -> str:
    if isinstance(tree, list):
        return ", ".join(dict.fromkeys(filter(None, map(_said, tree))))
    if isinstance(tree, dict):
        return _object(tree)
    text = _TRAILING_POINT.sub("", str(tree).strip())
    return _TRUTH.get(text, text)


def _object(tree: dict[str, _Tree]) -> str:
    """A quantity with its unit, the one the shop has normalised it to if any; else its parts by their names."""
    if "normalized_value" in tree:
        return _said(tree["normalized_value"])
    parts = {key: _said(part) for key, part in tree.items() if key not in _SPARE}
    if "unit" in parts and "value" in parts:
        return f"{parts['value']} {parts['unit'].replace('_', ' ')}"
    named = [part if key in ("value", "name", "type") else f"{plain_name(key)} {part}" for key, part in parts.items()]
    return ", ".join(named)
