"""Splitting a message into the questions it asks: "Is it waterproof and can I return it?" asks two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.language.lexicon import AUXILIARIES, PRONOUNS, QUESTION_WORDS
from graph.language.locale import word_class
from graph.language.terms import Word, words_of

MAX_CLAUSES = 6

_JOINING = word_class("joining")
_TELLING = frozenset({"tell", "show", "give"})
_OPENERS, _SUBJECTS, _ORDERS = map(word_class, ("openers", "question_subjects", "question_orders"))
_VERBS = AUXILIARIES - word_class("unfinished_verbs")
_IF = frozenset({"if", "whether"})
_NO_OBJECT = frozenset({"not", "well", "so"})
"""Words behind "do" and "does" that make no question of it: "it does so"."""
_MARKS, _STOPS = ".;?!\n,–—", frozenset(".;?!,")
_QUOTES = " \t,;&-–—\"'("
"""What may stand before the first word of a question."""
_MOST_OPENERS, _LEAST_WORDS, _PART_WORDS = 5, 2, 8


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
    end, of the one before it; so is its other side ("or is it extra?").

    Returns:
        The questions in order; the whole text as one where it asks one thing or nothing.
    """
    clauses: list[Clause] = []
    context = ""
    for piece in _pieces(text):
        if clauses and not context and _is_alternative(piece):
            clauses[-1] = Clause(f"{clauses[-1].text} {piece.strip()}", clauses[-1].question)
            continue
        context += piece
        asks = piece.rstrip().endswith("?") or _opens_question(piece, words_of(piece))
        if asks and len(clauses) < MAX_CLAUSES:
            clauses.append(Clause(context.strip(), piece.strip()))
            context = ""
    if not clauses:
        return [Clause(text, text)]
    *first, last = clauses
    return [*first, Clause(f"{last.text} {context.strip()}".strip(), last.question)]


def _is_alternative(piece: str) -> bool:
    """Whether a piece is the other side of the question before it: "or is it extra?", but not "or when is it back?"."""
    opening = [word.base for word in words_of(piece)[:2]]
    return opening[:1] == ["or"] and QUESTION_WORDS.isdisjoint(opening[1:])


def coordinates(text: str) -> list[str]:
    """The parts of a short coordination without verbs of their own: `["waterproof", "returnable?"]`; else nothing.

    Commas part only what a conjunction ends: "price, weight and warranty".
    """
    parts: list[list[str]] = [[]]
    joined = False
    for written in text.replace(" as well as ", " and ").split():
        word = written.casefold()
        if word in {"and", "or", "plus", "&"} and parts[0]:
            joined = True
            parts += [[]] if parts[-1] else []
        elif not (word == "also" and joined and not parts[-1]):
            parts[-1].append(written.removesuffix(","))
            parts += [[]] if written.endswith(",") else []
    short = all(0 < len(part) <= _PART_WORDS for part in parts)
    return [" ".join(part) for part in parts] if joined and short and 1 < len(parts) <= MAX_CLAUSES else []


def _pieces(text: str) -> Iterator[str]:
    """A text cut between its sentences, and where a question opens."""
    words = words_of(text)
    cuts = (cut for index in range(1, len(words)) if (cut := _cut(text, words, index)) is not None)
    for start, end in pairwise([0, *cuts, len(text)]):
        yield text[start:end]


def _cut(text: str, words: Sequence[Word], index: int) -> int | None:
    """Where a text is cut between a word and the one before it; None for nowhere."""
    begin, end = words[index - 1].end, words[index].start
    between = text[begin:end]
    mark = max(between.rfind(one) for one in _MARKS)
    behind = between[mark + 1 :]
    cut = end - len(behind.lstrip() if mark >= 0 else behind.rpartition(" ")[2])
    if between.rstrip().endswith(("?", "!")):
        return end
    parted = mark >= 0 and behind[:1].isspace()
    if "\n" in between or (parted and between[mark] in ".;"):
        # "approx. 5 kg" does not end a sentence.
        ends = {".", ";"}.isdisjoint(between) or text[cut].isupper()
    else:
        ends = False
        parted = parted or (between[-1:].isspace() and (words[index].text in _JOINING or "&" in between))
    opens = not text[cut:end].strip(_QUOTES) and _opens_question(text, words[index:])
    return cut if ends or (parted and opens) else None


def _opens_question(text: str, words: Sequence[Word]) -> bool:
    """Whether words of a text begin as questions do, behind what leads in."""
    said = [word.text for word in words[: _MOST_OPENERS + 1]]
    first = next((index for index, one in enumerate(said) if one not in _OPENERS), len(said))
    return _asks_whether(text, words) or _has_question_form(text, words[first:]) or _inverts(text, words[first:])


def _has_question_form(text: str, words: Sequence[Word]) -> bool:
    opening, said = words[0].base if words else "", [word.text for word in words[1:5]]
    if opening in {"when", "where"}:
        return words[0].text != opening or not (_VERBS | {"to"}).isdisjoint(said[:1])
    if opening.removesuffix("s") in QUESTION_WORDS or (opening in _TELLING and said[:1] == ["me"]):
        return len(said) >= _LEAST_WORDS
    if opening in {"i", "we", "not"}:
        return _wonders([opening, *said])
    if not said:
        return False
    does = opening in {"do", "does", "did"} and said[0] not in _NO_OBJECT
    return (
        does or opening in _ORDERS or ((opening in _VERBS or words[0].text == "won't") and _is_subject(text, words[1]))
    )


def _inverts(text: str, words: Sequence[Word]) -> bool:
    """Whether a condition goes on as a question does: "if they are too wide *can I* change them"."""
    if not words or words[0].text not in _IF:
        return False
    for before, verb, subject in zip(words, words[1:], words[2:], strict=False):
        if not _STOPS.isdisjoint(text[before.end : subject.start]):
            return False
        if before.text not in PRONOUNS | _IF and verb.text in _VERBS and subject.text in PRONOUNS & _SUBJECTS:
            return True
    return False


def _wonders(said: Sequence[str]) -> bool:
    """Whether somebody wants to be told: "I'd like to know", "we wonder", "not sure if"."""
    wanted = [one for one in said if one not in {"i", "i'm", "i'd", "we", "we'd", "would", "am"}]
    unsure = wanted[:2] == ["not", "sure"] and not (_IF | QUESTION_WORDS | {"about"}).isdisjoint(wanted[2:])
    return unsure or wanted[:1] == ["wonder"] or wanted[1:3] == ["to", "know"]


def _asks_whether(text: str, words: Sequence[Word]) -> bool:
    """Whether what somebody asks to be told goes on: "and if I can return it"; "and if I order today, ..." does not."""
    said = [word.text for word in words[:3]]
    joined = said[:1] != ["but"] and not _JOINING.isdisjoint(said[:1]) and not _IF.isdisjoint(said[1:2])
    if not joined or not words[2:] or not _is_subject(text, words[2]):
        return False
    for before, word in pairwise(words[2:]):
        between = text[before.end : word.start]
        if word.text in _JOINING:
            return between.strip() in {"", ","}
        if not _STOPS.isdisjoint(between):
            return False
    return {",", ";"}.isdisjoint(text[words[-1].end :])


def _is_subject(text: str, word: Word) -> bool:
    """Whether a word may be what an auxiliary before it is said of: a closed class, or a name."""
    return word.base in _SUBJECTS or text[word.start].isupper()
