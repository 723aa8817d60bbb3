"""Carrying a topic: where no product is spoken of, "it" is what the last question or the open page is about."""

import re

from graph.language.function_words import ARTICLES, AUXILIARIES, FUNCTION_WORDS, PRONOUNS
from graph.rewriting.fragments import lead_of
from graph.rewriting.references import find_pronoun
from graph.rewriting.scene import Scene
from graph.rewriting.words import Edit, Word, appended, edited, words_of

_DO = frozenset("do does did can could will would shall should may must has have had".split())
_PARTICIPLE = re.compile(r"(?:ed|made|paid|sent|done|kept|held|sold|taken|given)$")
_SPEAKERS = frozenset({"i", "you", "we"})
_OWNERS = frozenset({"its", "their"})
_MAX_TOPIC = 5


def carried(query: str, scene: Scene) -> str | None:
    """The question with the topic at hand in it; None where it needs none or there is none."""
    topic = _topic(scene)
    if topic is None:
        return None
    pronoun = find_pronoun(query)
    if pronoun is not None:
        return edited(query, [Edit(pronoun.start, pronoun.end, f"{topic}'s" if pronoun.text in _OWNERS else topic)])
    spoken = {word.text for word in words_of(query)}
    continues = lead_of(query) > 0 and "the" in spoken and not spoken & {"a", "an"}
    return appended(query, f"for {topic}") if continues and not spoken.isdisjoint(AUXILIARIES) else None


def _topic(scene: Scene) -> str | None:
    """What the last question was about, if no product; else the title of a page about no product."""
    last = topic_of(scene.previous.standalone_query) if scene.strayed and scene.previous else None
    return last or next(iter([] if scene.focus else scene.user.page.titles), None)


def topic_of(question: str) -> str | None:
    """The noun phrase that a question is about: its subject, or its object after "I" and "you"."""
    words = words_of(question)
    auxiliary = next((i for i, word in enumerate(words) if word.text.split("'")[0] in AUXILIARIES), None)
    if auxiliary is None or auxiliary + 1 >= len(words):
        return None
    first = auxiliary + 1
    by_speaker = words[first].text in _SPEAKERS
    if words[first].text in PRONOUNS - _SPEAKERS:
        return None
    if by_speaker:
        first += 2
    last = _phrase_end(words, first)
    if not by_speaker and last is not None and last > first:
        asks_what = words[0].text.startswith("what") and words[auxiliary].text not in _DO
        ends_in_verb = words[auxiliary].text in _DO or _PARTICIPLE.search(words[last].text)
        last -= 1 if ends_in_verb and not asks_what else 0
    return question[words[first].start : words[last].end] if last is not None else None


def _phrase_end(words: tuple[Word, ...], first: int) -> int | None:
    """Index of the last word of the noun phrase that begins at a word; None where none begins there."""
    start = first + 1 if first < len(words) and words[first].text in ARTICLES | {"my", "your"} else first
    end = start
    while end < len(words) and end - start < _MAX_TOPIC and words[end].text not in FUNCTION_WORDS:
        end += 1
    return end - 1 if end > start else None
