"""Whether an answer's text is its sentences, in order, and nothing else."""

import re
from collections.abc import Iterator

from app.answer_layout import is_rule
from evals.folding import without_markers
from graph.turn import Style, Turn

_LEAD = re.compile(r"\A(?:[-*•]|\d+[.)])\s+")


def unaccounted(turn: Turn, style: Style) -> list[str]:
    """Check that the answer is made of the turn's sentences.

    Args:
        turn: What was answered.
        style: How it was asked for; other styles than `text` have no markers to look past.

    Returns:
        Where they part, in words. Every cell of a table is a sentence, its column heads and row names are not; list
        bullets and step numbers belong to neither.
    """
    rest = _one_line(" ".join(_parts(_unmarked(turn.answer, style))))
    for sentence in turn.sentences:
        text = _one_line(_unmarked(sentence.text, style))
        bare = _LEAD.sub("", text)
        begin = next((known for known in (text, bare) if rest.startswith(known)), None)
        if begin is None:
            return [f"where the sentence {sentence.text!r} should stand, the answer has {rest[: len(text) + 20]!r}"]
        rest = rest[len(begin) :].lstrip()
    return [f"after the last sentence, the answer has {rest!r}"] if rest else []


def _unmarked(text: str, style: Style) -> str:
    return without_markers(text) if style == "text" else text


def _one_line(text: str) -> str:
    return " ".join(text.replace("**", "").split())


def _parts(answer: str) -> Iterator[str]:
    """The lines of an answer without bullets and numbers; of a table, its cells."""
    head = True
    for line in map(str.strip, answer.splitlines()):
        if not line.startswith("|"):
            head = True
            yield _LEAD.sub("", line)
        elif head:
            head = False
        elif not is_rule(line):
            yield from line.strip("|").split("|")[1:]
