"""A conversation as a file: Markdown with its sources as footnotes, or its turns as JSON."""

import json
import re
from collections.abc import Sequence

from app.presentation import Items, Marker, Paragraph, Table, answer_layout, for_customer, inline, source_text
from app.storage.records import StaffMessage
from graph.turn import Citation, Turn

_SIGNS = re.compile(r"[\\`*_\[\]<>|~$&]")


def as_json(turns: Sequence[Turn]) -> str:
    """The turns, each as `footnote ask --json` prints it, but for what was withheld from their customer."""
    return json.dumps([for_customer(turn).model_dump(mode="json") for turn in turns], ensure_ascii=False, indent=2)


def as_markdown(title: str, turns: Sequence[Turn], messages: Sequence[StaffMessage] = ()) -> str:
    """A conversation to read: questions as headings, answers with footnotes.

    Args:
        title: What it is called.
        turns: Its turns, oldest first.
        messages: What people of the shop wrote into it.
    """
    written = _Written()
    parts = [f"# {_literal(title)}"]
    for turn in turns:
        parts += [f"## {_literal(turn.query)}", written.answer(turn.answer, turn.citations)]
        for message in messages:
            if message.turn_id == turn.turn_id:
                parts += [f"**From {_literal(message.by)}:**", written.answer(message.text, message.citations)]
    return "\n\n".join([*parts, *written.footnotes]) + "\n"


class _Written:
    """Answers as Markdown; the footnotes are numbered through."""

    def __init__(self) -> None:
        self.footnotes: list[str] = []

    def answer(self, text: str, citations: Sequence[Citation]) -> str:
        """An answer; what its words do not refer to, as in a spoken one, is referred to at its end."""
        notes = {one.marker: len(self.footnotes) + number for number, one in enumerate(citations, start=1)}
        self.footnotes += [f"[^{notes[one.marker]}]: {_literal(source_text(one))}" for one in citations]
        blocks = [_block(block, notes) for block in answer_layout(text)]
        said = "\n\n".join(blocks)
        return said + "".join(f"[^{note}]" for note in notes.values() if f"[^{note}]" not in said)


def _block(block: Paragraph | Items | Table, notes: dict[int, int]) -> str:
    if isinstance(block, Items):
        first = block.first
        leads = ("-" if first is None else f"{first + number}." for number in range(len(block.texts)))
        return "\n".join(f"{lead} {_words(text, notes)}" for lead, text in zip(leads, block.texts, strict=True))
    if isinstance(block, Table):
        head, *body = ["| " + " | ".join(_words(cell, notes) for cell in row) + " |" for row in block.rows]
        return "\n".join([head, "|---" * len(block.rows[0]) + "|", *body])
    return _words(block.text, notes)


def _words(text: str, notes: dict[int, int]) -> str:
    said = ""
    for piece in inline(text):
        if isinstance(piece, Marker):
            said += f"[^{notes[piece.number]}]" if piece.number in notes else rf"\[{piece.number}\]"
        else:
            said += f"**{_literal(piece.text)}**" if piece.bold else _literal(piece.text)
    return said


def _literal(text: str) -> str:
    """Text on one line in which every sign of Markdown means itself."""
    return _SIGNS.sub(r"\\\g<0>", re.sub(r"\s+", " ", text))
