"""Hand-made turns, and an assistant that says them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.conversations.replay import Indexes, Replayer
from graph.parts import Clock
from graph.turn import Citation, Turn
from ingestion.evidence import Evidence

WEIGHT = {
    "marker": 1,
    "evidence_id": "spec:kestrel-2",
    "source_type": "spec",
    "title": "Kestrel 2 specifications",
    "section": "Weight",
    "page": None,
    "url": "https://shop.example/p/kestrel-2",
    "updated_at": "2026-05-01",
    "product_id": "kestrel-2",
    "quote": "Weight: 1.9 kg",
    "start": 0,
    "end": 14,
    "generation": "g1",
}
ANSWER = {
    "thread_id": "t",
    "turn_id": "1",
    "query": "How heavy is the Kestrel 2?",
    "standalone_query": "How heavy is the Kestrel 2?",
    "rewritten_by": "none",
    "searchable": True,
    "live_agent": False,
    "products": [{"id": "kestrel-2", "name": "Kestrel 2", "method": "exact", "score": 1.0}],
    "intent": {
        "distribution": {"product_spec": 0.9, "non_decision": 0.1},
        "entropy": 0.1,
        "selected": ["product_spec"],
        "branch": "focused",
    },
    "outcome": "clear",
    "answer": "The Kestrel 2 weighs 1.9 kg [1].",
    "sentences": [{"text": "The Kestrel 2 weighs 1.9 kg.", "citations": [1], "support": 0.97, "factual": True}],
    "citations": [WEIGHT],
    "retrieved": [{"evidence_id": "spec:kestrel-2", "score": 0.8}],
    "confidence": {"score": 0.8, "label": "high"},
    "timings_ms": {"rewrite": 0.4, "respond": 3.0},
    "generation": "g1",
    "prompt_hash": "p",
    "config_hash": "c",
}


class FakeAssistant:
    """Says prepared turns one after the other and remembers how it was asked."""

    def __init__(self, answers: Sequence[Turn | Exception], clock: Clock) -> None:
        self.answers, self.clock = list(answers), clock
        self.asked: list[dict[str, Any]] = []
        self.closed = False

    def ask(self, text: str, thread: str | None = None, style: str = "text", user: object = None) -> Turn:
        self.asked.append({"text": text, "thread": thread, "style": style, "user": user, "now": self.clock.now()})
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def source(self, evidence_id: str, generation: str) -> Evidence:
        raise NotImplementedError

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def make_turn() -> Callable[..., Turn]:
    """A sound turn about the weight of the Kestrel 2, with some fields changed."""
    return lambda **changes: Turn.model_validate(ANSWER | changes)


@pytest.fixture
def make_citation() -> Callable[..., Citation]:
    """The citation of that weight, with some fields changed."""
    return lambda **changes: Citation.model_validate(WEIGHT | changes)


@pytest.fixture
def index_folder(tmp_path: Path) -> Path:
    """A folder that looks like a built index from outside."""
    folder = tmp_path / "built"
    (folder / "generations" / "g1").mkdir(parents=True)
    (folder / "generations" / "g1" / "manifest.json").write_text("{}")
    (folder / "CURRENT").write_text("g1\n")
    return folder


@pytest.fixture
def replayer_of(index_folder: Path) -> Callable[..., tuple[Replayer, list[FakeAssistant]]]:
    """A replayer over fake assistants that say these answers, and the assistants it has opened."""

    def make(*answers: Turn | Exception) -> tuple[Replayer, list[FakeAssistant]]:
        opened: list[FakeAssistant] = []

        def open_assistant(_folder: Path, clock: Clock) -> FakeAssistant:
            opened.append(FakeAssistant(answers, clock))
            return opened[-1]

        indexes = Indexes(lambda _shop, _folder: None, default=str(index_folder))
        return Replayer(indexes, open_assistant), opened

    return make
