"""Every regular expression of the packages, found in their values and their source, and the strings that break it."""

import ast
import importlib
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "evals", "graph", "ingestion")
NAME = r"Aurora\ X2"
"""Stands in a pattern that is made of a name, where the name does."""

_CALLS = frozenset("compile sub subn search match fullmatch findall finditer split".split())
_DEEPEST = 8
_BYTES = 256

Found = dict[tuple[str | bytes, int], str]
"""Pattern and flags to where it stands."""


class UnreadablePatternError(Exception):
    """A pattern that is made inside a function, and not of what can be read there."""


def folders() -> list[str]:
    """Parts of the packages of about equal size, so that several processes can share them."""
    graph = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "graph").iterdir()) if path.is_dir()]
    return ["app", "evals", "ingestion", *(path for path in graph if any((ROOT / path).rglob("*.py")))]


def patterns_of(folder: str) -> Found:
    """The patterns of the modules below a folder of the repository.

    Raises:
        UnreadablePatternError: One is made in a way that cannot be followed.
    """
    found: Found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.stem == "__main__" or path.match("migrations/env.py"):  # these run as they are imported
            continue
        where = path.relative_to(ROOT).as_posix()
        module = importlib.import_module(where.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        seen: set[int] = set()
        for name, value in list(vars(module).items()):
            for pattern in _held(value, seen):
                found.setdefault((pattern.pattern, pattern.flags), f"{where}:{name}")
        made = _Made(where, ast.parse(path.read_text(encoding="utf-8")), vars(module))
        for pattern, line in made.patterns(seen):
            found.setdefault((pattern.pattern, pattern.flags), f"{where}:{line}")
    return found


def _held(value: Any, seen: set[int], depth: int = 0) -> Iterator[re.Pattern[Any]]:  # noqa: ANN401 - any value
    """The patterns in a value, however it holds them."""
    if isinstance(value, re.Pattern):
        yield value
        return
    if depth > _DEEPEST or id(value) in seen or isinstance(value, (str, bytes, int, float, types.ModuleType)):
        return
    seen.add(id(value))
    inner: Iterable[Any] = ()
    if isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = value
    elif _is_own(value) or _is_own(type(value)):
        slots = [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())]
        inner = [*list(getattr(value, "__dict__", {}).values()), *slots]
    for one in inner:
        yield from _held(one, seen, depth + 1)


def _is_own(value: Any) -> bool:  # noqa: ANN401 - any value
    return isinstance(value, type) and value.__module__.partition(".")[0] in PACKAGES


class _Made:
    """The patterns that the functions of a module make."""

    def __init__(self, where: str, tree: ast.AST, names: Mapping[str, Any]) -> None:
        self._where, self._tree, self._names = where, tree, names

    def patterns(self, seen: set[int]) -> Iterator[tuple[re.Pattern[Any], int]]:
        for call, function in _calls(self._tree, None):
            try:
                source = self._read(call.args[0], function)
            except UnreadablePatternError as error:
                if function is None:
                    continue  # a value of the module, found there
                produced = list(self._remembered(seen))
                if not produced and not _caches(self._names):
                    message = f"{self._where}:{call.lineno}: {ast.unparse(call)} makes a pattern of {error}"
                    raise UnreadablePatternError(message) from error
                yield from ((pattern, call.lineno) for pattern in produced)
            else:
                yield re.compile(source), call.lineno

    def _remembered(self, seen: set[int]) -> Iterator[re.Pattern[Any]]:
        """What the module's functions without arguments read once and keep."""
        for function in _caches(self._names):
            yield from _held(function(), seen)

    def _read(  # noqa: PLR0911 - one for each kind of expression
        self, node: ast.expr, function: ast.FunctionDef | None
    ) -> Any:  # noqa: ANN401 - text or bytes
        """The text of a pattern, with a name where one is put in."""
        match node:
            case ast.Constant(value=str() | bytes() as text):
                return text
            case ast.JoinedStr(values=parts):
                return "".join(self._hole(part, function) for part in parts)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._read(left, function) + self._read(right, function)
            case ast.Call(func=ast.Attribute(attr="escape")):
                return NAME
            case ast.Name(id=name) if isinstance(self._names.get(name), str):
                return self._names[name]
            case ast.Name(id=name) if isinstance(self._names.get(name), re.Pattern):
                return self._names[name].pattern
            case ast.Name(id=name) if (value := _assigned(name, function)) is not None:
                return self._read(value, function)
        raise UnreadablePatternError(ast.unparse(node))

    def _hole(self, part: ast.expr, function: ast.FunctionDef | None) -> str:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        try:
            return str(self._read(inner, function))
        except UnreadablePatternError:
            return NAME


def _calls(tree: ast.AST, function: ast.FunctionDef | None) -> Iterator[tuple[ast.Call, ast.FunctionDef | None]]:
    """The calls of the module `re` that take a pattern, each with the function it stands in."""
    for child in ast.iter_child_nodes(tree):
        match child:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=attribute)) if attribute in _CALLS:
                yield child, function
        yield from _calls(child, child if isinstance(child, ast.FunctionDef) else function)


def _assigned(name: str, function: ast.FunctionDef | None) -> ast.expr | None:
    """What a name of a function was given last that can be read."""
    values = [
        node.value
        for node in ast.walk(function or ast.Module([], []))
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets)
    ]
    own = [value for value in values if not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))]
    return own[-1] if own else None


def _caches(names: Mapping[str, Any]) -> list[Any]:
    """The module's own functions that remember what they gave and take no argument."""
    return [
        value
        for value in names.values()
        if hasattr(value, "cache_info")
        and value.__module__ == names["__name__"]
        and value.__wrapped__.__code__.co_argcount == 0
    ]


_UNITS = (
    [chr(code) for code in range(_BYTES) if chr(code).isprintable() and not chr(code).isalnum()]
    + list("\n\t\r\u00a0aAz019é漢“”’–—…€")
    + "a |a.|1.|1,|a-|A-|1 |- | .|aA|a1|1a|ab |: |, |a'|[1]|\n- || |a\n|1 1|a, |A a |1 x |1-|not |the |no |<a".split(
        "|"
    )
    + "<!--|and |a, and |1/2 |“a|1 kg |of the |a's |(a|?a|. |€1 |**a |1.1.|A1|a@|a/".split("|")
)
_OPENERS = ("1", "a", "$", '"', "“", "(", "1 ", "- ", "<")
_BODIES = (" ", "a", "1", "a ", "1 ", "\n", "-", "a, ", "(")
_MOST_WORDS = 10
_END = "\x01"
"""Ends each string, so that what runs to the end of a text does not match after all."""


def breaking_strings(pattern: str, length: int) -> Iterator[str]:
    """The strings that break patterns: runs of each character class, and near matches made of the pattern's words."""
    yield from (unit * (length // len(unit)) + _END for unit in _UNITS if unit)
    yield from (opener + body * (length // len(body)) + _END for opener in _OPENERS for body in _BODIES)
    plain = re.sub(r"\(\?[a-zA-Z]+[:)]|\(\?P<\w+>|\\[A-Za-z]", "\0", pattern).replace("\\ ", " ")
    for word in list(dict.fromkeys(re.findall(r"[a-zA-Z’']{2,20}(?: [a-zA-Z]{2,20}){0,3}", plain)))[:_MOST_WORDS]:
        yield f"{word} " * (length // (len(word) + 1)) + _END
        for body in _BODIES:
            yield f"{word} " + body * (length // len(body)) + _END
            yield word + body * (length // len(body)) + _END
