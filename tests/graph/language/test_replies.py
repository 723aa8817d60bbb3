"""Replies: what the assistant says of its own stands in the folder of its language, and nowhere else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.language.locale import reply, table

GRAPH = Path(__file__).parents[3] / "graph"
SPEAKING = ("answering", "browsing", "concluding", "nodes", "rendering", "sensitive", "verification")
"""Packages that make what customers read."""
SENTENCE = re.compile(r"[A-Z][a-z']*(?: [a-z']+){3}|(?:[a-z']+ ){3}[a-z']+[.?!]")
"""Four words in a row that begin or end as a sentence does."""


def texts(tree: ast.AST) -> Iterator[str]:
    """String literals of a module, without docstrings, and what an assertion or an error says."""
    passed = {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert | ast.Raise)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for below in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            yield node.value


def test_a_reply_is_filled_in_and_speaks_of_one_or_of_several() -> None:
    assert reply("nearest_name", names="the Heron 2") == "The nearest is the Heron 2."
    assert reply("nearest_name", many=True, names="the Heron 2 and the Egret 3").startswith("The nearest are the Heron")


@pytest.mark.parametrize("package", SPEAKING)
def test_no_sentence_of_the_assistant_stands_in_code(package: str) -> None:
    for path in sorted((GRAPH / package).rglob("*.py")):
        found = [text for text in texts(ast.parse(path.read_text(encoding="utf-8"))) if SENTENCE.search(text)]
        assert not found, path


def test_every_reply_is_said_somewhere() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in GRAPH.rglob("*.py"))
    composed = re.compile(r"unsaid_(?:stock|offer|delivery|other)")
    unsaid = [key for key in table("replies") if f'"{key}"' not in code and f"'{key}'" not in code]
    assert [key for key in unsaid if not composed.match(key)] == []
