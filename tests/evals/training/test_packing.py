"""What a transformer becomes to ship."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import BertModel, MPNetConfig, MPNetForSequenceClassification, MPNetModel

from evals.training.packing import (
    DOWN,
    LEAST_SIZE,
    RANK,
    UP,
    pack,
    unpacked,
    write_encoder_graph,
    write_reader_graph,
    write_sentence_graph,
)
from evals.training.reader import LAYERS, adapted
from graph.reader import FOLDER as READER
from graph.reader import OUTPUTS
from ingestion.encoder import DIMENSIONS, model_folder, shared_encoder
from ingestion.encoder import GRAPH as SENTENCE_GRAPH
from ingestion.inference import GROUP, Transformer, initializers
from ingestion.statement_encoder import FOLDER as ENCODER
from ingestion.statement_encoder import GRAPH, TOKENIZER

ARCHITECTURE = {"vocab_size": 30_527, "max_position_embeddings": 514, "layer_norm_eps": 1e-5}
"""What all-mpnet-base-v2 changes of the defaults."""


def test_packed_weights_are_within_a_step_of_their_group(tmp_path: Path) -> None:
    large = torch.randn(LEAST_SIZE // GROUP + 1, GROUP, generator=torch.Generator().manual_seed(0))
    pack({"large": large, "small": torch.tensor([1.0, -0.5])}, tmp_path / "weights")
    found = unpacked(tmp_path / "weights")
    steps = (large.amax(1) - large.amin(1)) / 15
    assert bool(((found["large"] - large).abs().amax(1) <= steps * 0.51).all())
    assert found["small"].tolist() == [1.0, -0.5]
    assert (tmp_path / "weights").stat().st_size < large.numel() * 0.6


def test_a_graph_computes_on_packed_weights_what_the_model_computes(tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = MPNetConfig(**ARCHITECTURE, num_hidden_layers=2, num_labels=3)
    model = MPNetForSequenceClassification(config)
    pack(model.state_dict(), tmp_path / "weights")
    name = "mpnet.encoder.layer.1.output.dense.weight"
    rows, columns = model.state_dict()[name].shape
    down, up = torch.randn(columns, RANK) / 8, torch.randn(RANK, rows) / 8
    save_file({name + DOWN: down, name + UP: up}, tmp_path / "adapter")
    write_reader_graph(model, tmp_path / GRAPH, [name])
    weights = partial(initializers, tmp_path / "weights", tmp_path / "adapter")
    packed = Transformer(tmp_path / GRAPH, weights, ENCODER / TOKENIZER, max_tokens=16)
    tokens = packed.tokens([("is it dry", "It is dry."), ("and warm in a winter that is long", "No.")])
    values = unpacked(tmp_path / "weights")
    model.load_state_dict(values | {name: values[name] + (down @ up).T})
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
        model = MPNetForSequenceClassification(config)
        write_reader_graph(model, tmp_path / GRAPH, adapted(model))
    shipped = {"sentences": SENTENCE_GRAPH, "encoder": ENCODER / GRAPH, "reader": READER / GRAPH}[part]
    assert (tmp_path / GRAPH).read_bytes() == shipped.read_bytes()
