"""The report on the entropy threshold: the curve over answers, and what it chooses."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from evals.conversations.expectations import Failure
from evals.conversations.fixtures import Conversation, Expect, ExpectedCitation, FixtureTurn
from evals.conversations.replay import ConversationResult, Replayer, TurnResult
from evals.entropy import (
    Read,
    ReadBothWays,
    as_markdown,
    choose,
    curve,
    of_demo_shop,
    of_fixtures,
    read_both_ways,
    ways,
)
from evals.shops.labels import HoldsValue
from evals.shops.questions import ShopQuestion
from graph.options import GraphOptions
from graph.turn import Intent, Turn

RIGHT, WRONG = Read(True, 4, 0.0, 1), Read(False, 4, 0.0, 1)  # noqa: FBT003 - whether it is right
DEAR = Read(True, 12, 0.0, 3)  # noqa: FBT003


def question(entropy: float, focused: Read, broad: Read) -> ReadBothWays:
    focused = replace(focused, entropy=entropy)
    return ReadBothWays(focused, broad, focused)


def test_a_threshold_leads_to_the_focused_answer_up_to_it_and_to_the_broad_one_above() -> None:
    points = curve([question(0.1, RIGHT, WRONG), question(0.5, WRONG, DEAR)])
    by_threshold = {point.threshold: point for point in points}
    assert [by_threshold[t].right for t in (0.0, 0.1, 0.45, 0.5, 1.0)] == [0.5, 1.0, 1.0, 0.5, 0.5]
    assert by_threshold[0.1].evidence == 8
    assert (by_threshold[0.0].focused, by_threshold[0.1].focused, by_threshold[1.0].focused) == (0, 0.5, 1)


def test_the_threshold_with_the_most_right_answers_is_chosen_and_of_equal_ones_the_cheapest() -> None:
    chosen = choose(curve([question(0.1, RIGHT, DEAR), question(0.3, RIGHT, DEAR), question(0.6, WRONG, DEAR)]))
    assert 0.3 <= chosen.threshold < 0.6
    assert (chosen.right, chosen.evidence) == (1.0, (4 + 4 + 12) / 3)


def test_a_question_is_read_as_one_intent_as_several_and_as_it_ships() -> None:
    options = GraphOptions()
    chosen = ways(options)
    assert chosen["focused"].entropy_threshold == 1
    assert (chosen["broad"].entropy_threshold, chosen["broad"].broad_floor) == (0, 0)
    assert chosen["shipped"] == options


def turn(entropy: float, selected: Sequence[str], evidence: int) -> Turn:
    branch = "focused" if len(selected) == 1 else "broad"
    intent = Intent(distribution={}, entropy=entropy, selected=list(selected), branch=branch)
    return Turn.model_construct(intent=intent, retrieved=[None] * evidence)


class Scripted:
    """Answers by the number of intents it reads: two intents are right, and their branch is never as expected."""

    def __init__(self, options: GraphOptions) -> None:
        self.selected = ["warranty"] if options.entropy_threshold == 1 else ["warranty", "how_to"]

    def run(self, file: Path, conversation: Conversation) -> ConversationResult:
        failures = [Failure(1, "branch", "focused", "broad")]
        if len(self.selected) == 1:
            failures.append(Failure(1, "cites", [], []))
        done = [
            TurnResult(1, "", asked, turn(0.4, self.selected, 3 * len(self.selected)), failures, 5.0)
            for asked in conversation.turns
        ]
        return ConversationResult(file, conversation.name, done)


@contextmanager
def scripted(options: GraphOptions) -> Iterator[Replayer]:
    yield cast("Replayer", Scripted(options))


CITED = FixtureTurn(user="a", expect=Expect(cites=[ExpectedCitation(source_type="warranty")]))


@pytest.mark.parametrize(("turns", "count"), [([CITED], 1), ([CITED, FixtureTurn(user="hi")], 1)])
def test_turns_with_known_evidence_are_judged_by_their_answer_not_by_their_branch(
    turns: list[FixtureTurn], count: int
) -> None:
    fixture = {Path("x"): Conversation(name="x", index="x", turns=turns)}
    found = read_both_ways(of_fixtures(fixture), GraphOptions(), scripted)
    assert len(found) == count
    assert (found[0].focused.right, found[0].broad.right) == (False, True)
    assert (found[0].focused.evidence, found[0].broad.evidence, found[0].focused.entropy) == (3, 6, 0.4)


def test_the_report_shows_each_set_and_the_choice() -> None:
    measured = {"ours": [question(0.1, RIGHT, WRONG)], "made": [question(0.5, WRONG, DEAR)]}
    report = as_markdown(measured, GraphOptions())
    for part in ("All questions (n = 2)", "ours (n = 1)", "made (n = 1)", "| 0.10 | 0.500 | 1.000 |", "**0.45**"):
        assert part in report


def test_the_report_says_whether_the_threshold_changes_what_is_right() -> None:
    decides = {"ours": [question(0.1, RIGHT, WRONG) for _ in range(40)]}
    assert "That is more than chance." in as_markdown(decides, GraphOptions())
    idle = {"ours": [question(0.1, RIGHT, RIGHT), question(0.5, WRONG, WRONG)] * 20}
    assert "the threshold decides how much is read" in as_markdown(idle, GraphOptions())


def test_questions_about_the_demo_shop_are_judged_by_its_data(
    replayer_of: Callable[..., tuple[Replayer, list[Any]]], make_turn: Callable[..., Turn]
) -> None:
    replayer, opened = replayer_of(make_turn(), make_turn(outcome="no_answer"))
    questions = [
        ShopQuestion(
            f"How heavy is the Kestrel {number}?", "attribute", "k", HoldsValue("kestrel-2", "Weight", "1.9 kg")
        )
        for number in (2, 3)
    ]
    assert [one and one.right for one in of_demo_shop(questions)(replayer)] == [True, False]
    assert len({asked["thread"] for asked in opened[0].asked}) == 2
