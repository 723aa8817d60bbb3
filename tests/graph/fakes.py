"""A fake of every part of a turn, through the Protocols of `graph.parts`."""

import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from graph.answering.responder import LocalResponder
from graph.discourse import Discourse
from graph.draft import Block, Draft, Dropped, Segment, Sentence, Span
from graph.intents import DECISION_INTENTS, NON_DECISION
from graph.language.negation import denies
from graph.language.terms import terms
from graph.llm.model import Completion, LanguageModelError, Piece, Request
from graph.options import GraphOptions
from graph.parts import (
    CatalogSearch,
    Clock,
    Context,
    Encoder,
    IntentModel,
    Judgement,
    KnowledgeBase,
    Models,
    Pair,
    Question,
    Responder,
    Rewrite,
    Rewriter,
    Vectors,
    Verdict,
    Verification,
    Verifier,
)
from graph.reader import shared_reader
from graph.retrieval.search import NearestStatements
from graph.rewriting.flags import Flags
from graph.state import CatalogResult
from graph.turn import Branch, Escalation, Intent, MatchMethod, ProductMatch, Turn, Usage, User
from ingestion.evidence import Evidence, Product

DIMENSIONS = 512
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


class BagOfWords:
    """Embeds a text as its hashed stems, so that a cosine is the share of common words."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text) or ("nothing",):
                row[zlib.crc32(term.encode()) % DIMENSIONS] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def local_responder() -> LocalResponder:
    """The responder that ships, over words alone."""
    return LocalResponder(Models(BagOfWords(), NearestStatements(BagOfWords()), shared_reader()))


class WordHashEncoder:
    """A sentence is the sum of its words' random vectors."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = [sum((self._word(word) for word in text.lower().split()), np.full(16, 0.01)) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float32)

    @staticmethod
    def _word(word: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.random.default_rng(zlib.crc32(word.encode())).normal(size=16)


def always_asks(_: str) -> Flags:
    """Reads a question, and no wish for a person, off any message."""
    return Flags(searchable=True, live_agent=False)


class ScriptedRewriter:
    """Rewrites the queries it knows, leaves others alone, and keeps what it was given."""

    def __init__(self, known: Mapping[str, Rewrite] | None = None) -> None:
        self.known = known or {}
        self.seen: list[Discourse] = []
        self.users: list[User] = []

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        del catalog
        self.seen.append(discourse)
        self.users.append(user)
        return self.known.get(query, Rewrite(query, "none"))


class ScriptedModel:
    """Replies with given texts or failures, one after the other and the last for good; keeps its requests."""

    name = "scripted"

    def __init__(self, *replies: str | LanguageModelError) -> None:
        self.replies = replies
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, LanguageModelError):
            raise reply
        return Completion(reply, Usage(llm_calls=1, prompt_tokens=900, cached_tokens=600, completion_tokens=80))

    def close(self) -> None:
        pass

    def stream(self, request: Request) -> Generator[Piece]:
        done = self.complete(request)
        yield Piece(done.text)
        yield Piece(usage=done.usage)


class NamedInQuery:
    """Finds the products whose full name occurs in a query."""

    def __init__(self, products: Mapping[str, Product]) -> None:
        self.products = products

    def find(self, query: str, session: Sequence[str], page: Sequence[str]) -> CatalogResult:
        del session, page
        named = [p for p in self.products.values() if p.name.casefold() in query.casefold()]
        kept = [p for p in named if not any(p.name in other.name for other in named if other is not p)]
        return CatalogResult(matches=tuple(match(p) for p in kept))

    def category(self, text: str) -> tuple[str, ...]:
        del text
        return ()


class FixedCatalog:
    """Finds the same in every query, and keeps what it was asked with."""

    def __init__(self, result: CatalogResult) -> None:
        self.result = result
        self.asked: list[tuple[str, list[str], list[str]]] = []

    def find(self, query: str, session: Sequence[str], page: Sequence[str]) -> CatalogResult:
        self.asked.append((query, list(session), list(page)))
        return self.result

    def category(self, text: str) -> tuple[str, ...]:
        del text
        return ()


class FixedIntents(IntentModel):
    """Gives every query the same distribution."""

    def __init__(self, **masses: float) -> None:
        self.masses = masses or {"product_spec": 1.0}

    def distributions(self, queries: Sequence[str]) -> list[dict[str, float]]:
        return [dict.fromkeys((*DECISION_INTENTS, NON_DECISION), 0.0) | self.masses for _ in queries]


class ScriptedResponder:
    """Answers with given drafts, one after the other and the last for good; keeps its questions."""

    def __init__(self, *drafts: Draft | Callable[[Question], Draft]) -> None:
        self.drafts = drafts
        self.questions: list[Question] = []

    def draft(self, question: Question) -> Draft:
        self.questions.append(question)
        chosen = self.drafts[min(len(self.questions), len(self.drafts)) - 1]
        return chosen if isinstance(chosen, Draft) else chosen(question)

    def probability(self, facts: Sequence[Sentence], question: Question) -> float:
        del facts, question
        return 1.0


class RefusingVerifier:
    """Accepts every sentence but those that contain one of some words."""

    def __init__(self, *refused: str, support: float = 1.0) -> None:
        self.refused = refused
        self.support = support

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verification:
        del evidence, product
        accepted = not any(word in sentence.text for word in self.refused)
        return Verification(self.support) if accepted else Verification(0.0, reasons=(Verdict.SUPPORT,))

    def verify_all(
        self, sentences: Sequence[tuple[Sentence, Product | None]], evidence: Mapping[str, Evidence]
    ) -> list[Verification]:
        return [self.verify(sentence, evidence, product) for sentence, product in sentences]


class SharedWords:
    """Takes the share of a claim's terms that its evidence has for the probability that it is supported."""

    def probabilities(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> NDArray[np.float32]:
        return np.array([self._shared(claim, evidence) for claim, evidence in pairs], dtype=np.float32)

    @staticmethod
    def _shared(claim: str, evidence: Sequence[str]) -> float:
        said, there = set(terms(claim)), {term for text in evidence for term in terms(text)}
        return len(said & there) / len(said) if said else 0.0


class WordReader:
    """Takes the share of a question's terms that a passage has for the probability that it answers, by its words."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        return [
            self._judged(set(terms(asked)), set(terms(passage)), denied=denies(passage)) for asked, passage in pairs
        ]

    @staticmethod
    def _judged(asked: set[str], told: set[str], *, denied: bool) -> Judgement:
        share = len(asked & told) / len(asked) if asked else 0.0
        return Judgement(answers=share, yes=0.0, no=share if denied else 0.0, supported=share)


class TicketDesk:
    """Numbers the tickets it opens."""

    def __init__(self) -> None:
        self.tickets: list[Escalation] = []

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        number = f"T{len(self.tickets) + 1}"
        ticket = Escalation(reason=reason, ticket_id=number, to=team or "the team", summary=summary)
        self.tickets.append(ticket)
        return ticket


class KeepingRecorder:
    """Keeps what is recorded."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.sources: list[list[str]] = []
        self.dropped: list[list[Dropped]] = []

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        self.turns.append(turn)
        self.sources.append([item.evidence_id for item in sources])
        self.dropped.append(list(dropped))


class StoppedClock:
    """Shows one moment."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


def catalog_of(*ids: str, category: Sequence[str] = (), unknown: Sequence[str] = ()) -> CatalogResult:
    """What a catalog search found: these products, for sure."""
    matches = tuple(ProductMatch(id=key, name=key, method="exact", score=1.0) for key in ids)
    return CatalogResult(matches=matches, category=tuple(category), unknown=tuple(unknown))


def intent_of(
    *selected: str, branch: Branch = "focused", distribution: Mapping[str, float] | None = None, entropy: float = 0.1
) -> Intent:
    """A question's intents, as the entropy chose them."""
    return Intent(selected=list(selected), branch=branch, distribution=dict(distribution or {}), entropy=entropy)


def match(product: Product, score: float = 1.0, method: MatchMethod = "exact") -> ProductMatch:
    """A product as the catalog search finds it."""
    return ProductMatch(id=product.id, name=product.name, method=method, score=score)


def make_context(  # noqa: PLR0913 - a turn has as many parts
    knowledge: KnowledgeBase,
    *,
    encoder: Encoder | None = None,
    rewriter: Rewriter | None = None,
    catalog: CatalogSearch | None = None,
    intents: IntentModel | None = None,
    responder: Responder | None = None,
    verifier: Verifier | None = None,
    desk: TicketDesk | None = None,
    recorder: KeepingRecorder | None = None,
    clock: Clock | None = None,
    options: GraphOptions | None = None,
) -> Context:
    """Everything a node may use, each part a fake unless one is given."""
    return Context(
        knowledge=knowledge,
        encoder=encoder or BagOfWords(),
        finder=NearestStatements(BagOfWords()),
        reader=WordReader(),
        rewriter=rewriter or ScriptedRewriter(),
        catalog=catalog or NamedInQuery(knowledge.products),
        intents=intents or FixedIntents(),
        responder=responder or ScriptedResponder(quote_first),
        verifier=verifier or RefusingVerifier(),
        desk=desk or TicketDesk(),
        recorder=recorder or KeepingRecorder(),
        clock=clock or StoppedClock(),
        options=options or GraphOptions(),
        config_hash="c1",
    )


def whole(evidence: Evidence) -> Span:
    """A span of all that an evidence says."""
    return Span(evidence_id=evidence.evidence_id, start=0, end=len(evidence.text))


def span_of(evidence: Evidence, quote: str) -> Span:
    """A span of some words of an evidence."""
    start = evidence.text.index(quote)
    return Span(evidence_id=evidence.evidence_id, start=start, end=start + len(quote))


def saying(text: str, *spans: Span, product_id: str | None = None) -> Sentence:
    """A factual sentence."""
    return Sentence(segments=[Segment(text=text, spans=list(spans))], product_id=product_id)


def answer(*sentences: Sentence, confidence: float = 0.9) -> Draft:
    """A clear draft of one paragraph."""
    return Draft(outcome="clear", blocks=[Block(sentences=list(sentences))], confidence=confidence)


def quote_first(question: Question) -> Draft:
    """A draft that quotes the best evidence, or none where there is none."""
    if not question.evidence:
        return Draft(outcome="no_answer", blocks=[], confidence=0.2, missing=["that"])
    best = question.evidence[0][0]
    return answer(saying(best.text, whole(best), product_id=best.product_id))
