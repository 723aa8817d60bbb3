"""The caching encoder: the same vectors, computed once."""

import numpy as np

from graph.retrieval.caching import CachingEncoder
from tests.graph.fakes import BagOfWords

TEXTS = ["two doors", "a mesh bag", "two doors"]


def test_vectors_are_those_of_the_encoder_in_the_order_asked() -> None:
    np.testing.assert_array_equal(CachingEncoder(BagOfWords()).encode(TEXTS), BagOfWords().encode(TEXTS))


def test_a_text_is_computed_once() -> None:
    inner = BagOfWords()
    encoder = CachingEncoder(inner)
    encoder.encode(TEXTS)
    encoder.encode(["a mesh bag", "a new text"])
    assert inner.encoded == ["two doors", "a mesh bag", "a new text"]


def test_the_text_used_longest_ago_is_forgotten_first() -> None:
    inner = BagOfWords()
    encoder = CachingEncoder(inner, size=2)
    encoder.encode(["old", "kept"])
    encoder.encode(["old"])
    encoder.encode(["new"])
    inner.encoded.clear()
    encoder.encode(["old", "new"])
    assert inner.encoded == []
    encoder.encode(["kept"])
    assert inner.encoded == ["kept"]


def test_more_texts_than_are_remembered_are_all_embedded() -> None:
    texts = [f"text {number}" for number in range(5)]
    assert CachingEncoder(BagOfWords(), size=2).encode(texts).shape == BagOfWords().encode(texts).shape
