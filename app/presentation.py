"""How a turn is shown, on the page and in a terminal alike: the structure of its text, and words for its terms.

An answer quotes evidence, and evidence may hold HTML, Markdown, dollar signs or anything else. So no Markdown engine
reads it: only the structures that the answer's renderer writes are recognised, all other signs mean themselves.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph.turn import BackendCall, Judgement, Usage
from ingestion.source_types import SOURCE_TABLE

_BULLET = re.compile(r"\A[-*•] +")
_STEP = re.compile(r"\A(\d{1,9})[.)] +")
_CELL_END = re.compile(r"(?<!\\)\|")
_INLINE = re.compile(r"(?P<space> ?)\[(?P<marker>\d+)\]|\*\*(?P<bold>(?=\S)(?:[^*]|\*(?!\*))++(?<=\S))\*\*")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `first` is the number of its first step, None for bullets."""

    texts: list[str]
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first row being the column heads."""

    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation's number, and whether a space stands before it."""

    number: int
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Words:
    """Literal words."""

    text: str
    bold: bool = False


def answer_layout(answer: str) -> Iterator[Paragraph | Items | Table]:
    """Read an answer, whole or as far as it has come."""
    kind, lines = "", list[str]()
    for line in [*map(str.strip, answer.splitlines()), ""]:
        following = _kind(line)
        if lines and following != kind:
            yield from _group(kind, lines)
            lines = []
        kind = following
        if line:
            lines.append(line)


def inline(text: str, *, bold: bool = False) -> Iterator[Words | Marker]:
    """Read a piece of running text as words and markers."""
    end = 0
    for match in _INLINE.finditer(text):
        if match.start() > end:
            yield Words(text[end : match.start()], bold)
        if match["marker"]:
            yield Marker(int(match["marker"]), spaced=bool(match["space"]))
        else:
            yield from inline(match["bold"], bold=True)
        end = match.end()
    if end < len(text):
        yield Words(text[end:], bold)


def is_rule(line: str) -> bool:
    """Whether a line is the one of dashes between a table's heads and its cells: `|---|:-:|`."""
    cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
    return "|" in line and all(set(cell.removeprefix(":").removesuffix(":")) == {"-"} for cell in cells)


def _kind(line: str) -> str:
    if not line:
        return ""
    if line.startswith("|"):
        return "table"
    if _BULLET.match(line):
        return "bullets"
    return "steps" if _STEP.match(line) else "paragraph"


def _group(kind: str, lines: list[str]) -> Iterator[Paragraph | Items | Table]:
    step = _STEP.match(lines[0])
    if kind == "table" and any(map(is_rule, lines)):
        yield Table([_cells(line) for line in lines if not is_rule(line)])
    elif kind == "bullets":
        yield Items([_BULLET.sub("", line, count=1) for line in lines])
    elif kind == "steps" and step:
        yield Items([_STEP.sub("", line, count=1) for line in lines], first=int(step[1]))
    else:
        yield from map(Paragraph, lines)


def _cells(line: str) -> list[str]:
    inner = line.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(inner)]


def source_name(source_type: str) -> str:
    """What a kind of evidence is called."""
    return SOURCE_TABLE[source_type].name


def result_of(call: BackendCall) -> str:
    """What came of a request to a live backend."""
    if call.failure is not None:
        return f"failed, {call.failure}"
    told = f"{call.facts} fact{'' if call.facts == 1 else 's'}"
    unused = f", {len(call.dropped)} not usable" if call.dropped else ""
    return told + unused + (", remembered" if call.cached else "")


def spent(usage: Usage) -> str:
    """What a turn cost in calls of a served model."""
    calls = f"{usage.llm_calls} call{'' if usage.llm_calls == 1 else 's'}"
    prompt = f"{usage.prompt_tokens:,} prompt tokens, {usage.cached_share:.0%} of them cached"
    return f"{calls}, {prompt}, {usage.completion_tokens:,} written"


def judged(judgement: Judgement) -> str:
    """The grades of a judge."""
    helped = "helped" if judgement.helped else "did not help"
    return f"relevancy {judgement.relevancy}, grounded {judgement.grounded} of 5, {helped}, by {judgement.judge}"


def plain_name(term: str) -> str:
    """A snake_case term as words."""
    return term.replace("_", " ").capitalize()
