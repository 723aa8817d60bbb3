"""The embedding model."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ingestion.encoder import DEEP_DIMENSIONS, DIMENSIONS, WEIGHTS, SentenceEncoder, model_folder, shared_encoder
from ingestion.errors import AlteredModelError


def test_vectors_have_unit_length_and_do_not_depend_on_their_neighbours() -> None:
    encoder = shared_encoder()
    texts = ["How heavy is it?", "", "a much longer text " * 200, *(f"Is it {number} m long?" for number in range(40))]
    together = encoder.encode(texts)
    assert together.shape == (len(texts), DIMENSIONS)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(together, [encoder.encode([text])[0] for text in texts])


def test_the_forward_pass_is_that_of_the_model_as_it_was_published() -> None:
    # The first dimensions as transformers' BertModel computes them, averaged and scaled.
    published = [0.04271217, 0.03921613, -0.07125706, 0.09082776, -0.01793858, -0.04713186]
    assert np.allclose(shared_encoder().encode(["How heavy is it?"])[0, :6], published, atol=1e-5)


def test_other_weights_than_the_published_ones_are_refused_before_they_are_used(
    tmp_path: Path,
) -> None:
    for file in model_folder().iterdir():
        (tmp_path / file.name).symlink_to(file)
    weights = tmp_path / WEIGHTS
    altered = bytearray(weights.read_bytes())
    altered[-1] ^= 1
    weights.unlink()
    weights.write_bytes(altered)
    encoder = SentenceEncoder(folder=tmp_path)
    for use in (lambda: encoder.encode(["How heavy is it?"]), lambda: encoder.fingerprint):
        with pytest.raises(AlteredModelError, match=str(weights)):
            use()


def test_meanings_that_are_near_have_vectors_that_are_near() -> None:
    query, near, far = shared_encoder().encode(
        ["Is it waterproof?", "Does it keep the rain out?", "Who pays for shipping?"]
    )
    assert query @ near > query @ far


def test_several_layers_stand_side_by_side_and_begin_with_the_sentence_vector() -> None:
    encoder = shared_encoder()
    for texts in (["How heavy is it?"], ["How heavy is it?", "Is the lining made of wool?"]):
        deep = encoder.encode_deep(texts)
        assert deep.shape == (len(texts), DEEP_DIMENSIONS)
        np.testing.assert_array_equal(deep[:, :DIMENSIONS], encoder.encode(texts))
        parts = deep.reshape(len(texts), 4, DIMENSIONS)
        assert np.allclose(np.linalg.norm(parts, axis=2), 1, atol=1e-5)


def test_it_starts_without_what_takes_seconds_to_load() -> None:
    embed = "import sys; from ingestion.encoder import shared_encoder; shared_encoder().encode(['How heavy is it?'])"
    heavy = "assert not {'torch', 'transformers', 'sentence_transformers'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", f"{embed}; {heavy}"], check=True, cwd=Path(__file__).parents[2])  # noqa: S603


def test_no_text_has_no_vectors() -> None:
    assert shared_encoder().encode([]).shape == (0, DIMENSIONS)


def test_tokens_are_counted_beyond_the_window() -> None:
    assert shared_encoder().count_tokens("tent " * 1000) == 1000
