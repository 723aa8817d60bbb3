"""Topics: what the conversation is about, as its questions bring it up, latest first."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.rewriting.learned.reading.grammar import Phrase
from graph.rewriting.learned.reading.passages import Passage, sentences_of
from graph.rewriting.learned.reading.themes import theme_of

Key = tuple[str, ...]
"""The lower-cased words of a phrase."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that the conversation is or was about.

    Attributes:
        passage: Where it was brought up.
        phrase: The words that name it.
        extended: The same with the phrase that follows.
    """

    passage: Passage
    phrase: Phrase
    extended: Phrase

    @property
    def key(self) -> Key:
        """The words that name it."""
        return self.passage.lower[slice(*self.phrase)]

    @property
    def extended_key(self) -> Key:
        """The words that name it, those that follow included."""
        return self.passage.lower[slice(*self.extended)]


def topics_of(passages: Sequence[Passage]) -> list[Topic]:
    """The open page's topic and those of the questions asked, the one that is at hand first."""
    topics: list[Topic] = []
    for passage in passages:
        for sentence in sentences_of(passage) if passage.source == "user" else (passage,):
            topic = new_topic(sentence, topics)
            if topic is not None:
                topics = [topic, *(other for other in topics if other.key != topic.key)]
    return topics


def new_topic(passage: Passage, topics: Sequence[Topic]) -> Topic | None:
    """The topic that a passage brings up; None where it goes on about what is at hand, or is an answer."""
    if passage.source == "title" and passage.words:
        whole = (0, len(passage.words))
        return Topic(passage, whole, whole)
    if passage.source != "user":
        return None
    theme = theme_of(passage)
    if theme.subject is None or theme.extended is None:
        return None
    start, end = theme.subject
    back = passage.before(start) in {"the", "this", "that", "these", "those"} and end - start == 1
    if back and any(passage.lower[start] in topic.key for topic in topics):
        return None
    return Topic(passage, theme.subject, theme.extended)
