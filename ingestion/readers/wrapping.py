"""Joining lines that were broken only because the paper, or the editor, ended."""

from collections.abc import Callable, Sequence

_SLACK = 0.85
_NARROWEST = 45
"""Fewest characters of a column that prose is set in; shorter lines are short on purpose."""


def join_wrapped(paragraph: str, join: Callable[[Sequence[str]], str]) -> str:
    """Join the wrapped lines of a paragraph, so that its sentences are whole.

    A break stays where it was not forced by the width: after a line that had room for the next word, before a line
    that starts anew. An empty line is a break the author asked for.

    Args:
        paragraph: Its lines.
        join: Makes lines that were one a line again.
    """
    return "\n".join(join(run) for part in paragraph.split("\n\n") for run in _runs(part))


def _runs(part: str) -> list[list[str]]:
    """The lines of a text, those together that were one."""
    lines = [" ".join(line.split()) for line in part.split("\n") if line.strip()]
    width = max(_NARROWEST, *map(len, lines)) * _SLACK if lines else 0.0
    runs: list[list[str]] = []
    for line in lines:
        if runs and _continues(runs[-1][-1], line, width):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _continues(previous: str, line: str, width: float) -> bool:
    if line[0].islower() or previous.endswith((",", "-")):
        return True
    return len(previous) + 1 + len(line.split(" ", 1)[0]) > width
