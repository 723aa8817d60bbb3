"""What the reader learns from."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import cast

import numpy as np
import pytest
import torch
from datasets import Dataset
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder, SentenceTransformer

from evals.training.reader import (
    ASKED,
    CLAIMED,
    FIRST,
    LEFT,
    ByLength,
    KnownOutputs,
    Lessons,
    further_round,
    label,
    measured,
    rounds,
    train,
)
from evals.training.reader_examples import (
    ReaderExample,
    ShopLessons,
    ShopQuestion,
    hard_negatives,
    made_up_shop,
    pack_examples,
    shop_examples,
)
from graph.reader import ADAPTER, OUTPUTS
from ingestion.encoder import DIMENSIONS, model_folder
from ingestion.inference import Transformer, initializers
from ingestion.statement_encoder import GRAPH, WEIGHTS

MUG, CUP, LID = "Mug: It holds 300 ml.", "Cup: It holds 200 ml.", "Mug: The lid is sold apart."
SHOP = ShopLessons(
    questions=[
        ShopQuestion("how much goes in the mug", MUG, f"{MUG} {LID}"),
        ShopQuestion("lid with it?", LID, LID, "no"),
    ],
    near_misses=[("is the mug tall", MUG)],
    claims=[ReaderExample("The mug takes 0.3 litres.", MUG, supported=True)],
    chunks={MUG: f"{MUG} {LID}", LID: f"{MUG} {LID}", CUP: CUP},
)


DRAWING = Random(0)  # noqa: S311 - nothing secret


class ByWords:
    """Embeds texts by the letters of their words."""

    def encode(self, texts: Sequence[str], **_: object) -> NDArray[np.float64]:
        found = np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])
        vectors: NDArray[np.float64] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return vectors


def test_a_question_stands_beside_what_answers_it_and_what_does_not() -> None:
    found = list(shop_examples(SHOP, [[CUP], [CUP]], DRAWING))
    answering = [one for one in found if one.answers == 1]
    assert [one.first for one in answering] == [one.text for one in SHOP.questions]
    assert all(question.sentence in one.second for question, one in zip(SHOP.questions, answering, strict=True))
    assert {(one.first, one.said) for one in found if one.answers == 0} == {
        ("how much goes in the mug", None),
        ("lid with it?", "neither"),
        ("is the mug tall", "neither"),
    }
    assert SHOP.claims[0] in found


def test_a_hard_negative_is_neither_the_answer_nor_a_part_of_it() -> None:
    encoder = cast("SentenceTransformer", ByWords())
    question = ShopQuestion("how much goes in it", MUG, MUG, also=("The lid is sold apart.",))
    shop = ShopLessons([question], [], [], {MUG: MUG, LID: LID, "Bowl: It holds 300 ml.": "", CUP: CUP})
    [drawn] = hard_negatives(shop, encoder, DRAWING)
    assert set(drawn) <= {CUP}


def test_a_made_up_shop_teaches_messages_near_misses_and_claims() -> None:
    shop = made_up_shop("pets")
    assert {one.said for one in shop.questions} == {None, "yes", "no", "depends"}
    assert {one.supported for one in shop.claims} == {True, False}
    assert shop.near_misses
    assert all(one.sentence.split(": ", 1)[1] in one.chunk for one in shop.questions)


def test_what_is_not_known_teaches_nothing() -> None:
    class Constant(torch.nn.Module):
        device = torch.device("cpu")

        def __init__(self) -> None:
            super().__init__()
            self.logits = torch.nn.Parameter(torch.zeros(2, 6))

        def forward(self, **_: object) -> "Constant":
            return self

    class Tokens(dict[str, object]):
        def to(self, _: object) -> "Tokens":
            return self

    model = Constant()
    encoder = cast("CrossEncoder", type("Fake", (torch.nn.Module,), {})())
    encoder.model, encoder.tokenizer, encoder.device = model, lambda *_, **__: Tokens(), model.device
    labels = torch.tensor(
        [label(ReaderExample("q", "p", answers=1.0)), label(ReaderExample("c", "p", supported=False))]
    )
    KnownOutputs(encoder)([["q", "c"], ["p", "p"]], list(labels)).backward()
    assert model.logits.grad is not None
    assert model.logits.grad.nonzero().tolist() == [[0, 0], [1, 5]]


def test_an_epoch_takes_every_pair_once_and_another_epoch_in_another_order() -> None:
    data = Dataset.from_dict({"first": ["a" * n for n in range(1, 101)], "second": ["b"] * 100})
    batches = ByLength(data, batch_size=8)
    first = list(batches)
    assert sorted(at for batch in first for at in batch) == list(range(100))
    assert len(first) == len(batches) == math.ceil(100 / 8)
    batches.set_epoch(1)
    assert list(batches) != first


def test_figures_are_of_the_outputs_that_are_known() -> None:
    rows = [
        ReaderExample("q", "p", 1.0, "yes"),
        ReaderExample("q", "o", 0.0, "neither"),
        ReaderExample("c", "p", supported=True),
        ReaderExample("c", "o", supported=False),
    ]
    logits = np.array([[3.0, 5, 0, 0, 0, 0], [-3, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 2]])
    found = measured(rows, logits, {"answers": [1.0, 0.0], "supported": [1.0, 0.0], "said": [1.0]})
    names = ("n", "answers AUROC", "yes or no", "decided", "wrongly")
    assert tuple(found[name] for name in names) == (4, 1.0, 1.0, 1.0, 0.0)
    assert found["claims balanced accuracy"] == pytest.approx(0.5)


def test_both_models_are_trained_measured_and_can_be_read_again(tmp_path: Path) -> None:
    denied = ReaderExample("The mug takes a litre.", MUG, supported=False)
    shop = replace(SHOP, claims=[*SHOP.claims, denied])
    metrics = train(Lessons([shop], [denied], {"mugs": shop}), model_folder(), tmp_path)
    assert metrics["mugs"]["n"] > len(shop.questions)
    assert SentenceTransformer(str(tmp_path / "encoder"), device="cpu").encode(["a"]).shape == (1, DIMENSIONS)
    for folder, width in ((tmp_path, DIMENSIONS), (tmp_path / "reader", len(OUTPUTS))):
        weights = partial(initializers, folder / WEIGHTS, *folder.glob(ADAPTER))
        shipped = Transformer(folder / GRAPH, weights, model_folder() / "tokenizer.json", max_tokens=16)
        assert [one.shape for one in shipped.read(shipped.tokens([("how much", MUG)] * 2))] == [(width,)] * 2
    assert set(json.loads((tmp_path / "reader" / "calibration.json").read_text())) == {"answers", "said", "supported"}


def test_the_second_round_learns_statements_and_once_more_what_says_yes_or_no() -> None:
    plain = [ReaderExample(f"q{number}", "p", answers=1.0) for number in range(FIRST + LEFT)]
    polar = ReaderExample("is it", "p", answers=1.0, said="yes")
    statement = ReaderExample("it is", "p", supported=True)
    first, then = rounds(plain, [polar, statement], DRAWING)
    assert len(first) == FIRST
    assert len(then) <= LEFT + 2
    assert {polar, statement} <= set(then)
    assert len(then) == len(set(then))


def test_a_further_round_learns_all_that_later_shops_state_and_some_of_what_came_before() -> None:
    asked = [ReaderExample(f"q{number}", "p", answers=1.0) for number in range(ASKED + 1)]
    polar = ReaderExample("is it", "p", answers=1.0, said="yes")
    claim = ReaderExample("it is", "p", supported=True)
    before = [ReaderExample(f"it was {number}", "p", supported=False) for number in range(CLAIMED + 1)]
    found = further_round([*asked, polar, claim], before, [polar, claim], DRAWING)
    assert {polar, claim} <= set(found)
    assert len(found) == ASKED + CLAIMED + 2 + 2


def test_what_contradicts_a_statement_says_no_to_it(tmp_path: Path) -> None:
    rows = {
        "ranking-epqa-dev": {"id": "1", "query": "q", "candidates": [{"id": "1", "text": "t"}], "relevance": {"1": 2}},
        "answers-hetpqa": {
            "question": "q",
            "evidence": [{"id": "1", "text": "t"}],
            "answers": ["No, it is not.", "no"],
        },
        "support-nli": {"claim": "c", "evidence": ["e", "f"], "label": False, "nli_label": "contradiction"},
    }
    for pack, row in rows.items():
        (tmp_path / pack).mkdir()
        (tmp_path / pack / "data.jsonl").write_text(json.dumps(row | {"split": "train"}) + "\n")
    assert list(pack_examples(tmp_path)) == [
        ReaderExample("q", "t", answers=1.0),
        ReaderExample("q", "t", answers=1.0, said="no"),
        ReaderExample("c", "e f", said="no", supported=False),
    ]
