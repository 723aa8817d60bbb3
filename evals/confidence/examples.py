"""Turns whose answers are known to be right or wrong, with what confidence saw of them."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app import demo
from evals.components.answers import Answerable, ask_row, is_answered
from evals.conversations.replay import replaying
from evals.metrics.served_judge import LexicalJudge
from evals.packs import pack
from evals.rows.row import read_rows
from evals.rows.row_turns import load_turns
from evals.shops.files import read_folder
from evals.shops.questions import ShopQuestion, shop_questions
from graph.trained import fold_of

PACK = "answers-epqa-dev"
SHOP = "demo shop"
TEST_FOLDS = frozenset({0, 1})
"""Folds of the products, rules and articles whose questions are only measured on."""
SEEDS = {"train": (5,), "test": (5, 6)}
"""The seeds of the questions that are made; measuring takes more of them, as the calibration error of few is noise."""
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""When the demo shop is asked: its rules hold then."""


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """A question that was asked.

    Attributes:
        source: Where it comes from.
        subject: What it is about; examples about one are held back together.
        answerable: Whether the evidence answers it.
        answered: Whether the turn did.
        right: Whether it did so rightly.
        score: The confidence of the turn.
        signals: What that was read from.
    """

    source: str
    subject: str
    answerable: bool
    answered: bool
    right: bool
    score: float
    signals: Mapping[str, float]


def examples(split: str) -> list[ConfidenceExample]:
    """Ask the pack's questions and those about the demo shop, by the parts that ship.

    Args:
        split: `train` or `test`.

    Raises:
        MissingPackError: The pack is not there.
    """
    return [*pack_examples(split), *shop_examples(split)]


def pack_examples(split: str) -> list[ConfidenceExample]:
    """Questions over the evidence of their rows; a right answer cites what answers. Rows that only help are left out.

    Raises:
        MissingPackError: The pack is not there.
    """
    rows = read_rows(pack(PACK) / "data.jsonl", Answerable, split)
    ask, judge = load_turns(), LexicalJudge()
    results = [ask_row(ask, judge, row) for row in rows if not row.partial]
    return [
        ConfidenceExample(
            source=PACK,
            subject=result.row.product.id if result.row.product else result.row.id,
            answerable=result.row.answerable,
            answered=result.answered,
            right=result.answered and result.case.right,
            score=result.turn.confidence.score,
            signals=result.turn.confidence.signals,
        )
        for result in results
    ]


def shop_examples(split: str) -> list[ConfidenceExample]:
    """Questions made from the demo shop's own data, asked of its index."""
    shop = read_folder(demo.shop_path())
    made = [one for seed in SEEDS[split] for one in shop_questions(shop, seed) if split_of(one) == split]
    return _asked(list({one.text: one for one in made}.values()))


def split_of(question: ShopQuestion) -> str:
    """Whether a question is trained on or measured on."""
    return "test" if fold_of(question.subject) in TEST_FOLDS else "train"


def _asked(questions: Sequence[ShopQuestion]) -> list[ConfidenceExample]:
    found = []
    with replaying() as replayer:
        assistant = replayer.assistant(demo.NAME, Path())
        replayer.clock.set(NOW)
        for question in questions:
            turn = assistant.ask(question.text, thread=uuid.uuid4().hex)
            answered = is_answered(turn)
            found.append(
                ConfidenceExample(
                    source=SHOP,
                    subject=question.subject,
                    answerable=question.label.answerable,
                    answered=answered,
                    right=answered and question.label.is_right(turn),
                    score=turn.confidence.score,
                    signals=turn.confidence.signals,
                )
            )
    return found
