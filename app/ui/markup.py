"""From an answer to HTML: its structure is our own renderer's, every word is escaped."""

import re
from collections.abc import Callable
from html import escape

from app.answer_layout import Items, Marker, Paragraph, Table, answer_layout, inline

Chip = Callable[[int], str]
"""The HTML that stands for marker `[n]`."""

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def answer_html(answer: str, chip: Chip) -> str:
    """Render an answer.

    Args:
        answer: A turn's answer, whole or as far as it has come.
        chip: Renders a marker.
    """
    return "".join(_block(block, chip) for block in answer_layout(answer))


def literal(text: str) -> str:
    """Text for a place that reads Markdown, such as a button's label, with every sign meaning itself."""
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def _block(block: Paragraph | Items | Table, chip: Chip) -> str:
    if isinstance(block, Table):
        return _table(block, chip)
    if isinstance(block, Items):
        items = "".join(f"<li>{_words(text, chip)}</li>" for text in block.texts)
        return f"<ul>{items}</ul>" if block.first is None else f'<ol start="{block.first}">{items}</ol>'
    # A citation opens a <details>, which may not stand in a <p>.
    return f'<div class="paragraph">{_words(block.text, chip)}</div>'


def _table(table: Table, chip: Chip) -> str:
    head, *body = [[_words(cell, chip) for cell in row] for row in table.rows]
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    rows = "".join(f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for name, *cells in body)
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _words(text: str, chip: Chip) -> str:
    pieces = []
    for piece in inline(text):
        if isinstance(piece, Marker):
            pieces.append(chip(piece.number))
        else:
            pieces.append(f"<strong>{escape(piece.text)}</strong>" if piece.bold else escape(piece.text))
    return "".join(pieces)
