"""An answer that is shown while it is still being written: what was given out is never taken back."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from graph.draft import Block
from graph.rendering.markers import MarkerBook
from graph.rendering.written import WrittenAnswer
from graph.turn import Citation, ShownSentence, Style
from ingestion.evidence import Evidence


class Tell(Protocol):
    """Takes the next piece of an answer, with the sentences and citations of all that has been given out."""

    def __call__(self, text: str, sentences: Sequence[ShownSentence], citations: Sequence[Citation]) -> None:
        """Give the piece out."""
        ...


class StreamedAnswer:
    """Gives out what has been added to an answer.

    A spoken answer waits for its end: how a source is named depends on how sure the whole is.

    Args:
        evidence: What may be cited, by id.
        generation: That of the index.
        style: How the answer is worded.
        tell: Takes the next piece.
    """

    def __init__(self, evidence: Mapping[str, Evidence], generation: str, style: Style, tell: Tell) -> None:
        self._evidence, self._generation = evidence, generation
        self._style, self._tell = style, tell
        self.text = ""

    def show(self, blocks: Sequence[Block]) -> None:
        """Write an answer that begins with all that was written before, and give out the rest."""
        if self._style == "voice":
            return
        book = MarkerBook(self._evidence, self._generation)
        writer = WrittenAnswer(book, marked=self._style == "text")
        written = "".join(writer.pieces(blocks))
        fresh, self.text = written[len(self.text) :], written
        if fresh:
            self._tell(fresh, writer.sentences, book.citations)
