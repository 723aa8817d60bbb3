"""Reading a whole answer with `SentenceStream`, and short forms of what it said."""

from graph.llm.sentence_stream import DraftedSentence, Event, SentenceStream

IDS = ("spec:a", "review:r9", "review:r17", "feature:kestrel-2#3")


def read(answer: str, ids: tuple[str, ...] = IDS) -> list[Event]:
    stream = SentenceStream(ids)
    return [*(event for character in answer for event in stream.feed(character)), *stream.close()]


def said(answer: str, ids: tuple[str, ...] = IDS) -> list[DraftedSentence]:
    return [event for event in read(answer, ids) if isinstance(event, DraftedSentence)]


def texts(answer: str) -> list[str]:
    return [one.text for one in said(answer)]


def cited(answer: str) -> list[list[tuple[str, str]]]:
    """Each sentence's claims with their ids, joined by spaces."""
    return [[(claim.text, " ".join(claim.ids)) for claim in one.segments] for one in said(answer)]
