"""Memory of what models read: the same vectors and judgements, computed once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import numpy as np

from graph.caching import CachingEncoder, CachingReader
from graph.parts import Judgement, Pair, Vectors
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


class Slow(BagOfWords):
    """Embeds when it is let, and fails before where it is told to."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.begun, self.let = Semaphore(0), Event()
        self._failures = failures

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.begun.release()
        assert self.let.wait(60)
        if self._failures:
            self._failures -= 1
            raise MemoryError
        return super().encode(texts)


def test_a_text_that_another_thread_embeds_meanwhile_is_waited_for() -> None:
    inner = Slow()
    encoder = CachingEncoder(inner)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(encoder.encode, ["two doors", "a mesh bag"])
        inner.begun.acquire()
        others = [pool.submit(encoder.encode, texts) for texts in (["a mesh bag"], ["a new text", "two doors"])]
        inner.begun.acquire()  # for the new text
        inner.let.set()
        vectors = [one.result(60) for one in (first, *others)]
    assert sorted(inner.encoded) == ["a mesh bag", "a new text", "two doors"]
    np.testing.assert_array_equal(vectors[1][0], vectors[0][1])
    np.testing.assert_array_equal(vectors[2][1], vectors[0][0])


def test_what_fails_in_one_thread_is_embedded_by_who_waited_for_it() -> None:
    inner = Slow(failures=1)
    encoder = CachingEncoder(inner)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(encoder.encode, ["two doors"])
        inner.begun.acquire()
        second = pool.submit(encoder.encode, ["two doors"])
        inner.let.set()
        assert isinstance(first.exception(60), MemoryError)
        np.testing.assert_array_equal(second.result(60), BagOfWords().encode(["two doors"]))


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


class Counting:
    def __init__(self) -> None:
        self.read: list[Pair] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.read += pairs
        return [Judgement(answers=len(passage) / 10, yes=0.0, no=0.0, supported=0.0) for _, passage in pairs]


def test_a_pair_is_read_once() -> None:
    counting = Counting()
    reader = CachingReader(counting)
    assert [one.answers for one in reader.judge([("q", "a"), ("q", "bb"), ("q", "a")])] == [0.1, 0.2, 0.1]
    assert [one.answers for one in reader.judge([("q", "ccc"), ("q", "bb")])] == [0.3, 0.2]
    assert counting.read == [("q", "a"), ("q", "bb"), ("q", "ccc")]
