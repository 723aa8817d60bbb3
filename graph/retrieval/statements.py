"""Finding: the statements of evidence, ordered by how near each comes to answering a question."""

from collections.abc import Sequence

import numpy as np

from graph.parts import Encoder, KnowledgeBase, Statement, Vectors
from ingestion.evidence import Evidence
from ingestion.statements import statement_spans, statement_texts

BEFORE = 1.5
"""What the turn before counts beside the question in the direction of both."""
LIFT = 0.1
"""What the turn before can add to a score at most."""


class NearestStatements:
    """A `StatementFinder` that compares the vectors of questions with those of statements.

    Args:
        encoder: Brings questions near to what answers them.
        knowledge: Knows vectors of statements; those that it does not know are made when they are read.
    """

    def __init__(self, encoder: Encoder, knowledge: KnowledgeBase | None = None) -> None:
        self._encoder, self._knowledge = encoder, knowledge

    def nearest(self, questions: Sequence[str], evidence: Sequence[Evidence], before: str = "") -> list[Statement]:
        """All statements of evidence, nearest first.

        The direction of `before` and the last of the wordings counts as much as the question alone, yet cannot lift far
        what is no answer to that.
        """
        spans = [(item, *at) for item in evidence for at in statement_spans(item)]
        if not spans:
            return []
        statements = self._vectors(evidence)
        asked = self._encoder.encode([*questions, *([before] if before else [])])
        alone = (statements @ asked[: len(questions)].T).max(axis=1)
        both = asked[len(questions) - 1] + BEFORE * asked[-1]
        together = (alone + statements @ (both / np.linalg.norm(both))) / 2 if before else alone
        scores = np.minimum(together, alone + LIFT).tolist()
        ranked = sorted(
            zip(scores, spans, strict=True), key=lambda pair: (-pair[0], pair[1][0].evidence_id, pair[1][1])
        )
        return [Statement(item, start, end, score) for score, (item, start, end) in ranked]

    def _vectors(self, evidence: Sequence[Evidence]) -> Vectors:
        known = self._knowledge.statement_vectors(evidence) if self._knowledge else {}
        texts = {item.evidence_id: statement_texts(item) for item in evidence if item.evidence_id not in known}
        unknown = [text for group in texts.values() for text in group]
        made = iter(self._encoder.encode(unknown) if unknown else ())
        rows: list[Vectors] = []
        for item in evidence:
            key = item.evidence_id
            rows.extend(known[key] if key in known else [next(made) for _ in texts[key]])
        return np.stack(rows)
