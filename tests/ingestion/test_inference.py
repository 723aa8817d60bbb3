"""Transformers as PyTorch runs them: one text is soon read, many yield to it."""

import os
import sys
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from ingestion.encoder import model_folder
from ingestion.inference import BATCH, FEW, Transformer

CORES = len(os.sched_getaffinity(0))


class Model(nn.Module):
    """Returns each text's tokens, and notes who reads how many texts."""

    config = SimpleNamespace(pad_token_id=0)

    def __init__(self) -> None:
        super().__init__()
        self.loaded = 0
        self.readers: list[tuple[int, int, int]] = []
        self.meanwhile = lambda: None

    def load(self) -> PreTrainedModel:
        self.loaded += 1
        return cast("PreTrainedModel", self)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        self.meanwhile()
        thread = threading.get_native_id()
        self.readers.append((thread, os.getpriority(os.PRIO_PROCESS, thread), len(input_ids)))
        assert torch.get_num_threads() == 1
        return input_ids * attention_mask


def sums(found: Any, seen: Tensor) -> Tensor:  # noqa: ANN401 - what any model returns
    return torch.stack([found.sum(1), seen.sum(1)], dim=1)


def made(model: Model) -> Transformer:
    return Transformer(model.load, sums, model_folder() / "tokenizer.json", 16)


@pytest.mark.parametrize("texts", [1, FEW, FEW + 1])
def test_texts_of_any_length_come_back_in_order_without_what_pads_them(texts: int) -> None:
    lengths = [1 + number % 7 for number in range(texts)]
    found = made(Model()).read([[length] * length for length in lengths])
    assert [one.tolist() for one in found] == [[length * length, length] for length in lengths]


def test_few_texts_are_shared_out_among_the_cores_and_read_side_by_side() -> None:
    model, side_by_side = Model(), threading.Barrier(min(4, CORES))
    model.meanwhile = lambda: side_by_side.wait(timeout=10)  # broken where one part is read only after the other
    made(model).read([[1]] * 4)
    assert sum(texts for *_, texts in model.readers) == 4
    assert len(model.readers) == min(4, CORES)


def test_many_texts_are_read_in_batches() -> None:
    model = Model()
    made(model).read([[1]] * (FEW + 1))
    assert sorted(texts for *_, texts in model.readers) == [1, BATCH, BATCH]
    assert threading.get_native_id() not in {thread for thread, *_ in model.readers}


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux alone")
def test_many_texts_yield_to_few() -> None:
    model = Model()
    transformer = made(model)
    transformer.read([[1]] * (FEW + 1))
    many = {priority for _, priority, _ in model.readers}
    model.readers.clear()
    transformer.read([[1]])
    [(_, one, _)] = model.readers
    assert min(many) > one


def test_a_model_is_loaded_once_and_before_the_first_text_not_at_all() -> None:
    model = Model()
    transformer = made(model)
    assert transformer.tokens(["a"])
    assert model.loaded == 0
    transformer.read([[1]])
    transformer.read([[1]] * (FEW + 1))
    assert model.loaded == 1


def test_of_no_text_nothing_is_found() -> None:
    assert made(Model()).read([]) == []
