"""Splitting a message into the questions it asks: "Is it waterproof and can I return it?" asks two."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CLAUSES = 6

_SUBJECT = (
    r"(?:(?:i|you|u|it|they|we|he|she|this|that|these|those|there|my|your|his|her|its|our|their|the|an?|any|all|both"
    r"|one|some|anyone|anybody|people|customers|buyers|users)\b|(?-i:[A-Z]))"
)
_FILLER = (
    r"[\s,;&\-–—\"'(]{0,9}"
    r"(?:(?:and|or|but|also|plus|so|then|ok|okay|hi|hello|hey|please|if so|if not)\b[\s,;]{0,4}){0,5}"
)
_QUESTION_FORM = re.compile(
    rf"{_FILLER}(?:"
    r"(?:what|whats|which|who|whose|how|hows|why)(?:'s)?\s+\S+\s+\S"
    r"|(?:when|where)(?:s\b|'s\b|\s+(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|to)\b)"
    r"|(?:do|does|did)\s+(?!not\b|well\b|so\b)\w"
    r"|(?:is|are|was|were|am|can|could|will|would|should|shall|may|might|must|has|have|had)(?:n't)?\s+" + _SUBJECT + r""
    r"|(?:don't|doesn't|didn't|can't|won't)\s+" + _SUBJECT + r""
    r"|(?:tell|show|give)\s+me\s+\S"
    r"|(?:i|we)(?:'d|\s+would)?\s+(?:(?:like|want|need)\s+to\s+know|wonder)\b"
    r"|(?:explain|compare|summari[sz]e|list|describe)\s+\S"
    r"|(?:i'm\s+|i\s+am\s+)?not\s+sure\s+(?:if|whether|about|how|what|which|when|where)\b"
    r")"
    # "tell me what it weighs and if I can return it"; "and if I order today, ..." is a condition.
    r"|(?:and|or|also|plus|&)\s+(?:also\s+)?(?:if|whether)\s+"
    + _SUBJECT
    + r"[^,;.?!]{0,200}(?:[.?!\s]{0,9}$|,?\s{1,3}(?:and|or|but|also|plus)\s)",
    re.IGNORECASE,
)
# White space is looked at from where it begins, so that a long run of it is read once.
_SENTENCE_END = re.compile(r"(?<=[?!])\s*(?=\w)|(?<!\s)[^\S\n]*\n\s*(?=\S)|(?<=[.;])\s+(?=\S)")
_CONJUNCTION = re.compile(r"(?<!\s)(?:\s*,)?\s+(?=(?:and|or|but|also|plus|&)\s)|(?<=[,;–—])\s+", re.IGNORECASE)
_COORDINATION = re.compile(
    r"(?:(?:(?<!\s)\s+)?,\s+|(?<!\s)\s+)(?:and(?:\s+also)?|or|&|plus|as\s+well\s+as)\s+", re.IGNORECASE
)
_ENUMERATION = re.compile(r"(?:(?<!\s)\s+)?,\s+")
_PART_WORDS = 8
_ENDS_OPENLY = (".", ";")


@dataclass(frozen=True, slots=True)
class Clause:
    """One question of a message.

    Attributes:
        text: The question with its context, what is said beside it.
        question: The question alone.
    """

    text: str
    question: str


def split_clauses(text: str) -> list[Clause]:
    """Split a message into its questions, at most `MAX_CLAUSES`.

    A cut is made between sentences, and before a conjunction that opens a question with a verb of its own, so that
    "pros and cons" or "on and off" stay whole. What is not a question is context of the question after it, or, at the
    end, of the one before it.

    Returns:
        The questions in order; the whole text as one where it asks one thing or nothing.
    """
    clauses: list[Clause] = []
    context = ""
    for piece in (text[start:end] for start, end in _pieces(text)):
        context += piece
        if _asks(piece) and len(clauses) < MAX_CLAUSES:
            clauses.append(Clause(context.strip(), piece.strip()))
            context = ""
    if not clauses:
        return [Clause(text, text)]
    *first, last = clauses
    return [*first, Clause(f"{last.text} {context.strip()}".strip(), last.question)]


def coordinates(text: str) -> list[str]:
    """The parts of a short coordination without verbs of their own: `["waterproof", "returnable?"]`; else nothing.

    Commas part only what a conjunction ends: "price, weight and warranty".
    """
    joined = [part.strip() for part in _COORDINATION.split(text)]
    parts = [part for one in joined for part in _ENUMERATION.split(one)] if len(joined) > 1 else joined
    short = all(0 < len(part.split()) <= _PART_WORDS for part in parts)
    return parts if short and 1 < len(parts) <= MAX_CLAUSES else []


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in sorted({*_sentence_cuts(text), *_conjunction_cuts(text)}):
        yield start, cut
        start = cut
    yield start, len(text)


def _sentence_cuts(text: str) -> Iterator[int]:
    for end in _SENTENCE_END.finditer(text):
        # "approx. 5 kg" does not end a sentence.
        abbreviation = text.endswith(_ENDS_OPENLY, 0, end.start()) and not text[end.end()].isupper()
        if not abbreviation or _QUESTION_FORM.match(text, end.end()):
            yield end.end()


def _conjunction_cuts(text: str) -> Iterator[int]:
    for conjunction in _CONJUNCTION.finditer(text):
        if _QUESTION_FORM.match(text, conjunction.end()):
            yield conjunction.end()


def _asks(piece: str) -> bool:
    return piece.rstrip().endswith("?") or _QUESTION_FORM.match(piece) is not None
