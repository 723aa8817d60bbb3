"""Fusion: what rankings agree on, and scores that keep how much better one candidate is."""

import numpy as np
import pytest

from graph.retrieval.candidates import (
    CHUNK_MEANING,
    DOCUMENT_MEANING,
    WORDS,
    convex_combination,
    reciprocal_rank_fusion,
)


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def test_what_two_rankings_agree_on_comes_first() -> None:
    assert reciprocal_rank_fusion([["a", "b", "c"], ["d", "b", "e"]])[0] == "b"


def test_a_higher_rank_counts_more_and_ties_go_by_id() -> None:
    assert reciprocal_rank_fusion([["b", "a"]]) == ["b", "a"]
    assert reciprocal_rank_fusion([["b"], ["a"]]) == ["a", "b"]
    assert reciprocal_rank_fusion([]) == []


def test_the_best_by_all_scores_has_one_and_the_unrelated_nothing() -> None:
    scores = convex_combination(vector(1, -0.2), vector(1, 0), vector(1, -0.1))
    assert scores == pytest.approx([1, 0])


def test_each_score_counts_with_its_weight() -> None:
    scores = convex_combination(vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1))
    assert scores == pytest.approx([CHUNK_MEANING, WORDS, DOCUMENT_MEANING])


def test_of_chunks_alike_the_one_of_the_fitting_document_comes_first() -> None:
    first, second = convex_combination(vector(0.6, 0.6), vector(0.5, 0.5), vector(0.3, 0.5))
    assert second > first
