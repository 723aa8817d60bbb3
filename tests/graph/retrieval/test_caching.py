"""The caching encoder: the same vectors, computed once."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from graph.parts import Vectors
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


class Deep(BagOfWords):
    """Shows the same vector four times over, the last three halved."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = 0

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        self.runs += 1
        vectors = BagOfWords().encode(texts)
        return np.hstack([vectors, vectors / 2, vectors / 2, vectors / 2])


def test_a_text_embedded_by_several_layers_is_not_embedded_again_for_its_sentence_vector() -> None:
    inner = Deep()
    encoder = CachingEncoder(inner)
    deep = encoder.encode_deep(TEXTS)
    np.testing.assert_array_equal(encoder.encode(TEXTS), BagOfWords().encode(TEXTS))
    np.testing.assert_array_equal(encoder.encode_deep(TEXTS), deep)
    assert (inner.encoded, inner.runs) == ([], 1)


def test_an_encoder_that_shows_no_lower_layers_gives_its_vectors_alone() -> None:
    np.testing.assert_array_equal(CachingEncoder(BagOfWords()).encode_deep(TEXTS), BagOfWords().encode(TEXTS))


class Slow(BagOfWords):
    """Embeds when it is let; fails while told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let = Event(), Event()
        self.fails = False

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.begun.set()
        assert self.let.wait(5)
        if self.fails:
            self.fails = False
            raise RuntimeError
        return super().encode(texts)


def asked_at_once(inner: Slow) -> tuple[Future[Vectors], Future[Vectors]]:
    """What two get that ask for a text at the same moment."""
    encoder = CachingEncoder(inner)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(encoder.encode, ["two doors"])
        assert inner.begun.wait(5)
        second = pool.submit(encoder.encode, ["two doors"])
        inner.let.set()
    return first, second


def test_two_that_ask_for_a_text_at_once_compute_it_once() -> None:
    inner = Slow()
    first, second = asked_at_once(inner)
    np.testing.assert_array_equal(first.result(), second.result())
    assert inner.encoded == ["two doors"]


def test_who_waits_for_a_text_that_fails_elsewhere_computes_it() -> None:
    inner = Slow()
    inner.fails = True
    first, second = asked_at_once(inner)
    assert second.result().shape[0] == 1
    with pytest.raises(RuntimeError):
        first.result()
