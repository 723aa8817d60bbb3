"""The page over an assistant that answers what it is told, driven without a browser."""

import sys
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from app.errors import UnknownSourceError
from app.storage.records import Feedback, Interrupted, StaffMessage, ThreadSummary
from app.storefront import ProductDetails
from app.turns import AnswerPiece, Finished, TurnEvent
from graph.turn import Turn, User
from ingestion.evidence import Evidence, Money, Product

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


def page_of(script: Callable[[], None], monkeypatch: pytest.MonkeyPatch, **state: object) -> AppTest:
    """A page whose script is a function, not yet run, with what that finds in the session."""
    # A run makes the script the main module and leaves it there: a process that a later test spawns would run it again.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    test = AppTest.from_function(script, default_timeout=300)
    for name, value in state.items():
        test.session_state[name] = value
    return test


@dataclass
class FakeVisit:
    """Answers with the turns it is given, in order, and keeps what it is told."""

    script: list[Turn | Exception] = field(default_factory=list)
    sources: dict[str, Evidence] = field(default_factory=dict)
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    asked: list[tuple[str, User | None]] = field(default_factory=list)
    said: dict[str, Feedback] = field(default_factory=dict)
    unanswered: dict[str, list[Interrupted]] = field(default_factory=dict)
    products: dict[str, Product] = field(default_factory=lambda: {"kestrel-2": KESTREL, "heron-2": HERON})
    regions: list[str] = field(default_factory=lambda: ["US", "EU"])
    experiences: list[str] = field(default_factory=list)
    wanted: list[list[str]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    owner: str = "3f1a77"
    styles: list[str] = field(default_factory=list)
    going_on: dict[str, list[Interrupted]] = field(default_factory=dict)
    written: list[StaffMessage] = field(default_factory=list)
    fails: Exception | None = None

    def stream(
        self,
        text: str,
        thread: str | None = None,
        style: str = "text",
        user: User | None = None,
        experiences: Collection[str] = (),
    ) -> Generator[TurnEvent]:
        self.styles.append(style)
        self.asked.append((text, user))
        self.wanted.append(list(experiences))
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        turn = answer.model_copy(update={"thread_id": thread, "turn_id": f"turn{len(self.asked)}", "query": text})
        for piece in turn.answer.partition(" "):
            yield AnswerPiece(piece)
        self.turns.setdefault(thread or "", []).append(turn)
        yield Finished(turn)

    def threads(self, limit: int, holding: str = "") -> list[ThreadSummary]:
        found = [
            ThreadSummary(thread, self.names.get(thread, turns[0].query), datetime(2026, 6, 1, tzinfo=UTC), len(turns))
            for thread, turns in self.turns.items()
        ]
        return [thread for thread in found if holding in thread.title][:limit]

    def name_thread(self, thread_id: str, name: str) -> None:
        self.names[thread_id] = name

    def forget(self, thread: str) -> None:
        if self.fails:
            raise self.fails
        del self.turns[thread]

    def messages(self, thread: str) -> list[StaffMessage]:
        return [message for message in self.written if thread in self.turns]

    def history(self, thread: str) -> list[Turn]:
        return list(self.turns.get(thread, []))

    def being_answered(self, thread: str) -> list[Interrupted]:
        return self.going_on.get(thread, [])

    def interrupted(self, thread: str) -> list[Interrupted]:
        return self.unanswered.get(thread, [])

    def find_products(self, text: str) -> list[Product]:
        return [product for product in self.products.values() if text in product.name]

    def details(self, product_id: str) -> ProductDetails:
        product = self.products[product_id]
        return ProductDetails(product, 4.3, 24, (f"The {product.name} of <b>{product.brand}</b>.",))

    def source(self, evidence_id: str, generation: str) -> Evidence:
        if evidence_id not in self.sources:
            raise UnknownSourceError(evidence_id, generation)
        return self.sources[evidence_id]

    def feedback(self, thread: str) -> dict[str, Feedback]:
        turn_ids = {turn.turn_id for turn in self.history(thread)}
        return {turn_id: said for turn_id, said in self.said.items() if turn_id in turn_ids}

    def record_feedback(self, turn_id: str, said: Feedback | None) -> None:
        if said is None:
            self.said.pop(turn_id, None)
        else:
            self.said[turn_id] = said


def script() -> None:
    """The page's script."""
    import streamlit as st  # noqa: PLC0415 - this function is the page's script

    from app.ui.page import show  # noqa: PLC0415

    show(lambda: st.session_state["visit"])


def html_of(page: AppTest) -> str:
    """All HTML that is drawn."""
    assert not page.exception
    return "\n".join(element.proto.body for element in page.get("html"))


def ask(page: AppTest, text: str) -> AppTest:
    """Type a question."""
    return page.chat_input(key="question").set_value(text).run()
