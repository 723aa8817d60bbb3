"""What an assistant says while it answers: typed events, the only thing a page or terminal needs to know."""

from dataclasses import dataclass

from graph.turn import Turn


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """The next piece of the answer; all pieces joined are `Turn.answer`."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is over and recorded."""

    turn: Turn


TurnEvent = AnswerPiece | Finished
