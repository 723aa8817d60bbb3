"""`footnote audit` and `footnote fixture`: a recorded turn shown, held again, and turned into a test."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from app.settings import Settings
from app.storage.records import Feedback, Records, SystemClock
from app.storage.staff import StaffRecords
from evals.conversations.fixtures import load_fixture
from graph.turn import Turn
from tests.app.command_line import Run

WEIGHED = ("ask", "How heavy is the Aurora X2?", "--thread", "t", "--json")


def test_a_recorded_turn_is_shown_with_its_decisions_and_its_sources_in_full(run: Run, index: Path) -> None:
    turn = json.loads(run(*WEIGHED, "--index", str(index)).out)
    shown = run("audit", turn["turn_id"])
    assert shown.status == 0
    for part in (turn["answer"], "Standalone question", "spec:aurora-x2", "Weight: 172 g"):
        assert part in shown.out


def test_a_conversation_is_shown_turn_by_turn_as_data(run: Run, index: Path) -> None:
    asked = [json.loads(run(*WEIGHED, "--index", str(index)).out) for _ in range(2)]
    rows = json.loads(run("audit", "t", "--json").out)["turns"]
    assert [Turn.model_validate(row["turn"]) for row in rows] == [Turn.model_validate(turn) for turn in asked]
    assert [[source["evidence_id"] for source in row["sources"]] for row in rows] == [["spec:aurora-x2"]] * 2
    assert all(row["at"].endswith("+00:00") for row in rows)


def test_a_turn_knows_who_asked_and_how_it_was_to_be_worded(run: Run, index: Path) -> None:
    user = '{"role": "seller", "region": "US"}'
    run(*WEIGHED, "--index", str(index), "--user", user, "--style", "voice")
    (row,) = json.loads(run("audit", "t", "--json").out)["turns"]
    assert (row["turn"]["style"], row["turn"]["user"]["role"], row["turn"]["user"]["region"]) == (
        "voice",
        "seller",
        "US",
    )


def test_a_follow_up_is_held_again_behind_what_was_said_before_it(run: Run, index: Path) -> None:
    run(*WEIGHED, "--index", str(index))
    turn = json.loads(run("ask", "and the battery?", "--thread", "t", "--json", "--index", str(index)).out)
    again = run("audit", turn["turn_id"], "--replay", "--json", "--index", str(index))
    assert (again.status, json.loads(again.out)) == (0, {"same_answer": True, "changed": {}})
    assert len(json.loads(run("audit", "t", "--json").out)["turns"]) == 2  # a trial leaves no record


def test_a_turn_of_a_variant_says_so_and_is_held_again_under_it_while_there_is_one(
    run: Run, index: Path, tmp_path: Path
) -> None:
    file = tmp_path / "footnote.toml"
    file.write_text(
        "[variants.wide]\nshare = 1\ngraph.entropy_threshold = 0\ngraph.dominant_intent = 1\ngraph.broad_floor = 0\n"
    )
    turn = json.loads(run(*WEIGHED, "--index", str(index)).out)
    assert (turn["variant"], turn["intent"]["branch"]) == ("wide", "broad")
    assert "variant wide" in run("audit", "t").out
    replay = ("audit", "t", "--replay", "--json", "--index", str(index))
    assert json.loads(run(*replay).out)["changed"] == {}
    file.unlink()
    assert "config_hash" in json.loads(run(*replay).out)["changed"]


def test_what_another_index_answers_is_told_beside_what_was_recorded(run: Run, index: Path, tmp_path: Path) -> None:
    run(*WEIGHED, "--index", str(index))
    shop, other = tmp_path / "other", tmp_path / "other-index"
    shop.mkdir()
    row = {"id": "aurora-x2", "name": "Aurora X2", "attributes": {"Weight": "199 g"}}
    (shop / "products.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert run("ingest", str(shop), "--index", str(other)).status == 0
    again = run("audit", "t", "--replay", "--index", str(other))
    assert again.status == 1
    assert "another one now" in again.out
    assert "172 g" in again.out
    assert "199 g" in again.out


def test_a_conversation_becomes_a_fixture_that_holds(run: Run, index: Path, tmp_path: Path) -> None:
    for text in ("How heavy is the Aurora X2?", "and the battery?", "I want to talk to a person"):
        run("ask", text, "--thread", "t", "--index", str(index), "--user", '{"role": "buyer"}')
    file = tmp_path / "recorded.conversation.yaml"
    assert run("fixture", "t", "--index", str(index), "--out", str(file)).status == 0
    fixture = load_fixture(file)
    assert [turn.user for turn in fixture.turns] == [
        "How heavy is the Aurora X2?",
        "and the battery?",
        "I want to talk to a person",
    ]
    assert [turn.expect.outcome for turn in fixture.turns] == ["clear", "clear", "handoff"]
    assert "The Aurora X2 weighs 172 g." in (fixture.turns[0].expect.answer_contains or [])
    replayed = run("replay", str(file))
    assert replayed.status == 0, replayed.out


def test_by_a_turn_the_conversation_becomes_a_fixture_as_far_as_that_turn(run: Run, index: Path) -> None:
    turns = [json.loads(run(*WEIGHED, "--index", str(index)).out)["turn_id"] for _ in range(3)]
    for number, turn in enumerate(turns, start=1):
        assert run("fixture", turn).out.count("- user:") == number


def test_what_staff_have_judged_becomes_rows_with_nothing_personal_in_them(
    run: Run, index: Path, tmp_path: Path
) -> None:
    asked = ("How heavy is the Aurora X2?", "My mail is ada@example.com. How heavy is the Aurora X2?")
    turns = [json.loads(run("ask", text, "--json", "--index", str(index)).out)["turn_id"] for text in asked]
    with closing(Records(Settings.load().records, SystemClock(), "shop", 10)) as records:
        for turn in turns:
            records.record_feedback(turn, Feedback("down"))
            StaffRecords(records.store, SystemClock()).label(turn, "shop data wrong")
    rows = {}
    for kind in ("intent", "rewriting", "reader"):
        file = tmp_path / f"{kind}.jsonl"
        assert run("rows", kind, "--out", str(file)).status == 0
        assert "ada@example.com" not in file.read_text(encoding="utf-8")
        rows[kind] = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert rows["intent"] == [{"text": asked[0], "label": "product_spec"}]  # the other question has several
    assert [row["query"] for row in rows["rewriting"]] == [
        asked[0],
        "My mail is [e-mail address]. How heavy is the Aurora X2?",
    ]
    assert [row["label"] for row in rows["reader"]] == [True, True]


@pytest.mark.parametrize("command", ["audit", "fixture"])
def test_what_is_not_recorded_is_one_line_with_status_2(run: Run, command: str) -> None:
    result = run(command, "nobody")
    assert (result.status, result.out) == (2, "")
    assert "nobody" in result.err
    assert result.err.count("\n") == 1
