"""A table's row in a model's answer."""

import re

from graph.llm.evidence_markers import KnownMarkers, Mark
from graph.llm.marker_reader import MarkerReader
from graph.llm.sentence_cutting import CutSentence, SentenceBuffer, claims_of
from graph.llm.stream_events import DraftedRow

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\A\s*:?-{2,}:?\s*")


def is_rule(line: str) -> bool:
    """Whether a row is the line that parts a table's heads from its body."""
    return all(_RULE.fullmatch(cell) for cell in _cells(line))


def row_of(line: str, known: KnownMarkers) -> DraftedRow:
    """Read a row that begins with a bar."""
    cells = [_read(cell, known) for cell in _cells(line)]
    invented = dict.fromkeys(one for cell in cells for one in cell.invented)
    return DraftedRow(tuple(claims_of(cell) for cell in cells), header=False, invented=tuple(invented))


def words_of(text: str, known: KnownMarkers) -> str:
    """A text without its markers, spacing clean."""
    return _read(text, known).text


def _cells(line: str) -> list[str]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    return [cell.replace("\\|", "|") for cell in (cells[:-1] if not cells[-1].strip() else cells)]


def _read(text: str, known: KnownMarkers) -> CutSentence:
    reader, buffer = MarkerReader(known), SentenceBuffer()
    for token in [token for character in text for token in reader.take(character)] + reader.flush():
        if isinstance(token, Mark):
            buffer.mark(token)
        else:
            buffer.put(token)
    return buffer.whole()
