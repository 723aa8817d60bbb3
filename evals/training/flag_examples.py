"""Training examples of the flags: written utterances, and messages put together from them."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from graph.intents.utterances import Example, read_utterances
from graph.options.intents import NON_DECISION
from graph.rewriting.flags import BOTH, NEITHER, PERSON, QUESTION

UTTERANCES = Path(__file__).with_name("flag_utterances")
_QUESTIONS_AN_INTENT = 60
_MESSAGES = 500
_JOINTS = (". ", ". ", ", ", " and ", "; ", " - ", "! ", "\n", " ")
_OPENINGS = ("hi, ", "hello ", "hey, ", "Good morning. ", "Hello! ", "ok ", "please ", "thanks. ")


def read_examples(folder: Path = UTTERANCES) -> list[Example]:
    """Everything the flags are trained on, the same in every run.

    Questions are those written here (above all such as mention persons and want none) and a sample of each intent's.
    Messages that want a person and ask something are written, or put together from a question and a wish.
    """
    choice = random.Random(0)  # noqa: S311 - not for secrets
    written = read_utterances(folder)
    asked = [*_labelled(written, QUESTION), *_sampled(choice)]
    wishes, empty = _labelled(written, PERSON), _labelled(written, NEITHER)
    examples = [*asked, *wishes, *empty, *_labelled(written, BOTH)]
    examples += _joined(asked, wishes, BOTH, choice)
    examples += _joined(asked, empty, QUESTION, choice)
    examples += _joined(wishes, empty, PERSON, choice)
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
