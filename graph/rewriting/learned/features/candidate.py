"""Features of a candidate in its conversation."""

from collections.abc import Sequence
from itertools import pairwise

from graph.catalog.function_words import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS
from graph.rewriting.learned.features.question import YEAR, Features
from graph.rewriting.learned.reading.candidates import KINDS, Candidate, Mention
from graph.rewriting.learned.reading.lexicon import (
    DETERMINERS,
    is_adjective,
    is_generic,
    is_participle,
    is_plural,
    is_relational,
    is_stop,
    singular,
)
from graph.rewriting.learned.reading.passages import MAX_AGE, Passage
from graph.rewriting.learned.reading.situation import Situation
from graph.rewriting.learned.reading.themes import theme_of

_NO_TOPIC = 9
_TOPICS = 5
_NEAR = 4


def candidate_features(situation: Situation) -> list[Features]:
    """What each candidate of a situation is like."""
    known = _Known(situation)
    found = [
        {**_form(candidate), **_mentioned(candidate), **_place(candidate), **known.features(candidate)}
        for candidate in situation.candidates
    ]
    names = [(row["last"], -row["position"]) for row in found if row["kind_name"] and row["capital_share"]]
    for row in found:
        row["newer_names"] = sum(name < (row["last"], -row["position"]) for name in names)
    return found


def _form(candidate: Candidate) -> Features:
    last = candidate.mentions[-1]
    key, size = candidate.key, len(candidate.key)
    written = last.passage.words[last.start : last.end]
    kinds = frozenset[str]().union(*(mention.kinds for mention in candidate.mentions))
    return {
        **{f"kind_{kind}": kind in kinds for kind in KINDS},
        "size": size,
        "letters": sum(map(len, key)),
        "capital_share": sum(word[0].isupper() for word in written) / max(1, len(written)),
        "digit": any(word[0].isdigit() for word in key),
        "only_year": size == 1 and YEAR.fullmatch(key[0]) is not None,
        "is_plural": is_plural(key[-1]) or "and" in key,
        "begins_participle": is_participle(key[0]),
        "ends_participle": is_participle(key[-1]),
        "small_words": sum(map(is_stop, key)),
        "relational_head": is_relational(key[-1]),
        "adjective_head": is_adjective(key[-1]),
        "generic_head": is_generic(key[-1]),
        "adjective_first": is_adjective(key[0]),
    }


def _mentioned(candidate: Candidate) -> Features:
    ages: dict[str, list[int]] = {"user": [], "assistant": []}
    shares = {"title": 0.0, "section": 0.0}
    for mention in candidate.mentions:
        source = mention.passage.source
        if source in ages:
            ages[source].append(mention.passage.age)
        else:
            shares[source] = max(shares[source], (mention.end - mention.start) / len(mention.passage.words))
    user, assistant = min(ages["user"], default=MAX_AGE), min(ages["assistant"], default=MAX_AGE)
    return {
        **shares,
        "times_user": len(ages["user"]),
        "times_assistant": len(ages["assistant"]),
        "last_user": user,
        "last_assistant": assistant,
        "last": min(user, assistant),
        "first_user": max(ages["user"], default=0),
    }


def _place(candidate: Candidate) -> Features:
    """What stands around it where it was said last."""
    mention = _latest(candidate)
    passage, start, end = mention.passage, mention.start, mention.end
    before, after = passage.before(start), passage.after(end)
    return {
        "position": start / max(1, len(passage.words)),
        "by_user": passage.source == "user",
        "by_assistant": passage.source == "assistant",
        "begins": start == 0,
        "ends": after == "$",
        "behind_the": before == "the",
        "behind_a": before in {"a", "an"},
        "behind_determiner": before in DETERMINERS,
        "behind_preposition": before in PREPOSITIONS,
        "behind_of": before == "of",
        "behind_about": before == "about",
        "behind_by": before == "by",
        "behind_in": before in {"in", "at"},
        "behind_with": before == "with",
        "behind_auxiliary": before in AUXILIARIES,
        "behind_question_word": before in QUESTION_WORDS,
        "behind_stop": before == "^" or is_stop(before),
        "behind_and": before == "and",
        "before_stop": after == "$" or is_stop(after),
        "before_preposition": after in PREPOSITIONS,
        "before_auxiliary": after in AUXILIARIES,
        "before_owned": after == "s",
        "before_and": after == "and",
    }


def _latest(candidate: Candidate) -> Mention:
    return min(candidate.mentions, key=lambda m: (m.passage.age or MAX_AGE, m.passage.source != "user"))


class _Known:
    """What is known of a situation, against which its candidates are held."""

    def __init__(self, situation: Situation) -> None:
        self._question = frozenset(situation.question.lower)
        self._stems = frozenset(map(singular, situation.question.lower))
        self._title = _words_of(situation.passages, "title")
        self._section = _words_of(situation.passages, "section")
        self._topics = [frozenset(topic.key) for topic in situation.topics[:_TOPICS]]
        self._ranks = {topic.key: rank for rank, topic in reversed(list(enumerate(situation.topics)))}
        self._extended = {topic.extended_key: rank for rank, topic in reversed(list(enumerate(situation.topics)))}
        self._ages = [topic.passage.age for topic in situation.topics]
        self._first = situation.topics[-1].key if situation.topics else ()
        asked = [passage for passage in situation.passages if passage.source == "user"]
        theme = theme_of(asked[-1]).phrase if asked else None
        self._theme = asked[-1].lower[slice(*theme)] if theme else ()
        self._definite = frozenset(
            singular(b)
            for a, b in pairwise(situation.question.lower)
            if a in {"the", "this", "that", "these", "those"} and not is_stop(b)
        )
        self._inside: dict[tuple[str, ...], int] = {}
        for other in situation.candidates:
            size = len(other.key)
            for part in {other.key[i:j] for i in range(size) for j in range(i + 1, size + 1) if j - i < size}:
                self._inside[part] = self._inside.get(part, 0) + 1

    def features(self, candidate: Candidate) -> Features:
        """How a candidate stands to the topics, the titles and the words of the question."""
        key, words, size = candidate.key, frozenset(candidate.key), len(candidate.key)
        rank = self._ranks.get(key, _NO_TOPIC)
        at_hand = self._topics[0] if self._topics else frozenset[str]()
        return {
            "topic": rank,
            "topic_extended": self._extended.get(key, _NO_TOPIC),
            "topic_touched": next((i for i, topic in enumerate(self._topics) if topic & words), _NO_TOPIC),
            "topic_since": self._ages[rank] if rank < len(self._ages) else MAX_AGE,
            "topic_share": len(at_hand & words) / size,
            "topic_covered": len(at_hand & words) / max(1, len(at_hand)),
            "first_topic": key == self._first,
            "last_theme": key == self._theme,
            "title_share": sum(word in self._title for word in key) / size,
            "section_share": sum(word in self._section for word in key) / size,
            "asked_share": sum(word in self._question for word in key) / size,
            "asked_stems": sum(singular(word) in self._stems for word in key) / size,
            "asked_head": singular(key[-1]) in self._stems,
            "definite_head": singular(key[-1]) in self._definite,
            "definite_in": any(singular(word) in self._definite for word in key),
            "definite_near": any(self._near(mention) for mention in candidate.mentions),
            "together": max(self._together(mention.passage) for mention in candidate.mentions),
            "inside": self._inside.get(key, 0),
        }

    def _near(self, mention: Mention) -> bool:
        around = mention.passage.lower[max(0, mention.start - _NEAR) : mention.end + _NEAR]
        return bool(self._definite) and not self._definite.isdisjoint(map(singular, around))

    def _together(self, passage: Passage) -> int:
        """How many content words of the question the passage has."""
        return len({singular(word) for word in passage.lower if not is_stop(word)} & self._stems)


def _words_of(passages: Sequence[Passage], source: str) -> frozenset[str]:
    return frozenset(word for passage in passages if passage.source == source for word in passage.lower)
