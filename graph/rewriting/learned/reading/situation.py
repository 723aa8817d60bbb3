"""The situation of a question: all that its rewrite is decided by, read once."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.rewriting.learned.reading.candidates import Candidate, candidates_of
from graph.rewriting.learned.reading.ellipsis import whole_questions
from graph.rewriting.learned.reading.passages import Passage, Said, read_passage, read_passages, sentences_of
from graph.rewriting.learned.reading.slots import Slot, slots_of
from graph.rewriting.learned.reading.themes import Theme, theme_of
from graph.rewriting.learned.reading.topics import Topic, topics_of


@dataclass(frozen=True, slots=True)
class Situation:
    """A question in its conversation.

    Attributes:
        question: The question.
        passages: The open page's titles and what was said, oldest first.
        topics: What the conversation is about, the topic at hand first.
        candidates: The phrases that may be missing.
        theme: What the question, or its last sentence, is about.
        slots: The words of it that may be replaced.
    """

    question: Passage
    passages: tuple[Passage, ...]
    topics: tuple[Topic, ...]
    candidates: tuple[Candidate, ...]
    theme: Theme
    slots: tuple[Slot, ...]


def read_situation(query: str, history: Sequence[Said], context: Sequence[str]) -> Situation:
    """Read a question, what was said before it, and the titles of the open page."""
    passages = read_passages(history, context)
    asked = [passage for passage in passages if passage.source == "user"]
    question = whole_questions(asked, read_passage(query, "user", 0))
    topics = topics_of(passages)
    candidates = candidates_of(passages, topics)
    sentences = sentences_of(question)
    return Situation(
        question=question,
        passages=tuple(passages),
        topics=tuple(topics),
        candidates=tuple(candidates),
        theme=theme_of(sentences[-1] if sentences else question),
        slots=tuple(slots_of(question, candidates)),
    )
