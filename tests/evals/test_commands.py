"""`footnote replay`, `footnote eval` and `footnote bench` on the command line, with the real assistant."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from app.errors import InputError
from evals.commands import register

QUESTION = "How heavy is the Aurora X2?"
HELD = f"""
name: held
turns:
  - user: {QUESTION}
    expect: {{outcome: clear, answer_contains: [172 g]}}
"""
FAILING = f"""
name: failing
turns:
  - user: {QUESTION}
    expect: {{answer_contains: [9 kg]}}
"""


def footnote(*arguments: str) -> Result:
    app = typer.Typer()
    register(app)
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    folder = tmp_path / "fixtures"
    folder.mkdir()
    (folder / "held.conversation.yaml").write_text(HELD)
    return folder


def test_replay_ends_with_0_when_all_holds(fixtures: Path, index: Path) -> None:
    result = footnote("replay", str(fixtures), "--index", str(index))
    assert (result.exit_code, result.exception) == (0, None)
    assert "✓ held" in result.stdout
    assert "1 passed, 0 failed; 1 of 1 turns hold" in result.stdout


def test_replay_ends_with_1_and_says_turn_key_expected_and_got(fixtures: Path, index: Path) -> None:
    (fixtures / "failing.conversation.yaml").write_text(FAILING)
    result = footnote("replay", str(fixtures), "--index", str(index), "--quiet")
    assert result.exit_code == 1
    assert "✓" not in result.stdout
    for part in ("✗ failing", QUESTION, "answer_contains", "9 kg", "172 g"):
        assert part in result.stdout


def test_replay_prints_one_object_for_programs(fixtures: Path, index: Path) -> None:
    (fixtures / "failing.conversation.yaml").write_text(FAILING)
    result = footnote("replay", str(fixtures), "--index", str(index), "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    failing, held = told["conversations"]
    assert (told["passed"], failing["status"], held["status"]) == (False, "failed", "passed")
    [failure] = failing["failures"]
    assert (failure["turn"], failure["key"], failure["expected"]) == (1, "answer_contains", "9 kg")
    assert failure["got"] == failing["turns"][0]["result"]["answer"]


def test_replay_ends_with_2_and_names_every_malformed_fixture(fixtures: Path) -> None:
    for name in "ab":
        (fixtures / f"{name}.conversation.yaml").write_text("turns: [{user: hi, expct: {}}]")
    result = footnote("replay", str(fixtures))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert [line.count("turns[1].expct") for line in result.stderr.splitlines()] == [1, 1]


def test_eval_conversations_prints_the_envelope_and_writes_predictions(fixtures: Path, index: Path) -> None:
    (fixtures / "failing.conversation.yaml").write_text(FAILING)
    predictions = fixtures / "out.jsonl"
    result = footnote(
        *["eval", "conversations", "--data", str(fixtures), "--index", str(index)],
        *["--json", "--predictions", str(predictions)],
    )
    assert (result.exit_code, result.exception) == (0, None)
    told = json.loads(result.stdout)
    assert (told["component"], told["data"], told["n"]) == ("conversations", str(fixtures), 2)
    assert told["metrics"]["turn_pass_rate"] == {"value": 0.5, "ci95": [0.0, 1.0], "n": 2}
    assert told["config_hash"]
    assert told["generation"]
    assert told["latency_ms"]["p50"] > 0
    assert [json.loads(line)["cell"] for line in predictions.read_text().splitlines()] == ["low_quality", "helped"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eval", "nothing", "--data", "."], "There is: answers, catalog, clarify, conversations, grounding, intent"),
        (["eval", "routing", "--data", ".", "--train", "rows.jsonl"], "routing evaluation fits no model"),
        (["eval", "ranking", "--data", ".", "--val", "rows.jsonl"], "ranking evaluation fits no model"),
        (["eval", "intent", "--data", "nowhere"], "nowhere does not exist"),
        (["eval", "catalog", "--data", "nowhere"], "Name one with --index"),
        (["eval", "conversations", "--data", "nowhere"], "nowhere does not exist"),
        (["eval", "conversations", "--data", ".", "--split", "test"], "no splits"),
        (["replay", "nowhere"], "nowhere does not exist"),
    ],
)
def test_what_cannot_be_evaluated_is_said_in_words(arguments: list[str], message: str) -> None:
    result = footnote(*arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_bench_turns_prints_every_node_beside_the_bare_encoder(fixtures: Path, index: Path) -> None:
    result = footnote("bench", "turns", "--index", str(index), "--conversations", str(fixtures), "--json")
    assert (result.exit_code, result.exception) == (0, None)
    told = json.loads(result.stdout)
    assert {"rewrite", "intent", "respond", "conclude"} <= set(told["nodes"])
    assert (told["turn"]["n"], told["encoder"]["n"], told["failed"]) == (1, 1, 0)
    assert all(timing["p50"] <= timing["p95"] for timing in told["nodes"].values())


def test_a_report_that_needs_a_pack_says_where_to_put_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOOTNOTE_BENCH", raising=False)
    result = footnote("report", "confidence", "--out", str(tmp_path / "report.md"))
    assert isinstance(result.exception, InputError)
    assert "FOOTNOTE_BENCH is not set" in str(result.exception)
    assert not (tmp_path / "report.md").exists()


def test_a_report_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "answers-epqa-dev").mkdir()
    monkeypatch.setenv("FOOTNOTE_BENCH", str(tmp_path))
    for name in ("confidence", "entropy"):
        result = footnote("report", name, "--out", str(tmp_path / "file" / "report.md"))
        assert isinstance(result.exception, InputError)
        assert "report.md" in str(result.exception)
