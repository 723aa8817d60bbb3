"""What a trained transformer becomes to ship."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from transformers import MPNetConfig, MPNetForSequenceClassification, MPNetModel

from evals.training.packing import LEAST_SIZE, pack, write_graph
from evals.training.reader import LAYERS
from graph.reader.reader import FOLDER as READER
from graph.reader.reader import OUTPUTS
from ingestion.packed.transformer import PackedTransformer
from ingestion.packed.weights import GROUP, SCALES, ZEROS, Array, initializers
from ingestion.statement_encoder.encoder import FOLDER as ENCODER
from ingestion.statement_encoder.encoder import GRAPH, TOKENIZER

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
    write_graph(model, "logits", "scores", tmp_path / GRAPH)
    packed = PackedTransformer(tmp_path / GRAPH, tmp_path / "weights", ENCODER / TOKENIZER, max_tokens=16)
    features = packed.preprocess([("is it dry", "It is dry."), ("and warm in a winter that is long", "No.")])
    found = packed(features)["scores"]
    weights = initializers(tmp_path / "weights")
    model.load_state_dict({name: unpacked(weights, name) for name in model.state_dict()})
    with torch.inference_mode():
        right = model.eval()(features["input_ids"], features["attention_mask"]).logits
    assert torch.allclose(found, right, atol=0.01)


@pytest.mark.parametrize("part", ["encoder", "reader"])
def test_the_graphs_that_ship_are_those_the_recipe_writes(part: str, tmp_path: Path) -> None:
    if part == "encoder":
        encoder = MPNetModel(MPNetConfig(**ARCHITECTURE), add_pooling_layer=False)
        write_graph(encoder, "last_hidden_state", "token_embeddings", tmp_path / GRAPH)
    else:
        config = MPNetConfig(**ARCHITECTURE, num_hidden_layers=LAYERS, num_labels=len(OUTPUTS))
        write_graph(MPNetForSequenceClassification(config), "logits", "scores", tmp_path / GRAPH)
    shipped = {"encoder": ENCODER, "reader": READER}[part]
    assert (tmp_path / GRAPH).read_bytes() == (shipped / GRAPH).read_bytes()
