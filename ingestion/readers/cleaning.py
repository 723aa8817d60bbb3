"""Cleaning and folding text from outside: what cannot be seen goes, what a person wrote stays, and has a length.

Everything below this door may then take time in proportion to a text's length: no run in it is longer than
`LONGEST_RUN`, and no text longer than the limit of its kind; how much a file or a row may hold stands in
`ingestion.limits`.
"""

import html
import re
import unicodedata

LONGEST_RUN = 100
"""Most times that one character stands in a row, and most white space; no word, number or rule of a page has more."""
NAME_LIMIT = 500
"""Characters of a name, a title, an id, a region, a membership."""
CELL_LIMIT = 4_000
"""Characters of a value that is shown on one line: an attribute, an address, a description of a document."""
LIVE_FACT_LIMIT = 2_000
"""Characters of what a live backend says in one fact."""

_LONG_SPACE = re.compile(rf"(?<!\s)\s{{{LONGEST_RUN + 1},}}+")
_REPEATED = re.compile(rf"(.)\1{{{LONGEST_RUN},}}+", re.DOTALL)


def fold_runs(text: str) -> str:
    """A text without the part of its runs, of one character or of white space, that goes beyond `LONGEST_RUN`."""
    if len(text) <= LONGEST_RUN:
        return text
    return _REPEATED.sub(lambda run: run[1] * LONGEST_RUN, _LONG_SPACE.sub(_folded_space, text))


def _folded_space(run: re.Match[str]) -> str:
    """White space that means as much: a blank line, a line end or a space."""
    return ("\n\n" if "\n" in run[0].strip(" \t")[1:] else "\n") if "\n" in run[0] else " "


def too_long(length: int, limit: int) -> str:
    """What is said of a text that goes beyond the limit of its kind."""
    return f"has {length:,} characters; at most {limit:,} are read"


HTML_TAGS = frozenset(
    """a abbr address article aside b blockquote body br button caption center cite code col colgroup dd del details div
    dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label
    li link main mark meta nav noscript ol option p pre q s samp script section select small span strike strong style
    sub summary sup svg table tbody td template tfoot th thead time title tr tt u ul var video wbr""".split()
)
"""Names that make `<name>` markup rather than a text's own angle brackets."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e00ff]"
    # Joiners shape emoji and some scripts, so they go only where they stand in a row or not behind such a character.
    "|[\u200c\u200d]{2,}|(?<![\u0590-\U0010ffff])[\u200c\u200d]"
    # A selector chooses the form of the one character before it: an emoji, a sign, a digit on a key, an ideograph.
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|(?<![#*0-9\u00a9-\U0010ffff])[\ufe00-\ufe0f]"
    "|(?<![\u3400-\U0003ffff])[\U000e0100-\U000e01ef]"
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s[^<>]*|/)?>")
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


def clean(text: str) -> str:
    """Remove control, zero-width and direction characters, make all spaces and line ends plain ones, fold long runs."""
    if _is_plain(text):
        return fold_runs(text)
    text = _LINE_END.sub("\n", text)
    text = _INVISIBLE.sub("", _SPACE.sub(" ", text))
    return unicodedata.normalize("NFC", fold_runs(text))


def _is_plain(text: str) -> bool:
    """Whether nothing of a text can need cleaning, as far as a quick look tells."""
    return text.isascii() and text.replace("\n", " ").isprintable()


def clean_lines(text: str) -> str:
    """Clean a text of several lines: no runs of spaces, no blank lines."""
    folded = (" ".join(line.split()) for line in clean(text).split("\n"))
    return "\n".join(line for line in folded if line)


def clean_line(text: str) -> str:
    """Clean a text that stands on one line, such as a name or a value."""
    return " ".join(clean(unescape(without_comments(text))).split())


def without_comments(text: str) -> str:
    """Take out HTML comments, which no reader of a page sees."""
    return _COMMENT.sub(" ", text) if "<!--" in text else text


def unescape(text: str) -> str:
    """Resolve HTML entities (`AT&amp;T`), once, and only those that end in a semicolon."""
    return _ENTITY.sub(lambda match: html.unescape(match.group()), text)


def has_markup(text: str) -> bool:
    """Whether a text holds HTML elements, rather than mere angle brackets."""
    closed = {match[2].lower() for match in _TAG.finditer(text) if match[1]}
    return any(
        match[2].lower() in HTML_TAGS and (match[2].lower() in closed or match[2].lower() in {"br", "p", "li", "hr"})
        for match in _TAG.finditer(text)
    )


def customer_prose(text: str) -> str:
    """What a customer typed, word for word: only line breaks, entities and comments of the export are resolved."""
    return clean_lines(unescape(_LINE_BREAK.sub("\n", without_comments(text))))
