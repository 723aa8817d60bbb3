"""The recipe of the flags: from messages with and without a question, and a wish for a person, to weights and card."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from evals.metrics.classification import expected_calibration_error
from evals.training.intent_model import Example, Fitted, fit, read_utterances
from evals.training.reader_examples import SHOPS, rows_of, shop_names, wishes_of
from evals.training.recipe import Metrics, Release, card_text
from graph.intents import NON_DECISION
from graph.rewriting.flags import BOTH, LIVE_AGENT, MODEL_PATH, NEITHER, PERSON, QUESTION, SEARCHABLE, flags_of
from ingestion.encoder import shared_encoder

UTTERANCES = Path(__file__).with_name("flag_utterances")
_QUESTIONS_AN_INTENT = 60
_MESSAGES = 500
_MESSAGES_A_SHOP = 40
_JOINTS = (". ", ". ", ", ", " and ", "; ", " - ", "! ", "\n", " ")
_OPENINGS = ("hi, ", "hello ", "hey, ", "Good morning. ", "Hello! ", "ok ", "please ", "thanks. ")


def read_examples(folder: Path = UTTERANCES) -> list[Example]:
    """Everything the flags are trained on, the same in every run.

    Questions are those written here (above all such as mention persons and want none), a sample of each intent's, and
    of what customers of the made-up shops type. Messages that want a person and ask something are written, or put
    together from a question and a wish.
    """
    choice = random.Random(0)  # noqa: S311 - not for secrets
    written = read_utterances(folder)
    asked = [*_labelled(written, QUESTION), *_sampled(choice), *_of_shops(choice)]
    wishes, empty = _labelled(written, PERSON), _labelled(written, NEITHER)
    examples = [*asked, *wishes, *empty, *_labelled(written, BOTH)]
    for first, second, label in (
        (asked, wishes, BOTH),
        (asked, asked, QUESTION),
        (asked, empty, QUESTION),
        (wishes, empty, PERSON),
    ):
        examples += _joined(first, second, label, choice)
    return [*examples, *(_opened(example, choice) for example in examples[::4] if example.label != NEITHER)]


def _labelled(examples: Sequence[Example], label: str) -> list[Example]:
    return [example for example in examples if example.label == label]


def _sampled(choice: random.Random) -> Iterator[Example]:
    """As many questions of each intent, so that none is taken for a wish."""
    by_intent: dict[str, list[Example]] = {}
    for example in read_utterances():
        by_intent.setdefault(example.label, []).append(example)
    for intent, examples in by_intent.items():
        if intent != NON_DECISION:
            yield from (
                Example(one.text, QUESTION, one.group)
                for one in choice.sample(examples, min(_QUESTIONS_AN_INTENT, len(examples)))
            )


def _of_shops(choice: random.Random) -> Iterator[Example]:
    """As many messages to each made-up shop: longer, messier and crosser than utterances, and for nobody in person."""
    for name in shop_names():
        rows, wishes = rows_of(SHOPS / name), wishes_of(SHOPS / name)
        said = [text for row in rows for text in (*row.questions, *(one.q for one in row.yes_no))]
        said += [one.q for wish in wishes for one in wish.yes_no]
        yield from (Example(text, QUESTION, text) for text in choice.sample(said, min(_MESSAGES_A_SHOP, len(said))))


def _joined(
    first: Sequence[Example], second: Sequence[Example], label: str, choice: random.Random
) -> Iterator[Example]:
    """Messages of two parts in either order, grouped with the second part: it makes the difference."""
    for _ in range(_MESSAGES):
        one, other = choice.choice(first), choice.choice(second)
        parts = [one.text, other.text]
        choice.shuffle(parts)
        ended = parts[0].rstrip("?.!,; ")
        # A question mark stays where the question was asked.
        joint = "? " if parts[0].endswith("?") else choice.choice(_JOINTS)
        yield Example(f"{ended}{joint}{parts[1]}", label, other.group)


def _opened(example: Example, choice: random.Random) -> Example:
    return Example(f"{choice.choice(_OPENINGS)}{example.text}", example.label, example.group)


def train() -> Release:
    """Train on the utterances beside this file and a sample of the intents'; the same data give the same files."""
    fitted = fit(read_examples(), shared_encoder())
    metrics = measured(fitted)
    card = card_text("flags", **{name.replace(" ", "_"): value for name, value in metrics.items()})
    weights = fitted.weights.to_bytes()
    return Release(MODEL_PATH, weights, card, {"cross-validated": metrics}, card_name="FLAGS_MODEL_CARD.md")


def measured(fitted: Fitted) -> Metrics:
    """Figures of the four labels and of the two flags, from examples that were held back.

    `searchable` is the share of messages whose flag is right; `live_agent precision` of those read to want a person
    the share that do, `live_agent recall` of those that do the share in which it is read.
    """
    names = fitted.weights.labels
    read = [flags_of(dict(zip(names, row, strict=True))) for row in fitted.held_back.tolist()]
    gold = [names[column] for column in fitted.gold]
    searchable = np.array([flags.searchable for flags in read]) == [label in SEARCHABLE for label in gold]
    found = np.array([flags.live_agent for flags in read])
    wanted = np.array([label in LIVE_AGENT for label in gold])
    return {
        "searchable": float(searchable.mean()),
        "live_agent precision": float(wanted[found].mean()),
        "live_agent recall": float(found[wanted].mean()),
        "accuracy": float((fitted.held_back.argmax(axis=1) == fitted.gold).mean()),
        "ECE": expected_calibration_error(fitted.held_back, fitted.gold),
        "n": len(gold),
    }
