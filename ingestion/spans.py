"""Where the sentences of a text are, as spans of code points.

Lines are always boundaries, because an evidence text puts every list item, table row and attribute on a line of its
own. Within a line a sentence ends at `.`, `!`, `?` or `…`, with care for what merely looks like an end.
"""

import re
from collections.abc import Iterator

from ingestion.evidence import lines

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]+[」』”）]*")  # noqa: RUF001 - full-width marks are meant
LONGEST_SENTENCE = 600
"""Characters of what is shown or quoted as one sentence; the longest of contracts have fewer."""
_CLAUSE_ENDS = (", ", "; ", ": ", ") ", "– ", "— ")
_CLOSERS = "\"'”’»)]"
_OPENERS = "\"'“‘«([*_-–—¿¡"
_MASKED_WORDS = {
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "approx", "incl", "excl", "resp", "cf", "ca", "art",
    "dept", "est", "fig", "vol", "tel", "ext", "max", "min", "inc", "ltd", "corp", "co", "e.g", "i.e", "a.k.a", "p.s",
    "eg", "ie", "viz", "op", "ed",
}  # fmt: skip
"""Abbreviations whose full stop never ends a sentence before a capital."""
_OPEN_WORDS = {"no", "nos", "pp", "p", "sec", "ch"}
"""Abbreviations before a number ("No. 5"), ordinary words elsewhere ("Oh no.")."""


def sentence_spans(text: str, longest: int = LONGEST_SENTENCE) -> list[tuple[int, int]]:
    """Find the sentences of a text.

    Args:
        text: Any text; lines are boundaries.
        longest: Most characters of a span; a longer sentence is cut behind a clause, else between words.

    Returns:
        `(start, end)` of every sentence in code points, in order, without surrounding white space.
    """
    return [
        span
        for start, end in lines(text)
        for sentence in _within_line(text, start, end)
        for span in _cut(text, *sentence, longest)
    ]  # fmt: skip


def _cut(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """A span, or the parts of it that are no longer than may be."""
    while end - start > longest:
        window = text[start : start + longest + 1]
        clause = max(window.rfind(mark) for mark in _CLAUSE_ENDS) + 1
        word = window.rfind(" ")
        length = clause if clause > longest // 2 else word if word > longest // 2 else longest
        yield start, start + len(window[:length].rstrip())
        start += length
        while text[start].isspace():
            start += 1
    yield start, end


def _within_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and _is_boundary(text, begin, match, end):
            yield begin, match.end()
            begin = match.end()
            while begin < end and text[begin].isspace():
                begin += 1
    if begin < end:
        yield begin, end


def _is_boundary(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    mark = match.group()
    if mark[0] in "。！？":  # noqa: RUF001 - full-width marks are meant
        return True
    head = _head(text, match.end(), end)
    if not head or head[0].islower():
        return False
    if mark[0] != "." or len(mark.rstrip(_CLOSERS)) > 1:
        return True
    return not _is_abbreviation(_last_words(text, begin, match.start()), head, closed=len(mark) > 1)


def _head(text: str, begin: int, end: int) -> str:
    """The first characters of what follows, behind white space and opening marks; enough to tell an initial by."""
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[begin] in _OPENERS:
        begin += 1
    return text[begin : min(begin + 3, end)]


def _last_words(text: str, begin: int, end: int) -> list[str]:
    """The last two words of a stretch, or the one it has; found from its end, so that a long line costs no more."""
    words: list[str] = []
    while end > begin and len(words) < 2:  # noqa: PLR2004 - a word and the one before it
        start = end
        while start > begin and not text[start - 1].isspace():
            start -= 1
        if start < end:
            words.insert(0, text[start:end])
        end = start
        while end > begin and text[end - 1].isspace():
            end -= 1
    return words


def _is_abbreviation(words: list[str], head: str, *, closed: bool) -> bool:
    """Whether a full stop belongs to the last of the words before it: an abbreviation, an initial, a list number."""
    if not words or closed:
        return False
    word = words[-1].lstrip("\"'“‘«([").lower()
    if len(words) == 1 and (word.isdigit() or (len(word) == 1 and word.isalpha())):
        return True
    if word in _OPEN_WORDS:
        return head[0].isdigit()
    return word in _MASKED_WORDS or _is_initial(words, head)


def _is_initial(words: list[str], head: str) -> bool:
    """Whether the last word is one of several initials in a row ("J. R. Smith"; "Size M. Good fit." has none)."""
    last = words[-1]
    if len(last) != 1 or not last.isupper():
        return False
    after_initial = len(words) > 1 and re.fullmatch(r"[A-Z]\.", words[-2]) is not None
    return after_initial or re.match(r"[A-Z]\.\s", head) is not None
