"""Turns over the evidence of one row, which is a whole shop of one product or none, by the parts that ship."""

import math
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from pydantic import BaseModel, ConfigDict, field_validator

from app.settings import Settings
from app.storage.records import SystemClock
from app.turns import KeepsNothing
from evals.rows import Message, said_in
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn
from graph.language.terms import terms
from graph.options import GraphOptions
from graph.parts import Encoder, Vectors, Verifier, Writer
from graph.retrieval.history import exchanges_of
from graph.retrieval.search import searchable_text
from graph.state import TurnInput
from graph.turn import Page, Turn, User
from ingestion.errors import UnknownEvidenceError
from ingestion.evidence import ANSWER, Evidence, GlossaryTerm, Product, evidence_id, is_searched
from ingestion.source_types import SOURCE_TYPES

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


GENERATION = "row"
NAMELESS = "product"
"""What a product without a name is called: the sentences about it then read "the product"."""

_TITLES = {"spec": "specifications", "feature": "features", "variant": "variants", "qa": "customer Q&A"}
_SATURATION, _LENGTH_SHARE = 1.2, 0.75


class RowEvidence(BaseModel):
    """A piece of evidence as a row has it.

    Attributes:
        id: Its id in the row, which is what gold names.
        source_type: One of the contract's kinds.
        title: What its source is called; named after product and kind where it has none.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    text: str
    source_type: str = "help_article"
    title: str | None = None

    @field_validator("source_type")
    @classmethod
    def _known(cls, source_type: str) -> str:
        if source_type not in SOURCE_TYPES:
            msg = f"{source_type!r} is no kind of evidence; there is: {', '.join(sorted(SOURCE_TYPES))}"
            raise ValueError(msg)
        return source_type


class RowProduct(BaseModel):
    """The product a row is about; its name may be empty."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    name: str = ""


def evidence_of(rows: Sequence[RowEvidence], product: RowProduct | None = None) -> list[Evidence]:
    """A row's evidence as a shop has it; `row_id` is the id it has in the row.

    Help articles are the whole shop's. All else is about the row's product, where it has one.
    """
    return [
        Evidence(
            evidence_id=evidence_id(row.source_type, row.id),
            source_type=row.source_type,
            text=_question_first(row.text) if row.source_type == "qa" else row.text,
            title=row.title or _title(row.source_type, product),
            row_id=row.id,
            product_id=product.id if product and row.source_type != "help_article" else None,
        )
        for row in rows
    ]


def _question_first(text: str) -> str:
    """A customer's answer as a shop's evidence has it, where a row names the question behind it."""
    answer, mark, question = text.rpartition(" Question: ")
    return f"Question: {question}{ANSWER}{answer}" if mark and ANSWER not in text else text


def _title(source_type: str, product: RowProduct | None) -> str:
    kind = _TITLES.get(source_type, source_type.replace("_", " "))
    return f"{product.name} {kind}" if product and product.name else kind.capitalize()


class RowKnowledge:
    """A row's evidence as a `KnowledgeBase`; dense search is exact, lexical search is BM25 over stems.

    Args:
        encoder: Embeds the evidence.
        evidence: All there is.
        product: The one product that is sold; None for a shop without a catalog.
    """

    generation = GENERATION
    glossary: Sequence[GlossaryTerm] = ()
    regions: Mapping[str, Sequence[str]] = MappingProxyType({})

    def __init__(self, encoder: Encoder, evidence: Sequence[Evidence], product: RowProduct | None = None) -> None:
        self._encoder = encoder
        self._evidence = {item.evidence_id: item for item in evidence}
        sold = [Product(product.id, product.name or NAMELESS)] if product else []
        self.products: Mapping[str, Product] = {one.id: one for one in sold}

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        """The evidence of these ids, in their order.

        Raises:
            UnknownEvidenceError: One of the ids is not in the row.
        """
        for key in evidence_ids:
            if key not in self._evidence:
                raise UnknownEvidenceError(key, GENERATION)
        return [self._evidence[key] for key in evidence_ids]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The embeddings of these ids, in their order."""
        positions = {key: position for position, key in enumerate(self._evidence)}
        return self._embedded[[positions[item.evidence_id] for item in self.evidence(evidence_ids)]]

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The same: each piece of a row's evidence is a document of its own."""
        return self.vectors(evidence_ids)

    def statement_vectors(self, evidence: Sequence[Evidence]) -> Mapping[str, Vectors]:
        """Nothing: what a row says is embedded when it is read."""
        del evidence
        return {}

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        """Everything of these types about the product."""
        return [
            one for one in self._evidence.values() if one.product_id == product_id and one.source_type in source_types
        ]

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest of what is found by search: `(evidence_id, cosine)`, best first."""
        keys = self._searched(source_types)
        if not keys:
            return []
        cosines = self.vectors(keys) @ np.asarray(vector, dtype=np.float32).reshape(-1)
        return _best(dict(zip(keys, cosines.tolist(), strict=True)), limit)

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best of the same by BM25 (Robertson and Zaragoza, 2009): `(evidence_id, score)`, best first."""
        counts = {key: self._terms[key] for key in self._searched(source_types)}
        mean = sum(count.total() for count in counts.values()) / max(len(counts), 1)
        scores = dict.fromkeys(counts, 0.0)
        for term in set(terms(text)):
            holding = [key for key, count in counts.items() if term in count]
            rarity = math.log(1 + (len(counts) - len(holding) + 0.5) / (len(holding) + 0.5))
            for key in holding:
                times, length = counts[key][term], counts[key].total() / mean
                damped = times + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length)
                scores[key] += rarity * times * (_SATURATION + 1) / damped
        return _best({key: score for key, score in scores.items() if score > 0}, limit)

    def _searched(self, source_types: AbstractSet[str]) -> list[str]:
        return [key for key, item in self._evidence.items() if item.source_type in source_types and is_searched(item)]

    @cached_property
    def _embedded(self) -> Vectors:
        return self._encoder.encode([searchable_text(item) for item in self._evidence.values()])

    @cached_property
    def _terms(self) -> dict[str, Counter[str]]:
        return {key: Counter(terms(searchable_text(item))) for key, item in self._evidence.items()}


def _best(scores: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """What is asked of a row's evidence.

    Attributes:
        text: The question.
        evidence: All that the shop says.
        product: The product whose page is open.
        history: What was said before, oldest first.
    """

    text: str
    evidence: Sequence[RowEvidence]
    product: RowProduct | None = None
    history: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of it.

    Attributes:
        turn: The turn, as its user sees it.
        missing: Parts of the question that the turn says nothing answers.
    """

    turn: Turn
    missing: tuple[str, ...] = ()


Ask = Callable[[RowQuestion], Reply]


def shipped_verifier(*, paraphrases: bool = False) -> Verifier:
    """The verifier that turns are wired with, or that to which a served model's own words are held."""
    from graph.reader import shared_reader  # noqa: PLC0415 - heavy, with all below
    from graph.verification import SentenceVerifier, SupportModel  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    return SentenceVerifier(SupportModel(shared_reader(), shared_encoder()), paraphrases=paraphrases)


def load_turns(writer: Writer | None = None) -> Ask:
    """Turns by the graph and the parts that ship; what they need is loaded once.

    Args:
        writer: Is asked for an answer first; None for none.

    Raises:
        SettingsError: The settings cannot be used.
    """
    from langgraph.checkpoint.memory import InMemorySaver  # noqa: PLC0415 - heavy, with all below

    from app.wiring import TurnParts  # noqa: PLC0415
    from graph.build import build_graph  # noqa: PLC0415
    from graph.intents.model import LocalIntentModel  # noqa: PLC0415

    settings, keeper, clock = Settings.load(), KeepsNothing(), SystemClock()
    parts = TurnParts(settings)
    intents = (LocalIntentModel(parts.encoder), reading_everything(settings.graph), settings.config_hash)
    saver = InMemorySaver()
    graph = build_graph(saver)

    def ask(question: RowQuestion) -> Reply:
        knowledge = RowKnowledge(parts.encoder, evidence_of(question.evidence, question.product), question.product)
        thread = uuid.uuid4().hex
        config: RunnableConfig = {"configurable": {"thread_id": thread}}
        if question.history:
            discourse = _discourse(question.history, question.product)
            graph.update_state(config, {"discourse": discourse}, as_node="record")
        page = Page(product_id=question.product.id) if question.product else Page()
        given = TurnInput(query=question.text, user=User(page=page), turn_id=thread)
        context = replace(parts.over(knowledge, keeper, clock, intents), writer=writer)
        state = graph.invoke(given, config, context=context)
        saver.delete_thread(thread)
        return Reply(state["turn"], tuple(state["draft"].missing))

    return ask


def reading_everything(options: GraphOptions) -> GraphOptions:
    """Options by which every intent reads the whole of a row's evidence: it was retrieved already."""
    return options.model_copy(update={"sources_by_intent": dict.fromkeys(options.sources_by_intent, SOURCE_TYPES)})


def _discourse(history: Sequence[Message], product: RowProduct | None) -> Discourse:
    told = [product.id] if product else []
    return Discourse(turns=past_turns(history, told)[-REMEMBERED_TURNS:], focus=told, mentioned=told)


def past_turns(history: Sequence[Message], products: Sequence[str] = ()) -> list[PastTurn]:
    """What a thread remembers of turns about these products that are only written down."""
    return [
        PastTurn(
            query=said.question,
            standalone_query=said.question,
            answer=" ".join(said.answers),
            products=list(products),
            outcome="clear",
        )
        for said in exchanges_of(said_in(history))
    ]
