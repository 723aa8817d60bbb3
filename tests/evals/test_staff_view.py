"""The staff view Tests, driven without a browser over a real shop: from a recorded conversation to a test."""

import gc
import json
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.assistant import Assistant
from app.settings import Settings
from app.staff import StaffDesk
from app.storage.records import Feedback
from evals import staff_view
from evals.conversations.fixtures import Conversation, parse_fixture
from tests.app.scripted_page import page_of

FILE = Path("a.conversation.yaml")
WEIGHT = "How heavy is the Aurora X2?"


@pytest.fixture(scope="module")
def shop_assistant(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """An assistant that has answered in two conversations; in the earlier one a thumb is down."""
    folder = tmp_path_factory.mktemp("records")
    settings = Settings(records=folder / "records.sqlite", threads=folder / "threads.sqlite")
    with Assistant.open(str(index), settings) as assistant:
        assistant.ask(f"{WEIGHT} My address is ada@example.com.", thread="disliked")
        turn = assistant.ask("and the battery?", thread="disliked")
        assistant.records.record_feedback(turn.turn_id, Feedback("down"))
        assistant.ask("I want to talk to a person", thread="disliked")
        assistant.ask(WEIGHT, thread="liked")
        yield assistant


@pytest.fixture
def desk(shop_assistant: Assistant) -> StaffDesk:
    return shop_assistant.desk()


def _script() -> None:
    import streamlit as st  # noqa: PLC0415 - this function is the page's script

    from evals.staff_view import tests  # noqa: PLC0415

    tests(st.session_state["desk"])


@pytest.fixture
def page(desk: StaffDesk, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The view, not yet run; no test is in the making."""
    st.cache_resource.clear()
    return page_of(_script, monkeypatch, desk=desk)


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, str]]:
    """What the page offers to download, by key: content and file name."""
    offered: dict[str, tuple[str, str]] = {}

    def keep(_place: object, _label: str, data: str, name: str, *_: object, key: str, **__: object) -> None:
        offered[key] = (data, name)

    monkeypatch.setattr(st.delta_generator.DeltaGenerator, "download_button", keep)
    return offered


def opened(page: AppTest, name: str = "liked") -> AppTest:
    page.query_params["test"] = name
    return sound(page.run())


def sound(page: AppTest) -> AppTest:
    assert not page.exception
    return page


def yaml_of(page: AppTest) -> str:
    return str(page.text_area(key="test-yaml").value)


def fixture_of(page: AppTest) -> Conversation:
    return parse_fixture(yaml_of(page), FILE)


def write(page: AppTest, text: str) -> AppTest:
    return sound(page.text_area(key="test-yaml").set_value(text).run())


def expecting(expect: str) -> str:
    return f"turns:\n- user: {WEIGHT}\n  expect: {expect}\n"


def run(page: AppTest) -> AppTest:
    return sound(page.button(key="test-run").click().run())


def errors(page: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in page.error]


def test_the_view_is_one_of_the_staff_page() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    module, _, name = project["project"]["entry-points"]["footnote.staff_views"]["Tests"].partition(":")
    assert getattr(import_module(module), name) is staff_view.tests


def test_the_latest_conversations_are_offered_those_with_a_thumb_down_first(page: AppTest) -> None:
    first, second = sound(page.run()).selectbox(key="test-name").options
    assert first.startswith(f"👎 {WEIGHT}")
    assert second.startswith(WEIGHT)


def test_one_click_makes_a_test_that_expects_what_happened(page: AppTest) -> None:
    page.run()
    page.selectbox(key="test-name").set_value("liked").run()
    sound(page.button(key="test-make").click().run())
    (turn,) = fixture_of(page).turns
    assert (turn.user, turn.expect.outcome, turn.expect.products) == (WEIGHT, "clear", ["aurora-x2"])
    assert page.selectbox(key="test-1-outcome").value == "clear"
    assert page.text_area(key="test-1-answer_contains").value == "The Aurora X2 weighs 172 g."
    assert page.multiselect(key="test-1-cites").value == ["spec:aurora-x2 “Weight: 172 g”"]
    assert page.query_params["test"] == "liked"


def test_what_was_corrected_is_there_when_the_page_is_opened_again(
    page: AppTest, desk: StaffDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(opened(page), expecting("{outcome: ambiguous}"))
    again = opened(page_of(_script, monkeypatch, desk=desk))
    assert yaml_of(again) == expecting("{outcome: ambiguous}")
    again.selectbox(key="test-name").set_value("liked").run()
    assert yaml_of(sound(again.button(key="test-make").click().run())) == expecting("{outcome: ambiguous}")
    assert yaml_of(sound(again.button(key="test-anew").click().run())) != expecting("{outcome: ambiguous}")


def test_of_a_turn_the_conversation_is_told_as_far_as_that_turn(page: AppTest, desk: StaffDesk) -> None:
    second = desk.turns("disliked")[1].turn.turn_id
    assert [turn.user for turn in fixture_of(opened(page, second)).turns][1:] == ["and the battery?"]


def test_what_is_not_recorded_is_told(page: AppTest) -> None:
    assert "nobody" in errors(opened(page, "nobody"))[0]


def test_nothing_personal_gets_into_a_test(page: AppTest) -> None:
    assert "ada@example.com" not in yaml_of(opened(page, "disliked"))
    assert "[e-mail address]" in yaml_of(page)


def test_an_untouched_test_holds_and_leaves_no_trace_in_the_records(page: AppTest, desk: StaffDesk) -> None:
    before = (desk.records.counts(), desk.records.recent(), len(desk.turns("disliked")))
    run(opened(page, "liked"))
    assert errors(page) == []
    assert [one.value for one in page.success] == ["Everything holds."]
    assert any("It expects what happened" in one.value for one in page.caption)
    assert (desk.records.counts(), desk.records.recent(), len(desk.turns("disliked"))) == before


def test_of_an_answer_that_was_disliked_a_test_expects_that_it_is_not_given_again(page: AppTest) -> None:
    asked, disliked, _ = fixture_of(opened(page, "disliked")).turns
    assert asked.expect.answer_excludes is None
    assert (disliked.expect.outcome, disliked.expect.products) == ("clear", ["aurora-x2"])
    assert disliked.expect.answer_contains is None
    run(page)
    told = [one for one in errors(page) if one.startswith("answer_excludes: must not say: ")]
    assert len(told) == len(disliked.expect.answer_excludes or [])
    assert len(errors(page)) == len(told) + 1, "all else holds"


def test_of_a_question_that_got_no_answer_a_test_expects_one(page: AppTest, shop_assistant: Assistant) -> None:
    turn = shop_assistant.ask("Is the Aurora X2 fire retardant?", thread="unanswered")
    shop_assistant.records.record_feedback(turn.turn_id, Feedback("down"))
    (expected,) = fixture_of(opened(page, "unanswered")).turns
    assert expected.expect.outcome is None
    run(page)
    assert any(one.startswith("answer_excludes: must not say: ") for one in errors(page))


def test_after_a_run_no_collector_walks_what_customers_are_answered_with(page: AppTest) -> None:
    before = gc.get_freeze_count()
    run(opened(page))
    assert gc.get_freeze_count() > before / 2 > 0


@pytest.mark.parametrize(
    ("change", "key", "expected"),
    [
        (lambda page: page.selectbox(key="test-1-outcome").set_value("no_answer"), "outcome", "no_answer"),
        (lambda page: page.text_area(key="test-1-answer_contains").set_value("9 g\n\n"), "answer_contains", ["9 g"]),
        (lambda page: page.text_area(key="test-1-answer_excludes").set_value("172 g"), "answer_excludes", ["172 g"]),
        (lambda page: page.multiselect(key="test-1-products").set_value(["aurora-x3"]), "products", ["aurora-x3"]),
        (lambda page: page.selectbox(key="test-1-live_agent").set_value(True), "live_agent", True),
        (lambda page: page.selectbox(key="test-1-escalation").set_value(True), "escalation", True),
    ],
)
def test_what_is_changed_in_a_field_is_expected_and_its_failure_told_beside_what_came(
    page: AppTest, change: Callable[[AppTest], Any], key: str, expected: object
) -> None:
    sound(change(opened(page)).run())
    assert getattr(fixture_of(page).turns[0].expect, key) == expected
    run(page)
    told = [one for one in errors(page) if one.startswith((f"{key}: expected ", f"{key}: must not say: "))]
    assert len(told) == 1
    assert "; came " in told[0]
    assert "1 of its expectations does not hold." in errors(page)


def test_another_source_of_those_that_were_found_can_be_expected(page: AppTest, desk: StaffDesk) -> None:
    cites = opened(page).multiselect(key="test-1-cites")
    other = next(
        one.evidence_id
        for one in desk.turns("liked")[0].turn.retrieved
        if one.evidence_id not in {cited.evidence_id for cited in desk.turns("liked")[0].turn.citations}
    )
    assert other in cites.options
    sound(cites.set_value([other]).run())
    assert "evidence_id: " + other in yaml_of(page)
    assert any(one.startswith("cites: ") for one in errors(run(page)))


def test_a_field_that_is_emptied_expects_nothing(page: AppTest) -> None:
    sound(opened(page).selectbox(key="test-1-outcome").set_value(None).run())
    assert fixture_of(page).turns[0].expect.outcome is None
    assert "outcome" not in yaml_of(page)


def test_what_is_written_into_the_text_stands_in_the_fields(page: AppTest) -> None:
    write(opened(page), expecting("{outcome: ambiguous, answer_contains: [a, b]}"))
    assert page.selectbox(key="test-1-outcome").value == "ambiguous"
    assert page.text_area(key="test-1-answer_contains").value == "a\nb"
    assert page.multiselect(key="test-1-products").value == []


def test_alternatives_are_left_to_the_text(page: AppTest) -> None:
    write(opened(page), expecting("{outcome: {any: [clear, ambiguous]}, products: [aurora-x2]}"))
    assert any("clear" in one.value and "ambiguous" in one.value for one in page.caption)
    sound(page.text_area(key="test-1-answer_contains").set_value("172 g").run())
    assert "any:" in yaml_of(page)
    assert errors(run(page)) == []


def test_keys_without_a_field_are_held_to_as_well(page: AppTest) -> None:
    write(opened(page), expecting("{branch: handoff}"))
    assert "branch: expected handoff; came focused" in errors(run(page))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("turns: [{user: hi, expct: {}}]", "there is no such key; did you mean expect?"),
        ("turns: [{user: hi", "it is no YAML"),
        ("turns:\n- user: hi\n  expect: {outcome: perhaps}", ":3: turns[1].expect.outcome"),
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_of_it_is_lost(page: AppTest, broken: str, said: str) -> None:
    write(opened(page), broken)
    assert any(said in one for one in errors(page))
    assert yaml_of(page) == broken
    assert page.button(key="test-run").disabled


def test_two_tests_are_kept_beside_each_other_and_can_be_chosen(page: AppTest) -> None:
    write(opened(page, "liked"), "turns: [{user: hi}]")
    opened(page, "disliked")
    assert page.selectbox(key="test-name").value == "disliked", "the conversation of the test at hand"
    made = page.selectbox(key="test-made")
    assert made.value == "disliked"
    assert made.options == [f"1. {WEIGHT}", "2. I want to talk to a person"]
    assert yaml_of(sound(made.set_value(None).run())) != "turns: [{user: hi}]"
    sound(page.selectbox(key="test-made").set_value("liked").run())
    assert yaml_of(page) == "turns: [{user: hi}]"
    assert (page.query_params["test"], page.selectbox(key="test-name").value) == ("liked", "liked")


def test_what_was_changed_since_it_ran_is_to_be_run_again(page: AppTest) -> None:
    opened(page).selectbox(key="test-1-outcome").set_value("no_answer").run()
    run(page)
    page.selectbox(key="test-1-outcome").set_value("clear").run()
    assert errors(page) == []
    assert "Run it again" in page.info[0].value
    assert [one.value for one in run(page).success] == ["Everything holds."]


def test_a_test_is_taken_along_as_it_stands(page: AppTest, downloads: dict[str, tuple[str, str]]) -> None:
    write(opened(page), "turns: [{user: hi}]  # mine")
    assert downloads["test-download"] == (
        "turns: [{user: hi}]  # mine",
        "how-heavy-is-the-aurora-x2.conversation.yaml",
    )


def test_judged_turns_are_taken_along_as_rows(
    page: AppTest, shop_assistant: Assistant, desk: StaffDesk, downloads: dict[str, tuple[str, str]]
) -> None:
    for label, outcomes in (("not helpful", (0, 0, 0)), ("shop data wrong", (1, 1, 1))):
        turn = shop_assistant.ask(WEIGHT, thread=label)
        shop_assistant.records.record_feedback(turn.turn_id, Feedback("down"))
        desk.records.label(turn.turn_id, label)
        sound(page.run()).toggle(key="test-rows").set_value(True).run()
        files = [downloads[f"test-rows-{kind}"] for kind in ("intent", "rewriting", "reader")]
        assert tuple(len(lines.splitlines()) for lines, _ in files) == outcomes
    assert [name for _, name in files] == ["intent.jsonl", "rewriting.jsonl", "reader.jsonl"]
    assert json.loads(files[0][0]) == {"text": WEIGHT, "label": "product_spec"}
