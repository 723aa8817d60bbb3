"""The ranker: which of the answers that the evidence offers is the one that was asked for, learnt from shops."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.answering.candidate import Candidate
from graph.answering.prose import DOCUMENTS
from graph.intents import first_kinds
from graph.language.terms import terms
from graph.parts import Question, Statement
from graph.trained import Logistic
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, concerns
from ingestion.source_types import POLICIES

MODEL_PATH = Path(__file__).with_name("ranker.json")
COMMAND = "footnote train ranker"

STRUCTURED = (
    "facts",
    "facts by meaning",
    "steps",
    "offers",
    "overview",
    "variants",
    "opinions",
)
"""Finders other than that of prose: each with how sure it is of what it found."""
NOTHING = "nothing"
"""The feature of what is weighed beside all candidates: that none of them answers."""
NAMES = (
    "nearness",
    "behind the nearest",
    "rank",
    "intent answered best by its kind",
    "of the product",
    "of the product, a rule",
    "rule",
    "document",
    "review",
    "stock",
    "holds the words asked for",
    "of the customer's place",
    "rule of the customer's place, asked for",
    "for members",
    "yes or no, without the words",
    "figure asked for",
    "length",
    "row of a table",
    "steps, a way asked for",
    NOTHING,
    *(f"found as {name}" for name in STRUCTURED),
    *(f"sureness as {name}" for name in STRUCTURED),
)
"""What is looked at; see `described`."""
UNREAD = 0.05
"""So much farther than the farthest that was read is what was not."""
READ = 40
"""Statements that are read; of what comes farther, nothing answers."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """What candidates for an answer to one clause are weighed by.

    Attributes:
        asked: The clause.
        question: The question it is a part of.
        read: All statements that may be told, nearest first.
    """

    asked: ParsedClause
    question: Question
    read: Sequence[Statement]

    def described(self, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Candidates as the ranker sees them, and behind them that none answers.

        Returns:
            Shape `(len(candidates) + 1, len(NAMES))`.
        """
        near: dict[str, list[tuple[int, Statement]]] = defaultdict(list)
        for place, one in enumerate(self.read[:READ]):
            near[one.evidence.evidence_id].append((place, one))
        rows = [*(self._described(candidate, near) for candidate in candidates), {NOTHING: 1.0}]
        return np.array([[row.get(name, 0.0) for name in NAMES] for row in rows], dtype=np.float64)

    def _described(self, candidate: Candidate, near: Mapping[str, Sequence[tuple[int, Statement]]]) -> dict[str, float]:
        items = {item.evidence_id: item for item, _ in self.question.evidence}
        spans = [
            span for block in candidate.blocks for sentence in block.sentences for span in sentence.spans
            if span.evidence_id in items
        ]  # fmt: skip
        told = [
            (place, one)
            for span in spans
            for place, one in near.get(span.evidence_id, ())
            if one.start < span.end and span.start < one.end
        ]
        best = self.read[0].score if self.read else 0.0
        farthest = self.read[:READ][-1].score - UNREAD if self.read else 0.0
        nearness = max((one.score for _, one in told), default=farthest)
        item = next((items[key] for key in sorted(candidate.evidence_ids) if key in items), None)
        texts = [items[span.evidence_id].text[span.start : span.end] for span in spans]
        return {
            "nearness": nearness,
            "behind the nearest": nearness - best,
            "rank": -math.log1p(min((place for place, _ in told), default=READ)),
            **self._of_kind(candidate.source_type, item),
            **self._of_words(texts, item, candidate.finder),
            f"found as {candidate.finder}": 1.0,
            f"sureness as {candidate.finder}": candidate.score,
        }

    def _of_kind(self, kind: str, item: Evidence | None) -> dict[str, float]:
        distribution = self.question.distribution
        first = {name: first_kinds(name) for name in distribution}
        at_hand = (*self.question.products, *self.question.context)
        own = item is not None and any(item.product_id == one.id or concerns(item, one) for one in at_hand)
        rule = kind in POLICIES
        known = self.question.user.region is not None or bool(self.question.places)
        place = (1.0 if known else -1.0) if item is not None and item.region else 0.0
        best = sum(share / (1 + first[name].index(kind)) for name, share in distribution.items() if kind in first[name])
        return {
            "intent answered best by its kind": best,
            "of the product": float(own),
            "of the product, a rule": float(own and rule),
            "rule": float(rule),
            "document": float(kind in DOCUMENTS),
            "review": float(kind == "review"),
            "stock": float(kind == "stock"),
            "of the customer's place": place,
            "rule of the customer's place, asked for": max(0.0, place) * best,
            "for members": float(item is not None and item.membership is not None),
        }

    def _of_words(self, texts: Sequence[str], item: Evidence | None, finder: str) -> dict[str, float]:
        whole = " ".join(texts)
        named = f"{item.title} {item.section or ''}" if item else ""
        wanted = self.asked.specific
        figure = any(map(str.isdigit, whole))
        held = len(wanted & set(terms(f"{named} {whole}"))) / len(wanted) if wanted else 0.0
        return {
            "holds the words asked for": held,
            "yes or no, without the words": float(self.asked.yes_no and bool(wanted) and not held),
            "figure asked for": float(figure and self.asked.quantity),
            "length": math.log1p(len(whole) / 100),
            "row of a table": float(any(" | " in text for text in texts)),
            "steps, a way asked for": float(finder == "steps" and Form.STEPS in self.asked.forms),
        }


class Ranker(Protocol):
    """Tells which of several candidates answers a clause, and whether any does."""

    def log_odds(self, weighing: Weighing, candidates: Sequence[Candidate]) -> list[float]:
        """How likely each answers, against that none does; above 0 it is likelier than that."""
        ...


class ShippedRanker:
    """The ranker with the weights that come with this package."""

    def log_odds(self, weighing: Weighing, candidates: Sequence[Candidate]) -> list[float]:
        """How likely each answers, against that none does; above 0 it is likelier than that."""
        *odds, none = _weights().log_odds(weighing.described(candidates)).tolist()
        return [one - none for one in odds]


@cache
def _weights() -> Logistic:
    return Logistic.load(MODEL_PATH, NAMES, COMMAND)
