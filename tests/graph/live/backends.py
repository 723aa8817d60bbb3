"""Live backends in memory, through the Protocol of `graph.parts`, and turns with them."""

import threading
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from graph.parts import Backend, Context, LiveAnswer
from graph.turn import User
from graph.verification import SentenceVerifier
from ingestion.compose import fact_evidence
from ingestion.evidence import Evidence, Product
from ingestion.readers.rows import FactRow
from tests.graph.fakes import FixedIntents, KeepingRecorder, SharedWords, local_responder, make_context
from tests.graph.shops import Shop, camping_shop

Answers = Callable[[Product | None, User], LiveAnswer]

DOWN = LiveAnswer(failure="no connection")


@dataclass
class ScriptedBackend:
    """Answers by a function and keeps what it was asked."""

    answers: Answers
    name: str = "the stock service"
    intents: AbstractSet[str] = frozenset({"stock_availability"})
    source_type: str = "stock"
    timeout_s: float = 5.0
    per_product: bool = True
    needs_region: bool = False
    asked: list[tuple[str | None, str | None]] = field(default_factory=list)

    def accepts(self, product: Product | None, user: User) -> bool:
        return not (self.per_product and product is None) and not (self.needs_region and user.region is None)

    def ask(self, product: Product | None, user: User) -> LiveAnswer:
        self.asked.append((product.id if product else None, user.region))
        return self.answers(product, user)


def live_fact(text: str, product_id: str | None = "tarn-2", kind: str = "stock", **columns: str) -> Evidence:
    """A fact as a backend gives it."""
    row_id = f"live/{kind}-service/{product_id or 'shop'}/{columns.pop('key', 'f1')}"
    row = FactRow.model_validate({"id": row_id, "source_type": kind, "text": text, "product_id": product_id} | columns)
    return fact_evidence(row, {})


def knows(*facts: Evidence) -> Answers:
    """Gives the facts about the product it is asked about, and those about none."""

    def answer(product: Product | None, _: User) -> LiveAnswer:
        about = {None, product.id if product else None}
        return LiveAnswer(facts=tuple(fact for fact in facts if product is None or fact.product_id in about))

    return answer


def fails(_: Product | None, __: User) -> LiveAnswer:
    """Does not answer."""
    return DOWN


def waits_for(event: threading.Event, answers: Answers) -> Answers:
    """Answers when the event comes."""

    def late(product: Product | None, user: User) -> LiveAnswer:
        event.wait(10)
        return answers(product, user)

    return late


def local(
    intents: Sequence[str] | dict[str, float],
    *backends: Backend,
    shop: Shop | None = None,
    recorder: KeepingRecorder | None = None,
) -> Context:
    """The local parts over a shop in memory, with live backends beside it."""
    masses = intents if isinstance(intents, dict) else dict.fromkeys(intents, 1 / len(intents))
    context = make_context(
        shop or camping_shop(),
        intents=FixedIntents(**masses),
        responder=local_responder(),
        verifier=SentenceVerifier(SharedWords()),
        recorder=recorder,
    )
    return replace(context, backends=backends)
