"""The desk of the shop's people: what they see of an assistant's conversations, and what they do about it."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from langgraph.checkpoint.memory import InMemorySaver

from app.errors import UnknownSourceError
from app.gaps import GapCluster, clustered
from app.knowledge import Fact, ShopKnowledge
from app.review import Checked, checked
from app.storage.records import AuditRow
from app.storage.staff import StaffRecords
from app.turns import KeepsNothing
from app.wiring import Wiring
from graph.build import build_graph
from graph.intents import first_kinds
from graph.parts import Verdict
from graph.sensitive.claims import asked_in
from graph.state import TurnInput
from graph.turn import Page, Turn, User
from ingestion.errors import UnknownEvidenceError
from ingestion.evidence import Evidence, Product
from ingestion.source_types import POLICIES

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


class StaffDesk:
    """All that the pages of the shop's people need.

    Args:
        parts: What turns are made from.

    Attributes:
        index: The folder of the index.
        settings: What turns are answered with.
        records: What waits for a decision, and what was decided.
        knowledge: The index, and what is added to it.
    """

    def __init__(self, parts: Wiring) -> None:
        self._parts = parts
        self.index, self.settings = parts.index, parts.settings
        self.records = StaffRecords(parts.records.store, parts.clock)
        self.knowledge = ShopKnowledge(parts.index, parts.settings)

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id."""
        return self._parts.current.knowledge.products

    def now(self) -> datetime:
        """The present moment."""
        return self._parts.clock.now()

    def turns(self, name: str) -> list[AuditRow]:
        """The turns of a conversation, or one turn, by id."""
        return self._parts.records.audited(name)

    def source(self, evidence_id: str, generation: str) -> Evidence:
        """What any citation points to, as it was when it was cited.

        Raises:
            UnknownSourceError: No answer cites it and the index no longer has it.
        """
        if source := self._parts.records.source(evidence_id, generation):
            return source
        with self._parts.reading() as context, suppress(UnknownEvidenceError):
            if context.knowledge.generation == generation:
                return context.knowledge.evidence([evidence_id])[0]
        raise UnknownSourceError(evidence_id, generation)

    def check(self, row: AuditRow, text: str) -> Checked:
        """Hold a text that is to answer a turn to what the turn was given, as far as that is still known."""
        with self._parts.reading() as context:
            known = {item.evidence_id: item for item in row.sources}
            for one in row.turn.retrieved:
                with suppress(UnknownEvidenceError):
                    known.setdefault(one.evidence_id, context.knowledge.evidence([one.evidence_id])[0])
            return checked(text, row.turn, known, context.knowledge.products, context.verifier)

    def settled_by(self, cluster: GapCluster) -> str:
        """The kind of fact that fills a gap.

        Of the shop, that which its intent is answered by, such as a return policy. Of a product, a feature; a claim of
        safety, health or a certificate only a specification.
        """
        if cluster.product_id is None:
            rules = (kind for kind in first_kinds(cluster.intent or "") if kind in POLICIES)
            return next(rules, "help_article")
        claims = self._parts.current.options.sensitive
        return "spec" if any(asked_in(gap.part, claims) for gap in cluster.gaps) else "feature"

    def settle(self, cluster: GapCluster, evidence_id: str) -> tuple[Turn, bool]:
        """What is answered now to who asks the whole question; where a new fact fills the gap, it is one no longer.

        A fact fills it if the answer is clear, cites the fact, and no longer misses what the gap is about. Another part
        of the question may still be missing: that is a gap of its own, and stays in the list.

        Args:
            cluster: The gap.
            evidence_id: Of the fact.

        Returns:
            The turn, of which nothing is kept, and whether the fact fills the gap.
        """
        page = Page(product_id=cluster.product_id)
        given = TurnInput(query=cluster.question, user=User(page=page), turn_id=uuid.uuid4().hex)
        config: RunnableConfig = {"configurable": {"thread_id": given["turn_id"]}}
        with self._parts.reading() as context:
            parts = replace(context, recorder=KeepsNothing(), desk=KeepsNothing())
            turn: Turn = build_graph(InMemorySaver()).invoke(given, config, context=parts)["turn"]
        cited = {one.evidence_id.partition("#")[0] for one in turn.citations}
        product = self.products.get(cluster.product_id or "")
        missed = any(cluster.asks_for(part, product) for part in turn.missing)
        fills = turn.outcome == "clear" and evidence_id in cited and not missed
        if fills:
            self.records.settle(cluster.gaps, evidence_id)
        return turn, fills

    def write_fact(self, text: str, kind: str, product_id: str | None, by: str | None) -> str:
        """Add a fact, which is answered from the next ingest on; return the id of the evidence that it becomes.

        Args:
            text: The fact.
            kind: Of evidence.
            product_id: The product; None for the shop.
            by: Who writes it; None where they do not say.

        Raises:
            InputError: There is no text, too much of it, or the same fact already.
        """
        evidence_id = self.knowledge.write_fact(text, kind, product_id)
        if by is not None:
            self.records.sign(evidence_id, by)
        return evidence_id

    def withdraw(self, fact: Fact) -> None:
        """Take a written fact back; what it filled is a gap again."""
        self.knowledge.withdraw(fact.id)
        self.records.withdraw(fact.evidence_id)

    def gaps(self, days: int) -> list[GapCluster]:
        """What customers asked in the last days and nothing answered, what most asked first."""
        return clustered(self.records.gaps(self.now() - timedelta(days=days)), self.products)


def withheld(row: AuditRow) -> Iterator[str]:
    """The sentences of a turn that only a person may let through."""
    return (one.text for one in row.dropped if Verdict.SENSITIVE in one.reasons)
