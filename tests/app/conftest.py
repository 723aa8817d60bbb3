"""A page's assistant that answers from a script."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.errors import UnknownSourceError
from app.events import AnswerPiece, Finished, TurnEvent
from app.records import ThreadSummary, Thumb
from graph.turn import Citation, Confidence, Intent, ShownSentence, Turn, User
from ingestion.evidence import Evidence, Money, Product

SPEC = Evidence(
    evidence_id="spec:kestrel-2",
    source_type="spec",
    text="Weight: 1.9 kg\nCapacity: 2 people\nHydrostatic head: 3,000 mm",
    title="Kestrel 2 specifications",
    row_id="kestrel-2",
    product_id="kestrel-2",
)
NASTY = Evidence(
    evidence_id="review:r1",
    source_type="review",
    text="<b>great</b> *stars* | pipes | [1] $5 and $6 <script>alert(1)</script>",
    title="A <i>review</i>",
    row_id="r1",
    product_id="kestrel-2",
)
KESTREL = Product(
    id="kestrel-2",
    name="Kestrel 2",
    brand="Northbound",
    category=("Camping", "Tents"),
    url="https://shop.example/p/kestrel-2",
    price=Money(249, "USD"),
    attributes={"Weight": "1.9 kg"},
)
HERON = Product(id="heron-2", name="Heron 2", category=("Camping", "Tents"), price=Money(189, "USD"))


def cited(evidence: Evidence, quote: str, marker: int = 1) -> Citation:
    """A citation of a quote in an evidence."""
    start = evidence.text.index(quote)
    return Citation(
        marker=marker,
        evidence_id=evidence.evidence_id,
        source_type=evidence.source_type,
        title=evidence.title,
        section=None,
        page=None,
        url=evidence.url,
        updated_at=None,
        product_id=evidence.product_id,
        quote=quote,
        start=start,
        end=start + len(quote),
        generation="g1",
    )


def make_turn(**changes: Any) -> Turn:  # noqa: ANN401 - any field of a turn
    """A turn about the weight of a tent, with some fields changed."""
    fields = {
        "thread_id": "t1",
        "turn_id": "turn1",
        "query": "How heavy is the Kestrel 2?",
        "standalone_query": changes.get("query", "How heavy is the Kestrel 2?"),
        "rewritten_by": "none",
        "searchable": True,
        "live_agent": False,
        "products": [{"id": "kestrel-2", "name": "Kestrel 2", "method": "exact", "score": 1.0}],
        "intent": Intent(
            distribution={"product_spec": 0.9, "warranty": 0.1},
            entropy=0.2,
            selected=["product_spec"],
            branch="focused",
        ),
        "outcome": "clear",
        "answer": "The Kestrel 2 weighs 1.9 kg [1].",
        "sentences": [ShownSentence(text="The Kestrel 2 weighs 1.9 kg.", citations=[1], support=1.0, factual=True)],
        "citations": [cited(SPEC, "Weight: 1.9 kg")],
        "retrieved": [{"evidence_id": "spec:kestrel-2", "score": 0.9}],
        "confidence": Confidence(score=0.93, label="high"),
        "timings_ms": {"rewrite": 0.4, "retrieve": 12.0},
        "generation": "g1",
        "prompt_hash": "",
        "config_hash": "c1",
    }
    return Turn.model_validate(fields | changes)


@dataclass
class FakeService:
    """Answers with the turns it is given, in order, and keeps what it is told."""

    script: list[Turn | Exception] = field(default_factory=list)
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    asked: list[tuple[str, User | None]] = field(default_factory=list)
    thumbs: dict[str, Thumb] = field(default_factory=dict)
    products: dict[str, Product] = field(default_factory=lambda: {"kestrel-2": KESTREL, "heron-2": HERON})
    regions: list[str] = field(default_factory=lambda: ["US", "EU"])

    def stream(
        self, text: str, thread: str | None = None, style: str = "text", user: User | None = None
    ) -> Iterator[TurnEvent]:
        assert style == "text"
        self.asked.append((text, user))
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        turn = answer.model_copy(update={"thread_id": thread, "turn_id": f"turn{len(self.asked)}", "query": text})
        for piece in turn.answer.partition(" "):
            yield AnswerPiece(piece)
        self.turns.setdefault(thread or "", []).append(turn)
        yield Finished(turn)

    def threads(self) -> list[ThreadSummary]:
        return [
            ThreadSummary(thread, turns[0].query, "2026-06-01T00:00:00", len(turns))
            for thread, turns in self.turns.items()
        ]

    def history(self, thread: str) -> list[Turn]:
        return list(self.turns.get(thread, []))

    def source(self, evidence_id: str, generation: str) -> Evidence:
        for evidence in (SPEC, NASTY):
            if evidence.evidence_id == evidence_id:
                return evidence
        raise UnknownSourceError(evidence_id, generation)

    def feedback(self, thread: str) -> dict[str, Thumb]:
        turn_ids = {turn.turn_id for turn in self.history(thread)}
        return {turn_id: thumb for turn_id, thumb in self.thumbs.items() if turn_id in turn_ids}

    def record_feedback(self, turn_id: str, thumb: Thumb | None) -> None:
        if thumb is None:
            self.thumbs.pop(turn_id, None)
        else:
            self.thumbs[turn_id] = thumb


@pytest.fixture
def a_turn() -> Callable[..., Turn]:
    """Makes a turn about the weight of a tent, with some fields changed."""
    return make_turn


@pytest.fixture
def cite() -> Callable[..., Citation]:
    """Makes a citation of a quote in an evidence."""
    return cited


@pytest.fixture
def spec() -> Evidence:
    """A tent's specification."""
    return SPEC


@pytest.fixture
def nasty() -> Evidence:
    """A review full of signs that mean something to HTML, Markdown or our markers."""
    return NASTY


@pytest.fixture
def service() -> FakeService:
    """An assistant that has answered nothing yet."""
    return FakeService()
