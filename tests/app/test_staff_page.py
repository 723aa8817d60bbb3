"""The staff page, driven without a browser over an assistant that has answered a few customers."""

import csv
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import Assistant
from app.gaps import GapCluster
from app.settings import Settings
from app.storage.records import Feedback
from app.storage.staff import Gap
from app.ui.markup import literal
from app.ui.staff.gaps import as_csv
from app.ui.staff.quality import interval
from app.ui.staff.reviews import RIGHT, TAKEN_BACK
from app.ui.staff.shown import plain_reason
from graph.turn import Review, Turn
from tests.app.scripted_page import page_of

WEIGHT = "How heavy is the Aurora X2?"
UNKNOWN = "Is the Aurora X2 fire retardant?"


@pytest.fixture
def assistant(index: Path, tmp_path: Path) -> Iterator[Assistant]:
    """An assistant over the small shop, which nobody has asked anything yet."""
    settings = Settings(records=tmp_path / "records.sqlite", threads=tmp_path / "threads.sqlite")
    with Assistant.open(str(index), settings) as opened:
        yield opened


def _script() -> None:
    import streamlit as st  # noqa: PLC0415 - this function is the page's script

    from app.ui.staff.page import draw_staff  # noqa: PLC0415

    draw_staff(st.session_state["desk"])


@pytest.fixture
def page(assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page, not yet run."""
    return page_of(_script, monkeypatch, desk=assistant.desk())


def opened(page: AppTest, view: str) -> AppTest:
    page.session_state["view"] = view
    page.run()
    assert not page.exception
    return page


def words(page: AppTest) -> str:
    """All that is shown."""
    assert not page.exception
    kinds: tuple[Any, ...] = (page.markdown, page.caption, page.info, page.error, page.warning, page.success, page.text)
    told = [element.value for kind in kinds for element in kind]
    return "\n".join([*told, *(element.proto.body for element in page.get("html"))])


NOTHING = {
    "Reviews": "Nothing waits for a review.",
    "Hand-offs": "Nobody waits for a person.",
    "Feedback": "No answer waits to be looked at.",
    "Gaps": "Every question of this time was answered.",
    "Quality": "No turns in this time.",
    "Knowledge": "answers now",
}


def test_where_nothing_waits_each_view_says_so(page: AppTest) -> None:
    for view, said in NOTHING.items():
        assert said in words(opened(page, view))


@pytest.fixture
def to_review(assistant: Assistant) -> Turn:
    """An answer of Ann's that somebody should look at."""
    turn = assistant.ask(WEIGHT, thread="t", owner="ann")
    reviewed = turn.model_copy(update={"review": Review(required=True, issues=["a claim about health"])})
    sources = [assistant.source(one.evidence_id, one.generation, "ann") for one in turn.citations]
    assistant.records.record(reviewed, sources, [])
    return reviewed


def messages_to_ann(assistant: Assistant) -> list[str]:
    return [one.text for one in assistant.records.messages("t", "ann")]


@pytest.mark.parametrize(("button", "said"), [("approve", RIGHT), ("reject", TAKEN_BACK)])
def test_what_is_decided_of_an_answer_is_told_to_its_customer(
    page: AppTest, assistant: Assistant, to_review: Turn, button: str, said: str
) -> None:
    assert "**A claim about health**" in words(opened(page, "Reviews"))
    page.text_input(key="by").set_value("Jo").run()
    assert f"sends: {said}" in words(page), "before it is sent"
    page.button(key=f"{button}-{to_review.turn_id}").click().run()
    assert "Nothing waits for a review." in words(page)
    page.toggle(key="reviews-decided").set_value(True).run()
    assert literal("Sent to the customer:") in words(page)
    assert said in words(page)
    assert messages_to_ann(assistant) == [said]
    assert assistant.records.messages("t", "ann")[0].by == "Jo"


def test_an_edited_answer_is_sent_only_if_the_sources_bear_it_out(
    page: AppTest, assistant: Assistant, to_review: Turn
) -> None:
    opened(page, "Reviews")
    for text, problem in (
        ("The Aurora X2 weighs 90 g.", "No source of this turn bears this out"),
        ("", "There is nothing to send."),
    ):
        page.text_area(key=f"edit-{to_review.turn_id}").set_value(text).run()
        page.button(key=f"send-{to_review.turn_id}").click().run()
        assert problem in words(page)
    assert messages_to_ann(assistant) == []
    page.text_area(key=f"edit-{to_review.turn_id}").set_value("The Aurora X2 weighs 172 g.").run()
    page.button(key=f"send-{to_review.turn_id}").click().run()
    assert messages_to_ann(assistant) == ["The Aurora X2 weighs 172 g [1]."]


def test_a_ticket_shows_the_conversation_takes_a_reply_and_closes(page: AppTest, assistant: Assistant) -> None:
    assistant.ask(WEIGHT, thread="t", owner="ann")
    ticket = assistant.ask("I want to talk to a person please", thread="t", owner="ann").escalation
    assert ticket is not None
    opened(page, "Hand-offs")
    assert WEIGHT in words(page)
    page.text_area(key=f"text-{ticket.ticket_id}").set_value("We will call you.")
    page.button(key=f"FormSubmitter:reply-{ticket.ticket_id}-Reply").click().run()
    assert [(one.by, one.text) for one in assistant.records.messages("t", "ann")] == [("the shop", "We will call you.")]
    page.button(key=f"close-{ticket.ticket_id}").click().run()
    assert "Nobody waits for a person." in words(page)


def test_an_empty_reply_is_not_sent(page: AppTest, assistant: Assistant) -> None:
    ticket = assistant.ask("I want to talk to a person please", thread="t").escalation
    assert ticket is not None
    opened(page, "Hand-offs")
    page.button(key=f"FormSubmitter:reply-{ticket.ticket_id}-Reply").click().run()
    assert "There is nothing to send." in words(page)
    assert assistant.records.messages("t") == []


def test_a_bad_answer_is_shown_with_what_was_said_of_it_and_labelled(page: AppTest, assistant: Assistant) -> None:
    turn = assistant.ask(WEIGHT, thread="t")
    assistant.ask(UNKNOWN, thread="t")
    assistant.records.record_feedback(turn.turn_id, Feedback("down", "It is not right", "mine weighs more"))
    opened(page, "Feedback")
    assert "It is not right · “mine weighs more”" in words(page)
    assert next(one.label for one in page.expander) == "The whole conversation, turns: 2"
    assert UNKNOWN in words(page)
    page.button_group(key=f"label-{turn.turn_id}").set_value("shop data wrong").run()
    assert "No answer waits to be looked at." in words(page)
    (labelled,) = assistant.desk().records.complaints(datetime.fromtimestamp(0, UTC), labelled=True)
    assert labelled.label == "shop data wrong"


def test_gaps_are_told_and_their_csv_holds_no_formula(page: AppTest, assistant: Assistant) -> None:
    assistant.ask(UNKNOWN, thread="t")
    assert literal(UNKNOWN) in words(opened(page, "Gaps"))
    desk = assistant.desk()
    header, line = csv.reader(as_csv(desk.gaps(7), desk, 7).splitlines())
    assert header[:2] == ["question", "product"]
    assert line[0] == UNKNOWN
    (found,) = desk.gaps(7)
    found.gaps[0] = replace(found.gaps[0], question="=cmd()")
    assert list(csv.reader(as_csv([found], desk, 7).splitlines()))[1][0] == "'=cmd()"


@pytest.fixture
def own_index(index: Path, tmp_path: Path) -> Path:
    """A copy of the index, to which something can be added."""
    return shutil.copytree(index, tmp_path / "own")


@pytest.fixture
def writing(own_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[AppTest, Assistant]]:
    """The page of a shop to which something can be added, and its assistant."""
    settings = Settings(records=tmp_path / "own.sqlite", threads=tmp_path / "own-threads.sqlite")
    with Assistant.open(str(own_index), settings) as opened:
        yield page_of(_script, monkeypatch, desk=opened.desk()), opened


def test_a_gap_is_one_until_a_fact_answers_it(writing: tuple[AppTest, Assistant]) -> None:
    page, assistant = writing
    assistant.ask(UNKNOWN, thread="t")

    def save(text: str) -> str:
        (gap,) = assistant.desk().gaps(7)
        key = f"gap-{gap.gaps[0].number}"
        page.text_area(key=f"{key}-text-{page.session_state[f'{key}-written']}").set_value(text)
        page.button(key=f"FormSubmitter:{key}-fact-Save and answer with it").click().run()
        return words(page)

    opened(page, "Gaps")
    assert "it does not answer what was asked" in save("The Aurora X2 is made in Leeds.")
    assert literal(UNKNOWN) in words(page)
    told = save("Fire retardant: yes, to EN 5912")
    assert "Who asks that is told now" in told
    assert "EN 5912" in told
    assert "Every question of this time was answered." in told
    assert assistant.desk().gaps(7) == []


def test_a_fact_fills_the_gap_of_a_part_although_another_part_is_still_missing(
    writing: tuple[AppTest, Assistant],
) -> None:
    page, assistant = writing
    turn = assistant.ask("Do you take cards? Do you take Klarna? Do you ship to Mars?", thread="t")
    assert turn.missing == ["Klarna", "Mars"]
    told = words(opened(page, "Gaps"))
    assert told.count(literal(turn.query)) == 2, "each under the whole question, not under a bare word"
    gap = next(one for one in assistant.desk().gaps(7) if one.attribute == "klarna")
    key = f"gap-{gap.gaps[0].number}"
    assert page.selectbox(key=f"{key}-kind").value == "payment", "which is what its intent is answered by"
    page.text_area(key=f"{key}-text-0").set_value("We accept Klarna.")
    page.button(key=f"FormSubmitter:{key}-fact-Save and answer with it").click().run()
    assert "Saved. Who asks that is told now" in words(page)
    assert [one.value for one in page.toast] == ["Saved."]
    assert [one.attribute for one in assistant.desk().gaps(7)] == ["mars"]
    (fact,) = assistant.desk().knowledge.facts()
    opened(page, "Knowledge").button(key=f"withdraw-{fact.id}").click().run()
    assert sorted(one.attribute for one in assistant.desk().gaps(7)) == ["klarna", "mars"]


def test_what_came_of_a_fact_is_told_where_it_was_written(writing: tuple[AppTest, Assistant]) -> None:
    page, assistant = writing
    for asked in (UNKNOWN, "Is the Aurora X2 made in Leeds?"):
        assistant.ask(asked, thread=asked)
    opened(page, "Gaps")
    _, second = assistant.desk().gaps(7)

    def shown() -> list[str]:
        drawn = [one for one in page.main if one.type in ("markdown", "success", "warning")]
        return [str(one.value) for one in drawn]

    titles = shown()
    key = f"gap-{second.gaps[0].number}"
    for text, said in (
        ("It comes in a box.", "Saved, but it does not"),
        ("Fire retardant: yes, to EN 5912", "Saved. Who"),
    ):
        page.text_area(key=f"{key}-text-{page.session_state[f'{key}-written']}").set_value(text)
        page.button(key=f"FormSubmitter:{key}-fact-Save and answer with it").click().run()
        first, title, told = shown()
        assert [first, title] == titles
        assert told.startswith(said)


def test_a_written_fact_is_listed_and_can_be_withdrawn(writing: tuple[AppTest, Assistant]) -> None:
    page, assistant = writing
    knowledge = assistant.desk().knowledge
    opened(page, "Knowledge").text_input(key="by").set_value("Jo").run()
    page.text_area(key="knowledge-text-0").set_value("It is made in Leeds.")
    page.button(key="FormSubmitter:knowledge-fact-Save and answer with it").click().run()
    assert "It is made in Leeds." in words(page)
    assert literal(f"written {knowledge.facts()[0].updated_at} by Jo") in words(page)
    assert "Made from shop" in words(page), "and not where that lies on this machine"
    assert [one.proto.popover.label for one in page.get("popover")] == ["Withdraw"], "it asks before"
    page.button(key=f"withdraw-{knowledge.facts()[0].id}").click().run()
    assert "It is made in Leeds." not in words(page)
    assert knowledge.facts() == []


def test_quality_counts_turns_thumbs_and_openings(page: AppTest, assistant: Assistant) -> None:
    turn = assistant.ask(WEIGHT, thread="t")
    assistant.records.record_feedback(turn.turn_id, Feedback("up"))
    assistant.records.record_opening(turn.turn_id, 1)
    opened(page, "Quality")
    shown = {metric.label: metric.value for metric in page.metric}
    assert (
        shown | {"Answered": "100%", "Asked something more": "0%", "Sources opened": "100%", "Thumbs up": "100%"}
        == shown
    )


def table_of_variants(page: AppTest) -> list[dict[str, str]]:
    assert [element.value for element in page.subheader].count("By variant") == len(page.dataframe)
    return [dict(row) for table in page.dataframe for row in table.value.to_dict("records")]


def test_engagement_is_told_by_variant_where_there_are_several(
    page: AppTest, assistant: Assistant, a_turn: Callable[..., Turn]
) -> None:
    assistant.records.record(a_turn(turn_id="1", thread_id="a"), [], [])
    assert table_of_variants(opened(page, "Quality")) == []
    for turn_id, thread_id in (("2", "b"), ("3", "b"), ("4", "c")):
        assistant.records.record(a_turn(turn_id=turn_id, thread_id=thread_id, variant="wide"), [], [])
    assistant.records.record_feedback("4", Feedback("down"))
    default, wide = table_of_variants(opened(page, "Quality"))
    assert (default["variant"], default["conversations"], default["turns"]) == ("default", "1", "1")
    assert (wide["variant"], wide["conversations"], wide["turns"]) == ("wide", "2", "3")
    assert (default["Asked something more"], wide["Asked something more"]) == ("0% (0% to 79%)", "33% (6% to 79%)")
    assert (default["Thumbs up"], wide["Thumbs up"]) == ("–", "0% (0% to 79%)")


def test_answered_is_what_the_chart_of_outcomes_calls_so(
    page: AppTest, assistant: Assistant, a_turn: Callable[..., Turn]
) -> None:
    for outcome in ("clear", "ambiguous", "non_decision", "no_answer"):
        assistant.records.record(a_turn(turn_id=outcome, outcome=outcome), [], [])
    opened(page, "Quality")
    (answered,) = (metric for metric in page.metric if metric.label == "Answered")
    assert answered.value == "25%"


def test_an_interval_narrows_with_what_was_counted() -> None:
    few, many = interval([True, False] * 2), interval([True, False] * 200)
    assert few[0] == many[0] == 0.5
    assert few[2] - few[1] > 3 * (many[2] - many[1])


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (
            "the answer is uncertain (0.26)",
            "The answer is uncertain: of 100 such answers, about 26 are right",
        ),
        ("certification (high)", "A claim about certification, of high severity"),
        ("a person was asked for", "A person was asked for"),
    ],
)
def test_a_reason_is_told_without_figures_in_brackets(reason: str, told: str) -> None:
    assert plain_reason(reason) == told


def test_the_id_of_a_turn_is_told_to_who_asks_for_it(page: AppTest, assistant: Assistant) -> None:
    turn = assistant.ask(WEIGHT, thread="t")
    assistant.records.record_feedback(turn.turn_id, Feedback("down"))
    opened(page, "Feedback")
    assert turn.turn_id not in words(page).partition('class="question"')[0]
    assert [one.proto.help for one in page.caption if turn.turn_id in one.proto.help] == [f"Turn {turn.turn_id}"]


def test_only_who_has_signed_in_can_sign_out(
    page: AppTest, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Sign out" not in words(opened(page, "Gaps"))
    desk = assistant.desk()
    desk.settings = Settings.model_validate({"serve": {"staff_password": "battery staple"}})
    assert "Sign out" in words(opened(page_of(_script, monkeypatch, desk=desk), "Gaps"))


def test_the_view_is_named_in_the_address(page: AppTest) -> None:
    page.query_params["view"] = "Gaps"
    page.run()
    assert "Every question of this time was answered." in words(page)


def test_an_answer_from_elsewhere_fills_no_gap(assistant: Assistant) -> None:
    desk = assistant.desk()
    cluster = GapCluster("aurora-x2", [Gap(0, desk.now(), WEIGHT, WEIGHT, "aurora-x2", "product_spec", "1")])
    for evidence_id, answers in (("feature:staff-1", False), ("spec:aurora-x2", True)):
        turn, filled = desk.settle(cluster, evidence_id)
        assert (turn.outcome, filled) == ("clear", answers)
