"""What the entropy threshold decides: questions answered both ways."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import demo
from app.settings import index_path
from evals.conversations.fixtures import Conversation, Expect, ExpectedCitation, FixtureTurn
from evals.conversations.replay import Replayer, TurnResult, replaying
from evals.output import markdown_table
from evals.report import mean_interval
from graph.options import GraphOptions
from graph.parts import KnowledgeBase
from ingestion.evidence import Product
from ingestion.knowledge import open_knowledge

ATTRIBUTE_PHRASINGS = (
    "What is the {attribute} of the {product}?",
    "{product} {attribute}",
    "Tell me the {attribute} of {product} please",
    "i'd like to know about the {attribute} on the {product}",
)
KIND_PHRASINGS = {
    "warranty": ("How long is the warranty on the {product}?", "what if the {product} breaks after a year"),
    "return_policy": ("Can I return the {product}?", "{product} not for me, what now"),
    "stock": ("Is the {product} in stock?", "can I get the {product} right now"),
    "delivery": ("How long does delivery of the {product} take?", "when would the {product} be here"),
    "offer": ("Is there a discount on the {product}?", "{product} any cheaper"),
    "size_chart": ("Which size of the {product} should I take?", "{product} sizes"),
    "exchange": ("Can I swap the {product} for another one?", "{product} wrong one, change it"),
    "authenticity": ("Is the {product} genuine?", "is your {product} the real thing"),
    "review": ("What do customers say about the {product}?", "is the {product} any good"),
}
_ATTRIBUTES_A_PRODUCT = 2


def entropy_conversations(knowledge: KnowledgeBase, index: str, count: int, seed: int = 3) -> list[Conversation]:
    """Make conversations of one question each, the same for the same index.

    An attribute's question is answered right when the answer cites the product and holds the value; one about a policy
    or opinions when it cites evidence of that kind.

    Args:
        knowledge: What is indexed.
        index: The index by name, as fixtures say it.
        count: How many at most.
        seed: Other seeds choose others.
    """
    made = [turn for product in knowledge.products.values() for turn in _about(product, knowledge, seed)]
    chosen = random.Random(seed).sample(made, min(count, len(made)))  # noqa: S311 - reproducible, no secret
    return [Conversation(name=turn.user or "", index=index, turns=[turn]) for turn in chosen]


def _about(product: Product, knowledge: KnowledgeBase, seed: int) -> Iterator[FixtureTurn]:
    choice = random.Random(f"{seed}{product.id}")  # noqa: S311 - reproducible, no secret
    names = sorted(product.attributes)
    for name in choice.sample(names, min(_ATTRIBUTES_A_PRODUCT, len(names))):
        own = ExpectedCitation(product_id=product.id)
        expect = Expect(cites=[own], answer_contains=[str(product.attributes[name])])
        yield _turn(ATTRIBUTE_PHRASINGS, product, choice, expect, name.lower())
    for kind, phrasings in KIND_PHRASINGS.items():
        if any(one.product_id == product.id for one in knowledge.product_evidence(product.id, {kind})):
            yield _turn(phrasings, product, choice, Expect(cites=[ExpectedCitation(source_type=kind)]))


def _turn(
    phrasings: Sequence[str], product: Product, choice: random.Random, expect: Expect, attribute: str = ""
) -> FixtureTurn:
    text = choice.choice(phrasings).format(product=product.name, attribute=attribute)
    return FixtureTurn(user=text, expect=expect)


THRESHOLDS = tuple(step / 20 for step in range(21))
_JUDGED_BY = frozenset({"outcome", "answer_contains", "answer_excludes", "cites", "cites_only_products"})
_KNOWN_BY = ("cites", "answer_contains")

OpenReplayer = Callable[[GraphOptions], AbstractContextManager[Replayer]]
"""Opens assistants that read questions by these options."""


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a question that was read one way.

    Attributes:
        right: Whether the answer is what is known to be right.
        evidence: Pieces of evidence given to the responder.
        ms: Milliseconds of the whole turn.
    """

    right: bool
    evidence: int
    ms: float


@dataclass(frozen=True, slots=True)
class ReadBothWays:
    """A question with known evidence, read as one intent and as several.

    Attributes:
        entropy: Its normalised entropy.
        focused: Read as its likeliest intent.
        broad: Read as its likeliest intents, however unlikely the last of them.
        shipped: Read by the options that ship.
    """

    entropy: float
    focused: Read
    broad: Read
    shipped: Read

    def at(self, threshold: float) -> Read:
        """What comes of it when up to this entropy one intent is read."""
        return self.focused if self.entropy <= threshold else self.broad


@dataclass(frozen=True, slots=True)
class Point:
    """An entropy threshold and what it leads to.

    Attributes:
        threshold: Up to this normalised entropy one intent is read, above it several.
        focused: Share of the questions read as one intent.
        right: Share of right answers.
        interval: Its 95 % bootstrap interval.
        evidence: Mean pieces of evidence a question.
        ms: Mean milliseconds a question.
    """

    threshold: float
    focused: float
    right: float
    interval: tuple[float, float]
    evidence: float
    ms: float


def ways(options: GraphOptions) -> dict[str, GraphOptions]:
    """The three ways to read a question: as one intent, as several, and as the options say."""
    focused = {"entropy_threshold": 1.0}
    broad = {"entropy_threshold": 0.0, "dominant_intent": 1.0, "broad_floor": 0.0}
    return {
        "focused": options.model_copy(update=focused),
        "broad": options.model_copy(update=broad),
        "shipped": options,
    }


def read_both_ways(
    conversations: Mapping[Path, Sequence[Conversation]], options: GraphOptions, open_replayer: OpenReplayer
) -> list[ReadBothWays]:
    """Hold conversations each way, and keep the turns whose right evidence or answer is known and that ask one thing.

    Args:
        conversations: Conversations by the file that they are from.
        options: Those that ship.
        open_replayer: Opens assistants for options.
    """
    held: dict[str, list[TurnResult]] = {}
    for way, chosen in ways(options).items():
        with open_replayer(chosen) as replayer:
            held[way] = list(_held(replayer, conversations))
    together = zip(held["focused"], held["broad"], held["shipped"], strict=True)
    return [
        ReadBothWays(focused.turn.intent.entropy, *(_read(one) for one in (focused, broad, shipped)))
        for focused, broad, shipped in together
        if focused.turn and broad.turn and shipped.turn and _depends(focused, broad)
    ]


def curve(questions: Sequence[ReadBothWays]) -> list[Point]:
    """What each threshold leads to."""
    return [_point(threshold, [q.at(threshold) for q in questions], questions) for threshold in THRESHOLDS]


def choose(points: Sequence[Point]) -> Point:
    """The threshold with the most right answers; of equal ones that which reads the least evidence."""
    return max(points, key=lambda point: (point.right, -point.evidence, point.threshold))


def _point(threshold: float, read: Sequence[Read], questions: Sequence[ReadBothWays]) -> Point:
    right = [float(one.right) for one in read]
    return Point(
        threshold=threshold,
        focused=sum(question.entropy <= threshold for question in questions) / len(questions),
        right=sum(right) / len(right),
        interval=mean_interval(right),
        evidence=sum(one.evidence for one in read) / len(read),
        ms=sum(one.ms for one in read) / len(read),
    )


def _held(replayer: Replayer, conversations: Mapping[Path, Sequence[Conversation]]) -> Iterator[TurnResult]:
    for file, of_file in conversations.items():
        for conversation in of_file:
            for result in replayer.run(file, conversation).turns:
                if any(getattr(result.asked.expect, key) is not None for key in _KNOWN_BY):
                    yield result


def _depends(focused: TurnResult, broad: TurnResult) -> bool:
    """Whether the way of reading is the threshold's choice: a decision branch, and one question, not several."""
    assert focused.turn is not None, "turns without an answer are left out before"
    assert broad.turn is not None, "turns without an answer are left out before"
    return len(focused.turn.intent.selected) == 1 and len(broad.turn.intent.selected) > 1


def _read(result: TurnResult) -> Read:
    assert result.turn is not None, "turns without an answer are left out before"
    right = not any(failure.key in _JUDGED_BY for failure in result.failures)
    return Read(right, len(result.turn.retrieved), result.ms)


_INTRODUCTION = """# The entropy threshold

Made by `footnote report entropy --out docs/entropy.md`. A question is read as one intent (focused) up to a normalised
entropy, and as the {broad} likeliest (broad) above it. Every question here has evidence or an answer that is known to
be right, and none was trained on: turns of the conversations in `tests/conversations`, and questions made from the demo
shop's own attributes and policies. Each was answered both ways, whatever its entropy; the threshold decides which of
the two answers counts. Questions that ask several things at once are read clause by clause and are left out, as are
those that the threshold cannot change.
"""


def measure(
    fixtures: Mapping[Path, Conversation], made: int, options: GraphOptions
) -> dict[str, Sequence[ReadBothWays]]:
    """Answer the turns of fixtures, and questions made from the demo shop, both ways.

    Args:
        fixtures: Conversations by file.
        made: How many questions to make.
        options: Those that ship.
    """
    with replaying() as replayer:
        replayer.assistant(demo.NAME, Path())  # its index is made where there is none
    with closing(open_knowledge(index_path(demo.NAME))) as knowledge:
        single = entropy_conversations(knowledge, demo.NAME, made)
    sets: dict[str, Mapping[Path, Sequence[Conversation]]] = {
        "Turns of our conversations": {file: [conversation] for file, conversation in fixtures.items()},
        "Questions made from the demo shop": {Path(demo.NAME): single},
    }
    return {name: read_both_ways(chosen, options, lambda own: replaying(options=own)) for name, chosen in sets.items()}


def as_markdown(measured: Mapping[str, Sequence[ReadBothWays]], options: GraphOptions) -> str:
    """The report: a curve for each set of questions, the pooled one first, and the choice."""
    parts = [_INTRODUCTION.format(broad=options.broad_intents)]
    for name, questions in _sets(measured).items():
        parts.append(f"## {name} (n = {len(questions)})\n\n{_table(curve(questions))}")
    pooled = _pooled(measured)
    best, shipped = choose(curve(pooled)), [question.shipped for question in pooled]
    right = sum(one.right for one in shipped) / len(shipped)
    evidence = sum(one.evidence for one in shipped) / len(shipped)
    parts.append(
        "## What was chosen\n\nThe threshold with the most right answers over all questions, and of equal ones that "
        f"which reads the least evidence, is **{best.threshold:.2f}**: {best.right:.3f} right with "
        f"{best.evidence:.1f} pieces of evidence.\n\n`graph.entropy_threshold` is {options.entropy_threshold:.2f}. "
        f"With it a question is also read as one intent when that has {options.dominant_intent:.0%} of the mass, and a "
        f"broad one leaves out intents below {options.broad_floor:.0%}: {right:.3f} right with {evidence:.1f} pieces.\n"
    )
    return "\n".join(parts)


def as_json(measured: Mapping[str, Sequence[ReadBothWays]]) -> dict[str, Any]:
    """All figures as plain data."""
    return {
        "component": "entropy",
        "chosen": choose(curve(_pooled(measured))).threshold,
        "rows": [
            {
                "questions": name,
                "n": len(questions),
                "entropy_threshold": point.threshold,
                "focused": round(point.focused, 6),
                "right": round(point.right, 6),
                "ci95": [round(end, 6) for end in point.interval],
                "evidence": round(point.evidence, 3),
                "ms": round(point.ms, 3),
            }
            for name, questions in _sets(measured).items()
            for point in curve(questions)
        ],
    }


def _sets(measured: Mapping[str, Sequence[ReadBothWays]]) -> dict[str, Sequence[ReadBothWays]]:
    return {"All questions": _pooled(measured), **measured}


def _pooled(measured: Mapping[str, Sequence[ReadBothWays]]) -> list[ReadBothWays]:
    return [question for questions in measured.values() for question in questions]


def _table(points: Sequence[Point]) -> str:
    columns = ("threshold", "read as one intent", "right", "95 % interval", "evidence", "ms")
    rows = [
        (
            f"{p.threshold:.2f}",
            f"{p.focused:.3f}",
            f"{p.right:.3f}",
            f"{p.interval[0]:.3f} .. {p.interval[1]:.3f}",
            f"{p.evidence:.1f}",
            f"{p.ms:.0f}",
        )
        for p in points
    ]
    return markdown_table(columns, rows)
