"""The embedding model."""

import numpy as np

from ingestion.encoder import DIMENSIONS, shared_encoder


def test_vectors_have_unit_length_and_do_not_depend_on_their_neighbours() -> None:
    encoder = shared_encoder()
    texts = ["How heavy is it?", "", "a much longer text " * 200, "Is it waterproof?"]
    together = encoder.encode(texts)
    assert together.shape == (len(texts), DIMENSIONS)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    # Batches may run in bfloat16, a single text never does.
    assert np.all(np.einsum("ij,ij->i", together, alone) > 0.9999)


def test_meanings_that_are_near_have_vectors_that_are_near() -> None:
    query, near, far = shared_encoder().encode(
        ["Is it waterproof?", "Does it keep the rain out?", "Who pays for shipping?"]
    )
    assert query @ near > query @ far


def test_no_text_has_no_vectors() -> None:
    assert shared_encoder().encode([]).shape == (0, DIMENSIONS)


def test_tokens_are_counted_beyond_the_window() -> None:
    assert shared_encoder().count_tokens("tent " * 1000) == 1000
