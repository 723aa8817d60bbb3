"""Turns over a served model that nobody trusts: what must hold of each, and that nothing unsupported is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.assistant import Assistant
from app.errors import UnknownSourceError
from app.turns import AnswerPiece, Finished
from evals.benches.observed_model import Exchange, ObservedModel
from graph.draft import Segment, Sentence, Span
from graph.parts import Verifier
from graph.turn import ShownSentence, Style, Turn
from ingestion.errors import KnowledgeError
from ingestion.evidence import Product
from tests.invariants import violations

STYLES: tuple[Style, ...] = ("text", "text", "plain", "voice")
"""How questions are asked, by turns."""


@dataclass(frozen=True, slots=True)
class CheckedTurn:
    """What came of a question.

    Attributes:
        question: What was asked.
        turn: The turn; None where it crashed.
        exchanges: What the model was asked and wrote.
        broken: Invariants that do not hold, in words.
        unsupported: Sentences of a model's answer that were shown and do not pass the verifier again.
        crash: What was raised, if anything was.
    """

    question: str
    turn: Turn | None
    exchanges: Sequence[Exchange]
    broken: Sequence[str] = ()
    unsupported: Sequence[str] = ()
    crash: str | None = None


@dataclass(frozen=True, slots=True)
class TurnChecker:
    """Asks and checks; safe to share.

    Attributes:
        assistant: Who is asked.
        verifier: Judges shown sentences once more, from their citations alone.
        model: The model that the assistant asks, watched; None where nobody reads what it wrote.
    """

    assistant: Assistant
    verifier: Verifier
    model: ObservedModel | None = None

    def ask(self, question: str, thread: str, style: Style = "text", experiences: Sequence[str] = ()) -> CheckedTurn:
        """Ask in a thread; whatever goes wrong is part of what comes back."""
        pieces: list[str] = []
        turn: Turn | None = None
        crash = None
        try:
            for event in self.assistant.stream(question, thread, style, experiences=experiences):
                if isinstance(event, AnswerPiece):
                    pieces.append(event.text)
                elif isinstance(event, Finished):
                    turn = event.turn
        except Exception as error:  # noqa: BLE001 - whatever ends a turn is what is looked for
            crash = f"{type(error).__name__}: {error}"
        exchanges = self.model.taken() if self.model else []
        if turn is None:
            return CheckedTurn(question, None, exchanges, crash=crash or "it ended without a turn")
        broken = violations(turn, self._lookup(turn), style, self._catalog())
        if "".join(pieces) != turn.answer:
            broken.append("what was streamed is not the answer")
        # Spoken words are not those of the sources; local answers are verified claim by claim, which shows no more.
        by_model = turn.answered_by == "llm" and style != "voice"
        unsupported = self.unsupported(turn) if by_model else []
        return CheckedTurn(question, turn, exchanges, broken, unsupported, crash)

    def unsupported(self, turn: Turn) -> list[str]:
        """The factual sentences of a turn that their own citations, as they can be opened, do not bear out."""
        derived = [key for one in turn.citations if one.derived for key in one.derived.of]
        ids = dict.fromkeys([*(one.evidence_id for one in turn.citations), *derived])
        evidence = {key: self.assistant.source(key, turn.generation) for key in ids}
        shown = [_as_drafted(sentence, turn) for sentence in turn.sentences if sentence.factual]
        about = [(one, self.assistant.products.get(one.product_id or "")) for one in shown]
        verdicts = self.verifier.verify_all(about, evidence)
        return [
            f"{one.text} ({', '.join(verdict.reasons)})"
            for one, verdict in zip(shown, verdicts, strict=True)
            if not verdict.accepted
        ]

    def _lookup(self, turn: Turn) -> "_Lookup":
        return _Lookup(self.assistant, turn.generation)

    def _catalog(self) -> dict[str, list[str]]:
        return {product.id: _names(product) for product in self.assistant.products.values()}


@dataclass(frozen=True, slots=True)
class _Lookup:
    """Opens what a turn cites."""

    assistant: Assistant
    generation: str

    def __call__(self, evidence_id: str) -> Mapping[str, Any] | None:
        try:
            return asdict(self.assistant.source(evidence_id, self.generation))
        except (UnknownSourceError, KnowledgeError):
            return None


def _as_drafted(sentence: ShownSentence, turn: Turn) -> Sentence:
    """A sentence with its citations as spans, as if somebody had just drafted it."""
    cited = [one for one in turn.citations if one.marker in sentence.citations]
    spans = [Span(evidence_id=one.evidence_id, start=one.start, end=one.end, derived=one.derived) for one in cited]
    about = next((one.product_id for one in cited if one.product_id), None)
    return Sentence(segments=[Segment(text=sentence.text, spans=spans)], product_id=about)


def _names(product: Product) -> list[str]:
    without_brand = product.name.removeprefix(product.brand or "").strip()
    return [product.name, without_brand, *product.aliases]
