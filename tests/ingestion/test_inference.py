"""Transformers as ONNX Runtime computes them: one text is soon read, many yield to it."""

import os
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ingestion.encoder import model_folder
from ingestion.inference import FEW, Transformer


class Runtime:
    """Sessions that answer each text with its first token, and note who reads it."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.readers: list[tuple[int, int]] = []

    def session(self, _graph: Path, options: Any, **_: object) -> "Runtime":  # noqa: ANN401 - the runtime's
        self.threads.append(options.intra_op_num_threads)
        return self

    def run(self, _: None, inputs: dict[str, Any]) -> list[Any]:
        self.readers.append((threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))
        return [np.array([inputs["input_ids"][0, :1]])]


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    runtime = Runtime()
    monkeypatch.setattr("onnxruntime.InferenceSession", runtime.session)
    return runtime


def made(threads: int | None = None) -> Transformer:
    return Transformer(Path("graph.onnx"), dict, model_folder() / "tokenizer.json", 16, threads)


@pytest.mark.parametrize("texts", [1, FEW])
def test_few_texts_are_read_as_many_at_once_as_there_are_cores_and_share_them(runtime: Runtime, texts: int) -> None:
    found = made().read([[one, 1] for one in range(texts)])
    assert [one.tolist() for one in found] == [[one] for one in range(texts)]
    cores = len(os.sched_getaffinity(0))
    assert len({thread for thread, _ in runtime.readers}) <= cores
    assert runtime.threads == [cores]


def test_few_texts_are_read_side_by_side(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    side_by_side = threading.Barrier(min(2, len(os.sched_getaffinity(0))))
    read = runtime.run

    def waiting(outputs: None, inputs: dict[str, Any]) -> list[Any]:
        side_by_side.wait(timeout=10)  # broken where one text is read only after the other
        return read(outputs, inputs)

    monkeypatch.setattr(runtime, "run", waiting)
    assert [one.tolist() for one in made().read([[1], [2]])] == [[1], [2]]


def test_many_texts_are_shared_out_and_come_back_in_order(runtime: Runtime) -> None:
    found = made().read([[one, 1] for one in range(FEW + 1)])
    assert [one.tolist() for one in found] == [[one] for one in range(FEW + 1)]
    assert threading.get_native_id() not in {thread for thread, _ in runtime.readers}
    assert runtime.threads == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux alone")
def test_many_texts_yield_to_few(runtime: Runtime) -> None:
    transformer = made()
    transformer.read([[1]] * (FEW + 1))
    many = {priority for _, priority in runtime.readers}
    runtime.readers.clear()
    transformer.read([[1]])
    [(_, one)] = runtime.readers
    assert min(many) > one


def test_a_model_whose_texts_are_one_threads_each_is_loaded_once(runtime: Runtime) -> None:
    transformer = made(threads=1)
    transformer.read([[1]])
    transformer.read([[1]] * (FEW + 1))
    assert runtime.threads == [1]


def test_of_no_text_nothing_is_found(runtime: Runtime) -> None:
    assert made().read([]) == []
    assert runtime.readers == []
