"""Instructions where only questions and evidence belong: they are neither followed nor repeated.

Prompt injections (Greshake et al., 2023, "Not what you've signed up for") come in a few forms whatever their words: the
instructions in force are set aside, another role is given, the prompt is asked for, a turn of the conversation is
forged, the assistant is told what to say. `en/injection.toml` lists the forms.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from graph.language.control_tokens import has_control_token, without_control_tokens
from graph.language.locale import table
from ingestion.evidence import Evidence, lines
from ingestion.readers.cleaning import clean
from ingestion.spans import sentence_spans

_LOOKALIKES = str.maketrans("аеорсухіїјѕԁһԛԝοανι", "aeopcyxiijsdhqwoavi")
"""Letters of other scripts that look like Latin ones."""
_FORGED_HEAD = re.compile(r"(?i)[^\w\n]{0,4}\brole\W{1,4}\w{1,20}[^\w\n]{0,4}")
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
_REMEMBERED = 8192
"""Evidence that is known to be free of instructions, or of which is known what is left: turns find the same again."""


def instructs(text: str) -> bool:
    """Whether a text tells the assistant how to behave."""
    if has_control_token(text):
        return True
    plain = _plain(text)
    folded = plain.lower()
    return any(pattern.search(plain) for hints, pattern in _forms() if any(hint in folded for hint in hints))


def beside_instructions(text: str) -> tuple[str, ...]:
    """What a text says beside its instructions: the words around them, and the other sentences where there are any.

    Returns:
        Nothing where the text does not instruct.
    """
    if not instructs(text):
        return ()
    plain = _plain(text)
    around = without_control_tokens(plain)
    for _, pattern in _forms():
        around = pattern.sub(" ", around)
    others = " ".join(plain[start:end] for start, end in sentence_spans(plain) if not instructs(plain[start:end]))
    return (around, others) if others else (around,)


def without_instructions(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Evidence as it may be answered from: blanks stand where it tells the assistant how to behave.

    Every other character keeps its place, so that a citation's offsets are those of the whole text. What follows an
    instruction in its paragraph is what it wants said, and goes with it; what has nothing else to say is left out.
    """
    return [kept for item in evidence if (kept := _blanked(item)) is not None]


@lru_cache(maxsize=_REMEMBERED)
def _blanked(item: Evidence) -> Evidence | None:
    section = None if item.section and instructs(item.section) else item.section
    text = item.text
    for start, end in lines(text) if instructs(text) else ():
        begin = _first_instruction(item.text, start, end)
        if begin is not None:
            # Below the head of a forged turn stands what is put into its speaker's mouth.
            end = len(text) if _FORGED_HEAD.fullmatch(item.text, start, end) else end  # noqa: PLW2901 - it ends later
            text = text[:begin] + " " * (end - begin) + text[end:]
    if not text.strip():
        return None
    return item if text == item.text and section == item.section else replace(item, text=text, section=section)


def _first_instruction(text: str, start: int, end: int) -> int | None:
    """Where the first sentence of a line begins that instructs; the line's start where only the whole line does."""
    line = text[start:end]
    if not instructs(line):
        return None
    found = (start + begin for begin, stop in sentence_spans(line) if instructs(line[begin:stop]))
    return next(found, start)


def _plain(text: str) -> str:
    """A text as its reader sees it: hidden characters go, compatibility forms and look-alike letters become plain."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", clean(text)).replace("’", "'")
    # A word with some Latin letters and some that only look so gets Latin ones throughout.
    return re.sub(r"\S+", lambda word: word[0].translate(_LOOKALIKES) if _LATIN.search(word[0]) else word[0], plain)


@lru_cache(maxsize=1)
def _forms() -> list[tuple[list[str], re.Pattern[str]]]:
    """The known forms, read once; only texts that hold one of a form's hints are searched for its pattern."""
    raw = table("injection")
    return [(entry["hints"], _pattern(entry["patterns"], raw["parts"])) for entry in raw["form"]]


def _pattern(patterns: Iterable[str], parts: dict[str, str]) -> re.Pattern[str]:
    whole = "|".join(f"(?:{pattern})" for pattern in patterns)
    for name, part in parts.items():
        whole = whole.replace(f"%{name}%", part)
    return re.compile(whole, re.IGNORECASE | re.MULTILINE)
