"""Joining lines that were broken only because the paper, or the editor, ended."""

_SLACK = 0.85
_NARROWEST = 45
"""Fewest characters of a column that prose is set in; shorter lines are short on purpose."""


def join_wrapped(paragraph: str) -> str:
    """Join the wrapped lines of a paragraph by spaces, so that its sentences are whole.

    A break stays where it was not forced by the width: after a line that had room for the next word, before a line
    that starts anew. An empty line is a break the author asked for.
    """
    return "\n".join(line for part in paragraph.split("\n\n") for line in _join(part))


def _join(part: str) -> list[str]:
    lines = [" ".join(line.split()) for line in part.split("\n") if line.strip()]
    width = max(_NARROWEST, *map(len, lines)) * _SLACK if lines else 0.0
    joined: list[str] = []
    previous = ""
    for line in lines:
        if joined and _continues(previous, line, width):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
        previous = line
    return joined


def _continues(previous: str, line: str, width: float) -> bool:
    if line[0].islower() or previous.endswith((",", "-")):
        return True
    return len(previous) + 1 + len(line.split(" ", 1)[0]) > width
