"""Features of a question and its conversation, the same for every candidate."""

import re
from collections import Counter
from itertools import pairwise

from graph.catalog.function_words import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS
from graph.rewriting.learned.reading.lexicon import ANAPHORS, LEADS, is_stop
from graph.rewriting.learned.reading.passages import MAX_AGE
from graph.rewriting.learned.reading.situation import Situation
from graph.rewriting.learned.reading.slots import SLOT_KINDS, pronoun_kind
from graph.rewriting.learned.reading.themes import FORMS
from graph.rewriting.learned.reading.topics import new_topic

Features = dict[str, float]

YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ASKING = ("what", "who", "when", "where", "why", "how", "which", "whose")
_OTHERS = frozenset("other others another additional".split())
_SPEAKERS = frozenset("i my me we our".split())
_PRONOUN_KINDS = SLOT_KINDS[:9]


def question_features(situation: Situation) -> Features:
    """What the question is like."""
    return {**_wording(situation), **_topical(situation), **_pronouns(situation)}


def _wording(situation: Situation) -> Features:
    question = situation.question
    lower, spoken = question.lower, frozenset(question.lower)
    first = lower[0] if lower else ""
    return {
        "words": len(lower),
        "content": sum(not is_stop(word) for word in lower),
        "anaphors": sum(word in ANAPHORS for word in lower),
        "capitals": sum(question.capital(i) for i in range(1, len(lower))),
        "other": not spoken.isdisjoint(_OTHERS),
        "else": "else" in spoken,
        "more": "more" in spoken,
        "any": "any" in spoken,
        "asks_auxiliary": first in AUXILIARIES,
        "leads": first in LEADS,
        "no_verb": spoken.isdisjoint(AUXILIARIES),
        "there": "there" in spoken,
        "article": "article" in spoken,
        "year": any(YEAR.fullmatch(word) for word in lower),
        "ends_preposition": bool(lower) and lower[-1] in PREPOSITIONS,
        "speaker": not spoken.isdisjoint(_SPEAKERS),
        "you": "you" in spoken,
        "definite": sum(a == "the" and not is_stop(b) for a, b in pairwise(lower)),
        "asks": next((i + 1 for i, word in enumerate(_ASKING) if word in spoken & QUESTION_WORDS), 0),
    }


def _topical(situation: Situation) -> Features:
    theme, topics = situation.theme, situation.topics
    exchanges = max((passage.age for passage in situation.passages), default=0)
    fresh = new_topic(situation.question, topics)
    return {
        **{f"form_{form}": theme.form == form for form in FORMS},
        "relational": theme.relational,
        "headless": theme.headless,
        "complete": theme.complete,
        "wanting": theme.wanting,
        "generic": theme.generic,
        "fresh": fresh is not None,
        "fresh_proper": fresh is not None and fresh.passage.capital(fresh.phrase[1] - 1),
        "topics": len(topics),
        "topic_age": topics[0].passage.age if topics else MAX_AGE,
        "exchanges": exchanges,
        "page": any(passage.source == "title" for passage in situation.passages),
        "answers": any(passage.source == "assistant" for passage in situation.passages),
    }


def _pronouns(situation: Situation) -> Features:
    """Which pronouns the question and the conversation have: they tell a man from a woman from a band."""
    own = {pronoun_kind(word) for word in situation.question.lower}
    said: dict[str, Counter[str | None]] = {"user": Counter(), "assistant": Counter()}
    for passage in situation.passages:
        if passage.source in said:
            said[passage.source].update(pronoun_kind(word) for word in passage.lower)
    features: Features = {f"has_{kind}": kind in own for kind in _PRONOUN_KINDS}
    for source, counts in said.items():
        features.update({f"{source}_{kind}": counts[kind] for kind in ("he", "she", "it", "they")})
    return features
