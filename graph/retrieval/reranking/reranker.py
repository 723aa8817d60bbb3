"""The reranker at run time."""

from collections.abc import Sequence
from threading import Lock
from typing import Protocol

import numpy as np
from cachetools import LRUCache

from graph.retrieval.reranking.candidate import Candidate, answer_and_question
from graph.retrieval.reranking.late_interaction import Floats, Reading, similarities
from graph.retrieval.reranking.weights import RerankerWeights
from ingestion.encoder import TokenStates

REMEMBERED_PIECES = 100_000
"""Word pieces of evidence whose states are kept, 768 bytes each: what was read before costs next to nothing."""
QUESTION_SHARE = 0.85
"""What it is worth that the question of a Q&A is like the one asked, against an answer that is."""
_DIGITS = 4


class TokenEncoder(Protocol):
    """A model that reads texts word piece by word piece."""

    def token_states(self, texts: Sequence[str]) -> list[TokenStates]:
        """Encode texts."""
        ...


class LateInteractionReranker:
    """Scores candidates by late interaction over the token states of the sentence encoder; safe to share."""

    def __init__(
        self, encoder: TokenEncoder, weights: RerankerWeights | None = None, remembered: int = REMEMBERED_PIECES
    ) -> None:
        self._encoder = encoder
        self._weights = weights or RerankerWeights.load()
        self._read: LRUCache[str, Reading] = LRUCache(remembered, getsizeof=_size)
        self._lock = Lock()

    def scores(self, query: str, candidates: Sequence[Candidate]) -> Floats:
        """Probabilities that each candidate answers the question alone, in the order given; they need not sum to 1."""
        raw = self.similarities(query, candidates)
        log_odds = self._weights.slope * raw + self._weights.intercept
        return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32).round(_DIGITS)

    def similarities(self, query: str, candidates: Sequence[Candidate]) -> Floats:
        """Similarity of each candidate, -1 to 1; a Q&A has its answer's, or a share of its question's if higher."""
        if not candidates:
            return np.zeros(0, dtype=np.float32)
        said = [answer_and_question(candidate) for candidate in candidates]
        (question,) = self._encoder.token_states([query])
        found = similarities(question, self._readings([text for pair in said for text in pair]), self._weights)
        by_answer, by_question = found.reshape(-1, 2).T
        return np.maximum(by_answer, np.where([bool(asked) for _, asked in said], QUESTION_SHARE * by_question, -1))

    def _readings(self, texts: Sequence[str]) -> list[Reading]:
        with self._lock:
            known = {text: self._read[text] for text in texts if text in self._read}
        missing = [text for text in dict.fromkeys(texts) if text.strip() and text not in known]
        fresh = self._encoder.token_states(missing) if missing else []
        for text, tokens in zip(missing, fresh, strict=True):
            known[text] = Reading.of(tokens, self._weights)
        with self._lock:
            for text in missing:
                if _size(known[text]) <= self._read.maxsize:
                    self._read[text] = known[text]
        width = len(self._weights.centre)
        silent = Reading(np.zeros(width, dtype=np.float16), np.zeros((0, width), dtype=np.float16))
        return [known.get(text, silent) for text in texts]


def _size(reading: Reading) -> int:
    return len(reading.pieces) + 1
