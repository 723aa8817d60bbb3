"""The knowledge base and the models that read it."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from graph.trained import Encoder, Vectors
from ingestion.evidence import Evidence, GlossaryTerm, Product


class KnowledgeBase(Protocol):
    """One generation of an index, opened for reading."""

    @property
    def generation(self) -> str:
        """Name of the generation."""
        ...

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id, in the shop's order."""
        ...

    @property
    def glossary(self) -> Sequence[GlossaryTerm]:
        """The shop's own words."""
        ...

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        """Region name to the names and postal prefixes that belong to it."""
        ...

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        """The evidence of these ids, in their order.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """
        ...

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The embeddings of these ids, in their order."""
        ...

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """For each of these ids the embedding of the whole row or document it is a chunk of."""
        ...

    def statement_vectors(self, evidence: Sequence[Evidence]) -> Mapping[str, Vectors]:
        """By evidence id the embeddings of its statements, in their order; what was not embedded is left out."""
        ...

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        """Everything of these types about a product, what is said of its category or brand included."""
        ...

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest shop-wide evidence (not about one product) and manuals: `(evidence_id, cosine)`, best first."""
        ...

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best of the same evidence by BM25: `(evidence_id, score)`, higher is better, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of an evidence that says something by itself.

    Attributes:
        evidence: Where it stands.
        start: Its first code point.
        end: Behind its last.
        score: How near it comes to answering the question, -1 to 1.
    """

    evidence: Evidence
    start: int
    end: int
    score: float

    @property
    def text(self) -> str:
        """The stretch, character for character."""
        return self.evidence.text[self.start : self.end]


class StatementFinder(Protocol):
    """Finds what may answer."""

    def nearest(self, questions: Sequence[str], evidence: Sequence[Evidence], before: str = "") -> list[Statement]:
        """All statements of evidence, those that answer best first.

        Args:
            questions: Wordings of one question; the nearest of them counts.
            evidence: What is read.
            before: What the customer said in the turn before.
        """
        ...


Pair = tuple[str, str]
"""A question or a statement, and a passage behind what names its source."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a passage says to a question, or to a statement, as probabilities.

    Attributes:
        answers: That it answers the question.
        yes: That it says yes to it.
        no: That it says no to it.
        supported: That it bears the statement out.
    """

    answers: float
    yes: float
    no: float
    supported: float


class Reader(Protocol):
    """Decides what passages say."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """What the second text of each pair says to the first."""
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """What an answer is composed with.

    Attributes:
        encoder: Compares meanings.
        finder: Finds the statements that answer.
        reader: Decides what they say.
    """

    encoder: Encoder
    finder: StatementFinder
    reader: Reader
