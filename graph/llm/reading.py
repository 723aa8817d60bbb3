"""Reading a model's answer as it streams in: each sentence is decided on before the next one is read."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from graph.draft import Block
from graph.llm.answer_blocks import AnswerBlocks
from graph.llm.model import LanguageModel, LanguageModelError, Request
from graph.llm.runaway import RunawayAnswerError
from graph.llm.sentence_stream import SentenceStream
from graph.llm.stream_events import DraftedRow, DraftedSentence, Event, Missing, ModelOutcome, Outcome
from graph.turn import Usage

RAN_AWAY = "the answer did not come to an end"
Show = Callable[[Sequence[Block]], None]


@dataclass(slots=True)
class Reading:
    """What was read of one answer.

    Attributes:
        blocks: What may be shown of it.
        outcome: What the model says came of it.
        missing: Parts of the question it found no evidence for.
        usage: What it cost.
        failure: Why it broke off; None where it came to its end.
    """

    blocks: AnswerBlocks
    outcome: ModelOutcome = "clear"
    missing: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    failure: str | None = None

    def take(self, event: Event) -> None:
        """Take what was read next."""
        match event:
            case Outcome(value):
                self.outcome = value
            case Missing(text):
                self.missing.append(text)
            case DraftedSentence() | DraftedRow():
                self.blocks.add(event)


def read_answer(
    model: LanguageModel,
    request: Request,
    ids: Sequence[str],
    blocks: AnswerBlocks,
    show: Show,
    begun: Callable[[], None],
) -> Reading:
    """Ask a model and read its answer.

    Args:
        model: Who is asked.
        request: What is asked.
        ids: The evidence that it may cite.
        blocks: What was accepted before; the answer is added to it.
        show: Told of all that may be shown, whenever that has grown.
        begun: Called once the first words are there: the server has read the prompt by then.
    """
    reading, stream = Reading(blocks), SentenceStream(ids)
    try:
        with closing(model.stream(request)) as pieces:
            for number, piece in enumerate(pieces):
                if not number:
                    begun()
                reading.usage = piece.usage or reading.usage
                for event in stream.feed(piece.text):
                    _take(reading, event, show)
        for event in stream.close():
            _take(reading, event, show)
    except RunawayAnswerError as error:
        reading.failure, reading.usage = f"{RAN_AWAY}: {error.reason}", Usage(llm_calls=1)
    except LanguageModelError as error:
        reading.failure, reading.usage = error.reason, error.usage
    blocks.close()
    if blocks.stated:
        show(blocks.blocks)
    return reading


def _take(reading: Reading, event: Event, show: Show) -> None:
    before = reading.blocks.stated
    reading.take(event)
    if reading.blocks.stated > before:
        show(reading.blocks.blocks)
