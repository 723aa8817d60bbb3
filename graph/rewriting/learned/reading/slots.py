"""Slots: the words of a question that stand for something said before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from graph.catalog.function_words import AUXILIARIES, PREPOSITIONS
from graph.rewriting.learned.reading.candidates import Candidate
from graph.rewriting.learned.reading.grammar import noun_phrases
from graph.rewriting.learned.reading.lexicon import DEMONSTRATIVES, is_adjective, is_generic, is_stop
from graph.rewriting.learned.reading.passages import Passage
from graph.rewriting.learned.reading.topics import Key

SlotKind = Literal["he", "she", "it", "they", "there", "this", "these", "one", "then", "phrase", "name"]
SLOT_KINDS: tuple[SlotKind, ...] = get_args(SlotKind)

_PRONOUNS: dict[str, SlotKind] = {
    **dict.fromkeys("he him his himself".split(), "he"),
    **dict.fromkeys("she her hers herself".split(), "she"),
    **dict.fromkeys("it its itself".split(), "it"),
    **dict.fromkeys("they them their theirs themselves".split(), "they"),
    "there": "there",
    **dict.fromkeys("this that".split(), "this"),
    **dict.fromkeys("these those".split(), "these"),
    **dict.fromkeys("one ones".split(), "one"),
    "then": "then",
}
_OWNERS = frozenset("his its their".split())
_BEFORE_ONE = frozenset("the this that which other another good best important popular main".split())
_BEING = frozenset("is are was were any".split())
MOST_SLOTS = 24
"""Slots of a question that are filled; each is compared with all that was said before it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Words that may be replaced.

    Attributes:
        kind: What stands there.
        start: Index of the first word.
        end: Index behind the last word.
        owner: Whether it means "of ...", as "its" does.
        key: The words that what replaces it must contain; empty for none.
    """

    kind: SlotKind
    start: int
    end: int
    owner: bool = False
    key: Key = ()

    def admits(self, candidate: Candidate) -> bool:
        """Whether a candidate may stand there: a longer form of a name, anything for a pronoun."""
        size = len(self.key)
        if self.kind != "name":
            return True
        places = range(len(candidate.key) - size + 1)
        return len(candidate.key) > size and any(candidate.key[i : i + size] == self.key for i in places)


def pronoun_kind(word: str) -> SlotKind | None:
    """What a pronoun stands for; None for other words."""
    return _PRONOUNS.get(word)


def slots_of(question: Passage, candidates: Sequence[Candidate]) -> list[Slot]:
    """The first slots of a question, in order; they do not overlap."""
    slots: list[Slot] = []
    names = _known_names(candidates)
    longest = max(map(len, names), default=0)
    index = 0
    while index < len(question.words) and len(slots) < MOST_SLOTS:
        whole = _whole_name(question, index, candidates)
        if whole:
            index = whole
            continue
        slot = (
            _pronoun(question, index)
            or _demonstrative(question, index)
            or _partial_name(question, index, names, longest)
        )
        if slot is not None:
            slots.append(slot)
        index = slot.end if slot else index + 1
    return slots


def _pronoun(question: Passage, index: int) -> Slot | None:
    word, before, after = question.lower[index], question.before(index), question.after(index + 1)
    kind = _PRONOUNS.get(word)
    noun_follows = after != "$" and not is_stop(after)
    if kind is None or (kind in {"this", "these"} and noun_follows):
        return None
    if word == "that" and after != "$" and before not in AUXILIARIES | PREPOSITIONS:
        return None
    if kind == "there" and (before in _BEING or after in _BEING):
        return None
    if word == "one" and before not in _BEFORE_ONE:
        return None
    owner = word in _OWNERS or (word == "her" and noun_follows)
    return Slot(kind, index, index + 1, owner)


def _demonstrative(question: Passage, index: int) -> Slot | None:
    """Read "this controversy", and "the" before a noun that only repeats what was spoken of."""
    word, after = question.lower[index], question.after(index + 1)
    if after in {"$", "article"} or is_stop(after) or question.capital(index + 1):
        return None
    end = next((phrase[1] for phrase in noun_phrases(question) if phrase[0] == index + 1), index + 2)
    bare = is_generic(question.lower[end - 1]) and all(map(is_adjective, question.lower[index + 1 : end - 1]))
    repeats = word == "the" and bare and question.after(end) != "of"
    if (word in DEMONSTRATIVES or repeats) and not (question.after(end) != "$" and question.capital(end)):
        return Slot("phrase", index, end)
    return None


def _whole_name(question: Passage, index: int, candidates: Sequence[Candidate]) -> int | None:
    """Where a name that is said in full ends; None where none begins."""
    ends = [
        index + len(candidate.key)
        for candidate in candidates
        if len(candidate.key) > 1
        and candidate.key == question.lower[index : index + len(candidate.key)]
        and any("name" in mention.kinds or mention.passage.source == "title" for mention in candidate.mentions)
    ]
    return max(ends, default=None)


def _partial_name(question: Passage, index: int, names: Mapping[Key, bool], longest: int) -> Slot | None:
    """Read the longest run of words that is a part of a longer name, none of which has more than `longest` words."""
    for end in range(min(len(question.words), index + longest), index, -1):
        key = question.lower[index:end]
        if key in names and (names[key] or question.capital(index)) and not _goes_on(question, index, end):
            return Slot("name", index, end, key=key)
    return None


def _goes_on(question: Passage, start: int, end: int) -> bool:
    """Whether a name goes on before or behind a run of words, so that they are no short form of another."""
    before = start > 1 and question.capital(start - 1) and question.joined(start - 1)
    behind = end < len(question.words) and question.capital(end) and question.joined(end - 1)
    return before or behind


def _known_names(candidates: Sequence[Candidate]) -> dict[Key, bool]:
    """What a name may be shortened to, some of its words in a row; and whether it is a title's."""
    names: dict[Key, bool] = {}
    for candidate in candidates:
        title = any(mention.passage.source == "title" for mention in candidate.mentions)
        if not title and not any("name" in mention.kinds for mention in candidate.mentions):
            continue
        size = len(candidate.key)
        for start in range(size):
            for end in range(start + 1, size + (start > 0)):
                part = candidate.key[start:end]
                if not is_stop(part[0]) and not is_stop(part[-1]) and not part[0].isdigit():
                    names[part] = names.get(part, False) or title
    return names
