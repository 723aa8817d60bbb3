"""Reading a whole answer with `SentenceStream`, and short forms of what it said."""

from collections.abc import Iterable

from graph.llm.sentence_stream import DraftedSentence, RunawayAnswerError, SentenceStream

IDS = ("spec:a", "review:r9", "review:r17", "feature:kestrel-2#3")
Answer = tuple[str | None, list[DraftedSentence], list[str]]
"""Outcome, sentences and missing parts of an answer."""


def events_of(pieces: Iterable[str], ids: tuple[str, ...] = IDS) -> tuple[Answer, bool]:
    """All that is given, and whether the answer ran away."""
    stream, sentences, ran_away = SentenceStream(ids), list[DraftedSentence](), False
    try:
        for piece in pieces:
            sentences += stream.feed(piece)
        sentences += stream.close()
    except RunawayAnswerError:
        ran_away = True
    return (stream.outcome, sentences, stream.missing), ran_away


def read(answer: str, ids: tuple[str, ...] = IDS) -> Answer:
    """An answer that comes to its end, read letter by letter."""
    stream = SentenceStream(ids)
    sentences = [*(said for character in answer for said in stream.feed(character)), *stream.close()]
    return stream.outcome, sentences, stream.missing


def said(answer: str, ids: tuple[str, ...] = IDS) -> list[DraftedSentence]:
    return read(answer, ids)[1]


def texts(answer: str) -> list[str]:
    return [one.text for one in said(answer)]


def cited(answer: str) -> list[list[tuple[str, str]]]:
    """Each sentence's claims with their ids, joined by spaces."""
    return [[(claim.text, " ".join(claim.ids)) for claim in one.segments] for one in said(answer)]
