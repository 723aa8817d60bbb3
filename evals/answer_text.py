"""Whether an answer's text is its sentences, in order, and nothing else."""

import re

from evals.folding import without_markers
from graph.turn import Style, Turn

_SCAFFOLDING = re.compile(r"[\s|*•\-–.:]|\d+[.)]")
"""White space, list bullets, step numbers and the lines of a table."""

_RULE = re.compile(r"\|?(\s*:?-+:?\s*\|)+")


def unaccounted(turn: Turn, style: Style) -> list[str]:
    """Check that the answer is made of the turn's sentences.

    Args:
        turn: What was answered.
        style: How it was asked for.

    Returns:
        What is in one and not in the other, in words; every cell of a table is a sentence, its heads are not.
    """
    answer = _squeezed(without_markers(turn.answer) if style == "text" else turn.answer)
    position, found = 0, list[str]()
    for sentence in turn.sentences:
        text = _squeezed(without_markers(sentence.text) if style == "text" else sentence.text)
        place = answer.find(text, position)
        if place < 0:
            found.append(f"the sentence {sentence.text!r} does not stand in the answer, or not in its order")
            continue
        found += _stray(answer[position:place], turn)
        position = place + len(text)
    return found + _stray(answer[position:], turn) + _cells(turn)


def _squeezed(text: str) -> str:
    """Text without emphasis, runs of blanks made one; line ends stay, for tables."""
    return re.sub(r"[^\S\n]+", " ", text.replace("**", ""))


def _stray(between: str, turn: Turn) -> list[str]:
    """Words between two sentences that are neither scaffolding, nor heads of a table."""
    words = between
    if "|" in turn.answer:
        for head in _heads(turn.answer):
            words = words.replace(head, " ")
    return [f"{between.strip()!r} stands in the answer and is no sentence"] if _SCAFFOLDING.sub("", words) else []


def _rows(answer: str) -> list[list[str]]:
    """The rows of all tables, rules left out, without markers."""
    lines = [line.strip() for line in _squeezed(without_markers(answer)).splitlines()]
    tables = [line for line in lines if line.startswith("|") and not _RULE.fullmatch(line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in tables]


def _heads(answer: str) -> list[str]:
    """Column heads and row names, longest first."""
    rows = _rows(answer)
    heads = [*(rows[0] if rows else []), *(row[0] for row in rows)]
    return sorted(filter(None, heads), key=len, reverse=True)


def _cells(turn: Turn) -> list[str]:
    """Cells that are no sentences."""
    texts = {_squeezed(without_markers(sentence.text)).strip() for sentence in turn.sentences}
    cells = [cell for row in _rows(turn.answer)[1:] for cell in row[1:]]
    return [f"the cell {cell!r} is no sentence" for cell in cells if cell not in texts]
