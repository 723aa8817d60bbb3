"""Features of an edit: a candidate for one slot, or one to be added."""

from collections.abc import Sequence

from graph.catalog.function_words import AUXILIARIES, PREPOSITIONS
from graph.rewriting.learned.edits import Rewriting
from graph.rewriting.learned.features.question import Features
from graph.rewriting.learned.reading.candidates import Candidate
from graph.rewriting.learned.reading.grammar import noun_phrases
from graph.rewriting.learned.reading.lexicon import is_plural, is_stop, singular
from graph.rewriting.learned.reading.passages import WORD
from graph.rewriting.learned.reading.situation import Situation
from graph.rewriting.learned.reading.slots import SLOT_KINDS, Slot
from graph.rewriting.learned.reading.topics import Key, Topic

_SINGULAR = frozenset("he she it this".split())
_NO_TOPIC = 9
_PERSONS = frozenset({"he", "she"})
_PLURAL = frozenset("they these".split())


def slot_features(situation: Situation, done: Sequence[Candidate | None]) -> Features:
    """What the next slot is like, after some were decided."""
    slot, question = situation.slots[len(done)], situation.question
    before, after = question.before(slot.start), question.after(slot.end)
    return {
        **{f"slot_{kind}": slot.kind == kind for kind in SLOT_KINDS},
        "slot_owner": slot.owner,
        "slot_order": len(done),
        "slot_place": slot.start,
        "slot_again": any(other.kind == slot.kind for other in situation.slots[: len(done)]),
        "slot_last_kept": bool(done) and done[-1] is None,
        "slot_behind_preposition": before in PREPOSITIONS,
        "slot_behind_auxiliary": before in AUXILIARIES,
        "slot_before_stop": is_stop(after),
        "slot_ends": after == "$",
        "slot_capital": question.capital(slot.start),
        **_own_antecedents(situation, slot),
    }


def fill_features(situation: Situation, done: Sequence[Candidate | None], candidate: Candidate) -> Features:
    """How a candidate fits the next slot."""
    slot = situation.slots[len(done)]
    several = is_plural(candidate.key[-1]) or "and" in candidate.key
    agrees = not (slot.kind in _SINGULAR and several) and not (slot.kind in _PLURAL and not several)
    noun = situation.question.lower[slot.end - 1]
    return {
        "fill_repeats": any(other is not None and other.key == candidate.key for other in done),
        "fill_agrees": agrees,
        "fill_topic": _rank(candidate, _agreement(slot, situation.topics)),
        "fill_extended": next(
            (i for i, topic in enumerate(situation.topics[:3]) if topic.extended_key == candidate.key != topic.key), 9
        ),
        "fill_noun": slot.kind == "phrase" and singular(noun) in map(singular, candidate.key),
        "fill_extra": len(candidate.key) - len(slot.key),
    }


class Additions:
    """Features of the candidates as additions.

    Args:
        situation: The question and its conversation.
        so_far: What was put in already.
        text: What the question reads then.
    """

    def __init__(self, situation: Situation, so_far: Rewriting, text: str) -> None:
        self.shared: Features = {
            "round": len(so_far.additions),
            "filled": sum(candidate is not None for candidate in so_far.fills),
            "kept": sum(candidate is None for candidate in so_far.fills),
            "added_words": len(so_far.additions[-1].key) if so_far.additions else 0,
        }
        self._words = frozenset(WORD.findall(text.lower()))
        self._situation = situation
        self._resolved = any(candidate is not None for candidate in so_far.fills)
        named = {word for topic in situation.topics[:1] for word in topic.key}
        self._said = not self._words.isdisjoint(named)

    def features(self, candidate: Candidate, row: Features) -> Features:
        """How much a candidate adds, and whether it is the topic that the question asks for."""
        new = sum(word not in self._words for word in candidate.key)
        at_hand = row["topic"] == 0 and new == len(candidate.key)
        theme, bare = self._situation.theme, not self._resolved
        return {
            "new_words": new,
            "said_share": 1 - new / len(candidate.key),
            "all_new": new == len(candidate.key),
            "topic_said": self._said,
            "topic_wanted": at_hand and theme.wanting,
            "topic_wanted_bare": at_hand and theme.wanting and bare,
            "topic_repeated": at_hand and theme.generic,
            "topic_bare": at_hand and bare,
            "topic_bare_old": at_hand and bare and theme.subject is None,
            "first_bare": row["first_topic"] and bare and new == len(candidate.key),
        }


def _rank(candidate: Candidate, keys: Sequence[Key]) -> int:
    return next((rank for rank, key in enumerate(keys) if key == candidate.key), _NO_TOPIC)


def _own_antecedents(situation: Situation, slot: Slot) -> Features:
    """What the question itself names before a pronoun, and whether a new clause has begun since."""
    question = situation.question
    named = [phrase for phrase in noun_phrases(question) if phrase[1] <= slot.start]
    clauses = sum(
        question.lower[i] in {"and", "but", "or", "if", "when"} or not question.joined(i) for i in range(slot.start)
    )
    return {
        "own_phrases": len(named),
        "own_names": sum(question.proper(end - 1) for _, end in named),
        "own_plurals": sum(is_plural(question.lower[end - 1]) for _, end in named),
        "own_clauses": clauses if named else 0,
    }


def _agreement(slot: Slot, topics: Sequence[Topic]) -> list[Key]:
    """The topics that a pronoun may stand for, by number; "he" and "she" want a name."""
    several = {topic.key: is_plural(topic.key[-1]) for topic in topics}
    if slot.kind in _PERSONS:
        return [topic.key for topic in topics if topic.passage.capital(topic.phrase[1] - 1) and not several[topic.key]]
    if slot.kind in _PLURAL:
        return [topic.key for topic in topics if several[topic.key]]
    if slot.kind in _SINGULAR:
        return [topic.key for topic in topics if not several[topic.key]]
    return [topic.key for topic in topics]
