"""What a transformer becomes to ship."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from transformers import BertModel, MPNetConfig, MPNetForSequenceClassification, MPNetModel

from evals.training.packing import (
    LEAST_SIZE,
    pack,
    write_encoder_graph,
    write_reader_graph,
    write_sentence_graph,
)
from evals.training.reader import LAYERS
from graph.reader import FOLDER as READER
from graph.reader import OUTPUTS
from ingestion.encoder import DIMENSIONS, model_folder, shared_encoder
from ingestion.encoder import GRAPH as SENTENCE_GRAPH
from ingestion.inference import GROUP, SCALES, ZEROS, Array, Transformer, initializers
from ingestion.statement_encoder import FOLDER as ENCODER
from ingestion.statement_encoder import GRAPH, TOKENIZER

ARCHITECTURE = {"vocab_size": 30_527, "max_position_embeddings": 514, "layer_norm_eps": 1e-5}
"""What all-mpnet-base-v2 changes of the defaults."""


def halves(both: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Both numbers of every byte."""
    return np.stack([both & 15, both >> 4], axis=2).reshape(len(both), -1)


def unpacked(weights: Mapping[str, Array], name: str) -> torch.Tensor:
    """A weight as it was before, but for what packing loses."""
    if name + SCALES not in weights:
        return torch.from_numpy(weights[name])
    scales = weights[name + SCALES][:, :, None]
    levels = halves(weights[name].reshape(len(scales), -1)).reshape(*scales.shape[:2], GROUP)
    zeros = halves(weights[name + ZEROS])[:, : scales.shape[1], None]
    return torch.from_numpy((levels - zeros.astype(np.float32)) * scales).reshape(len(scales), -1)


def test_packed_weights_are_within_a_step_of_their_group(tmp_path: Path) -> None:
    large = torch.randn(LEAST_SIZE // GROUP + 1, GROUP, generator=torch.Generator().manual_seed(0))
    pack({"large": large, "small": torch.tensor([1.0, -0.5])}, tmp_path / "weights")
    found = initializers(tmp_path / "weights")
    steps = (large.amax(1) - large.amin(1)) / 15
    assert bool(((unpacked(found, "large") - large).abs().amax(1) <= steps * 0.51).all())
    assert found["small"].tolist() == [1.0, -0.5]
    assert (tmp_path / "weights").stat().st_size < large.numel() * 0.6


def test_a_graph_computes_on_packed_weights_what_the_model_computes(tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = MPNetConfig(**ARCHITECTURE, num_hidden_layers=2, num_labels=3)
    model = MPNetForSequenceClassification(config)
    pack(model.state_dict(), tmp_path / "weights")
    write_reader_graph(model, tmp_path / GRAPH)
    weights = initializers(tmp_path / "weights")
    packed = Transformer(tmp_path / GRAPH, lambda: weights, ENCODER / TOKENIZER, max_tokens=16)
    tokens = packed.tokens([("is it dry", "It is dry."), ("and warm in a winter that is long", "No.")])
    model.load_state_dict({name: unpacked(weights, name) for name in model.state_dict()})
    model.eval()
    for one, found in zip(tokens, packed.read(tokens), strict=True):
        with torch.inference_mode():
            (right,) = model(torch.tensor([one])).logits
        assert np.allclose(found, right.numpy(), atol=0.01)


def test_the_embedding_models_graph_computes_on_the_published_weights_what_transformers_computes() -> None:
    text = "Is the lining made of wool?"
    tokens = Tokenizer.from_file(str(model_folder() / "tokenizer.json")).encode(text)
    ids = torch.tensor([[one for one, seen in zip(tokens.ids, tokens.attention_mask, strict=True) if seen]])
    model = BertModel.from_pretrained(model_folder(), output_hidden_states=True)
    with torch.inference_mode():
        *_, second, _, fourth, _, last = (one[0] for one in model.eval()(ids).hidden_states)
    read = [last.mean(0), fourth.mean(0), second.mean(0), last.amax(0)]
    parts = shared_encoder().encode_deep([text]).reshape(4, DIMENSIONS)
    for part, right in zip(parts, read, strict=True):
        assert part @ (right / right.norm()).numpy() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("part", ["sentences", "encoder", "reader"])
def test_the_graphs_that_ship_are_those_the_recipe_writes(part: str, tmp_path: Path) -> None:
    if part == "sentences":
        write_sentence_graph(tmp_path / GRAPH)
    elif part == "encoder":
        write_encoder_graph(MPNetModel(MPNetConfig(**ARCHITECTURE), add_pooling_layer=False), tmp_path / GRAPH)
    else:
        config = MPNetConfig(**ARCHITECTURE, num_hidden_layers=LAYERS, num_labels=len(OUTPUTS))
        write_reader_graph(MPNetForSequenceClassification(config), tmp_path / GRAPH)
    shipped = {"sentences": SENTENCE_GRAPH, "encoder": ENCODER / GRAPH, "reader": READER / GRAPH}[part]
    assert (tmp_path / GRAPH).read_bytes() == shipped.read_bytes()
