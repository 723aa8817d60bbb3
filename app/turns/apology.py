"""The turn that ends in time when the answer does not come: a plain apology and a next step."""

from collections.abc import Sequence

from graph.parts import Context
from graph.state import Piece
from graph.turn import Citation, Confidence, Intent, Retrieved, ShownSentence, Turn
from ingestion.evidence import Evidence

SORRY = "Sorry, this took too long and I had to stop."
BROKEN_OFF = "Sorry, the rest took too long and I had to stop here."
NEXT_STEP = "Please ask again, in fewer words if you can, or tell me that you would like to talk to a person."


class ShownSoFar:
    """What the user has seen of an answer, which is not taken back."""

    def __init__(self) -> None:
        self.sources: list[Evidence] = []
        self.text = ""
        self.sentences: list[ShownSentence] = []
        self.citations: list[Citation] = []

    def add(self, piece: Piece) -> str:
        """Add a piece that a node gave out, and return its text."""
        self.text += piece.text
        self.sentences = list(piece.sentences)
        self.sources = list(piece.sources)
        self.citations = list(piece.citations)
        return piece.text


def apology(shown: ShownSoFar) -> str:
    """What is said after what was shown."""
    return f"\n\n{BROKEN_OFF} {NEXT_STEP}" if shown.text else f"{SORRY} {NEXT_STEP}"


def overrun_turn(asked: Sequence[str], context: Context, shown: ShownSoFar, seconds: float) -> Turn:
    """The turn in place of one that ran past its limit; it states nothing but what was shown before.

    Args:
        asked: The conversation's and the turn's id, and the question.
        context: The parts that were to answer.
        shown: What the user has seen.
        seconds: The limit.
    """
    thread_id, turn_id, query = asked
    words = (BROKEN_OFF if shown.text else SORRY, NEXT_STEP)
    said = [ShownSentence(text=text, citations=[], support=0.0, factual=False) for text in words]
    stated = any(sentence.factual for sentence in shown.sentences)
    cited = dict.fromkeys(citation.evidence_id for citation in shown.citations)
    return Turn(
        thread_id=thread_id,
        turn_id=turn_id,
        query=query,
        standalone_query=query,
        rewritten_by="none",
        searchable=True,
        live_agent=False,
        products=[],
        intent=Intent(distribution={}, entropy=0.0, selected=[], branch="focused"),
        outcome="clear" if stated else "no_answer",
        answer=shown.text + apology(shown),
        sentences=[*shown.sentences, *said],
        citations=shown.citations,
        retrieved=[Retrieved(evidence_id=key, score=0.0) for key in cited],
        confidence=Confidence(score=0.0, label="low"),
        answered_by="llm" if shown.text else "local",
        degraded=f"turn: no answer within {seconds:g} s",
        generation=context.knowledge.generation,
        prompt_hash="",
        config_hash=context.config_hash,
    )
