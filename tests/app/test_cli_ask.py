"""`footnote ask` and `footnote chat`: the answer, what stands beside it, and what is refused."""

import json
import sys
from pathlib import Path

import pytest

from graph.turn import Turn
from tests.app.command_line import Run


def test_ask_shows_answer_sources_and_confidence(run: Run, index: Path) -> None:
    result = run("ask", "How heavy is the Aurora X2?", "--index", str(index))
    assert result.status == 0
    assert result.out.startswith("The Aurora X2 weighs 172 g [1].\n")
    assert "“Weight: 172 g”" in result.out
    assert "Confidence: " in result.out


def test_ask_json_is_one_turn_and_nothing_else(run: Run, index: Path) -> None:
    result = run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--json")
    turn = Turn.model_validate(json.loads(result.out))
    assert turn.outcome == "clear"
    assert result.out.count("\n") == 1


def test_ask_quiet_prints_the_answer_alone(run: Run, index: Path) -> None:
    result = run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--quiet")
    assert (result.out, result.err) == ("The Aurora X2 weighs 172 g [1].\n", "")


def test_ask_explain_shows_every_decision(run: Run, index: Path) -> None:
    out = run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--explain").out
    for part in (
        "Standalone question",
        "aurora-x2",
        "product_spec",
        "entropy",
        "spec:aurora-x2",
        "coverage 1.00",
        "ms  rewrite",
    ):
        assert part in out


def test_ask_continues_a_thread(run: Run, index: Path) -> None:
    run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--thread", "t")
    turn = json.loads(run("ask", "and the battery?", "--index", str(index), "--thread", "t", "--json").out)
    assert turn["thread_id"] == "t"
    assert turn["products"][0]["id"] == "aurora-x2"


def test_ask_takes_the_user_as_json_and_the_role_apart(run: Run, index: Path) -> None:
    user = '{"page": {"product_id": "aurora-x3"}}'
    out = run("ask", "How heavy is it?", "--index", str(index), "--user", user, "--role", "buyer", "--json").out
    assert json.loads(out)["products"][0]["id"] == "aurora-x3"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([""], "empty"),
        (["\x07\x1b"], "empty"),
        (["word" + " word" * 3_999], "19,999 characters"),
        (["x", "--user", "{"], "no JSON"),
        (["x", "--user", '{"rolle": 1}'], "rolle"),
    ],
)
def test_bad_input_to_ask_is_one_line_with_status_2(run: Run, index: Path, arguments: list[str], words: str) -> None:
    result = run("ask", *arguments, "--index", str(index))
    assert (result.status, result.out) == (2, "")
    assert words in result.err
    assert result.err.startswith("footnote: ")
    assert result.err.count("\n") == 1


def test_chat_answers_line_by_line_until_the_end(
    run: Run, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        "How heavy is the Aurora X2?\n/sources 1\n/sources 9\n\x07\nand the battery?\n/explain\n/help\n/new\n/quit\nx\n"
    )
    (tmp_path / "typed").write_text(lines)
    with (tmp_path / "typed").open() as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        result = run("chat", "--index", str(index))
    assert result.status == 0
    assert "The Aurora X2 weighs 172 g [1]." in result.out
    assert "Battery capacity: 4,500 mAh" in result.out
    assert "has no source 9" in result.err
    assert "empty" in result.err
    assert "4,500 mAh battery" in result.out
    assert "How this was answered" in result.out
    assert "A new conversation." in result.err
