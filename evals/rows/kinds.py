"""The rows that both evaluation and training read, as the benchmark packs have them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evals.rows.reading import Message, Row

FULL = 2
"""Relevance of evidence that answers the question alone; 1 helps, 0 does not."""


class Lookup(Row):
    """A name or a whole question, and the products it means; empty where none is sold here."""

    id: str
    query: str
    gold: list[str]


class RewritingRow(Row):
    """A question, what was said before it, and how people say it alone.

    Attributes:
        gold: Standalone questions; the likest one counts, for BLEU the first.
        context: Titles of the open page.
    """

    id: str
    query: str
    history: list[Message] = Field(default_factory=list)
    gold: list[str] = Field(min_length=1)
    context: list[str] = Field(default_factory=list)


class Candidate(BaseModel):
    """Evidence that may answer the question."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    text: str
    source_type: str | None = None


class RankingRow(Row):
    """A question, its candidates, and how relevant each is.

    Attributes:
        relevance: Candidate id to relevance; a candidate that is not named has 0.
    """

    id: str
    query: str
    candidates: list[Candidate]
    relevance: dict[str, Annotated[int, Field(ge=0, le=FULL)]]
