"""The reranker at run time."""

from collections.abc import Sequence
from threading import Lock
from typing import Protocol

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from graph.retrieval.reranking.candidate import Candidate, answer_and_question
from graph.retrieval.reranking.late_interaction import Floats, directions, max_sim
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
        self._read: LRUCache[str, NDArray[np.float16]] = LRUCache(remembered, getsizeof=lambda states: len(states) + 1)
        self._lock = Lock()

    def scores(self, query: str, candidates: Sequence[Candidate]) -> Floats:
        """Probabilities that each candidate answers the question alone, in the order given; they need not sum to 1."""
        raw = self.similarities(query, candidates)
        log_odds = self._weights.slope * raw + self._weights.intercept
        return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32).round(_DIGITS)

    def similarities(self, query: str, candidates: Sequence[Candidate]) -> Floats:
        """MaxSim of each candidate, -1 to 1; that of a Q&A is the better of its answer's and its question's share."""
        if not candidates:
            return np.zeros(0, dtype=np.float32)
        said = [answer_and_question(candidate) for candidate in candidates]
        texts = [text for pair in said for text in pair]
        (question,) = self._encoder.token_states([query])
        found = max_sim(question, self._directions(texts), self._weights).reshape(-1, 2)
        return np.maximum(found[:, 0], np.where([bool(asked) for _, asked in said], QUESTION_SHARE * found[:, 1], -1))

    def _directions(self, texts: Sequence[str]) -> list[Floats]:
        with self._lock:
            known = {text: self._read[text] for text in texts if text in self._read}
        missing = [text for text in dict.fromkeys(texts) if text.strip() and text not in known]
        fresh = self._encoder.token_states(missing) if missing else []
        for text, tokens in zip(missing, fresh, strict=True):
            known[text] = directions(tokens, self._weights).astype(np.float16)
        with self._lock:
            for text in missing:
                if len(known[text]) < self._read.maxsize:
                    self._read[text] = known[text]
        nothing = np.zeros((0, len(self._weights.centre)), dtype=np.float16)
        return [known.get(text, nothing).astype(np.float32) for text in texts]
