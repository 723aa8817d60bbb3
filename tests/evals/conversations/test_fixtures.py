"""Reading conversation fixtures."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.errors import InputError
from evals.conversations.fixtures import (
    AnyOf,
    Conversation,
    MalformedFixtureError,
    MalformedFixturesError,
    find_fixtures,
    load_fixture,
    load_fixtures,
)


def read(tmp_path: Path, text: str) -> Conversation:
    file = tmp_path / "some.conversation.yaml"
    file.write_text(text, encoding="utf-8")
    return load_fixture(file)


def expect(tmp_path: Path, text: str) -> object:
    return read(tmp_path, f"turns:\n- user: hi\n  expect: {text}\n").turns[0].expect


def test_a_fixture_may_say_all_that_the_contract_names(tmp_path: Path) -> None:
    conversation = read(
        tmp_path,
        """
        name: battery, then another phone
        index: demo
        now: 2026-06-01
        user: {role: buyer, region: "94107", membership: gold, page: {product_id: aurora-x2}, owned: [a]}
        turns:
          - user: What is the battery size of the Aurora X2?
            now: 2026-06-02T08:30
            style: voice
            expect:
              outcome: clear
              products: [aurora-x2]
              intents: [product_spec]
              branch: focused
              answer_contains: ["4,500 mAh"]
              answer_excludes: ["guarantee"]
              cites: [{source_type: spec, product: aurora-x2, evidence_id: "spec:aurora-x2", page: 3, url: null}]
              cites_only_products: [aurora-x2]
              min_confidence: 0.6
              standalone_contains: ["display"]
              searchable: true
              live_agent: false
              options: [one]
              escalation: true
          - click: Aurora X3
        """,
    )
    first, second = conversation.turns
    assert conversation.user is not None
    assert conversation.user.page.product_id == "aurora-x2"
    assert conversation.now == datetime(2026, 6, 1, tzinfo=UTC)
    assert first.now == datetime(2026, 6, 2, 8, 30, tzinfo=UTC)
    assert (first.style, first.expect.min_confidence, first.expect.escalation) == ("voice", 0.6, True)
    assert (second.click, second.user, second.style) == ("Aurora X3", None, "text")


def test_the_name_is_that_of_the_file_when_none_is_given(tmp_path: Path) -> None:
    assert read(tmp_path, "turns: [{user: hi}]").name == "some"


def test_values_stay_as_they_are_written(tmp_path: Path) -> None:
    conversation = read(tmp_path, "user: {region: 01067}\nturns: [{user: 42, expect: {answer_contains: [yes, 4.50]}}]")
    assert conversation.user is not None
    assert conversation.user.region == "01067"
    assert conversation.turns[0].user == "42"
    assert conversation.turns[0].expect.answer_contains == ["yes", "4.50"]


def test_one_of_several_values_may_stand_wherever_a_value_stands(tmp_path: Path) -> None:
    text = (
        "{outcome: {any: [clear, no_answer]}, answer_contains: [a, {any: [b, c]}], cites: [{product: {any: [x, y]}}]}"
    )
    found = expect(tmp_path, text)
    assert getattr(found, "outcome", None) == AnyOf(["clear", "no_answer"])
    assert getattr(found, "answer_contains", None) == ["a", AnyOf(["b", "c"])]
    assert getattr(found, "cites", None)[0].product == AnyOf(["x", "y"])  # type: ignore[index]


def test_a_list_as_a_whole_may_be_one_of_several(tmp_path: Path) -> None:
    found = expect(tmp_path, "{products: {any: [[a, b], c]}, intents: warranty}")
    assert getattr(found, "products", None) == AnyOf([["a", "b"], ["c"]])
    assert getattr(found, "intents", None) == ["warranty"]


def test_an_empty_expectation_expects_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, "turns:\n- user: hi\n  expect:\n").turns[0].expect.model_fields_set == set()


@pytest.mark.parametrize(
    ("text", "line", "key", "reason"),
    [
        ("nam: x\nturns: [{user: a}]", 1, "nam", "did you mean name?"),
        ("turns:\n- user: a\n  expect:\n    outcom: clear", 4, "turns[1].expect.outcom", "did you mean outcome?"),
        ("turns:\n- user: a\n- user: b\n  expects: {}", 4, "turns[2].expects", "user, click, now, style, expect"),
        ("user: {rol: buyer}\nturns: [{user: a}]", 1, "user.rol", "role, region, membership, page"),
        ("user: {page: {id: a}}\nturns: [{user: a}]", 1, "user.page.id", "product_id, products"),
        ("turns: [{user: a, expect: {cites: [{prod: a}]}}]", 1, "turns[1].expect.cites[1].prod", "mean product?"),
        ("turns: [{user: a, expect: {outcome: clean}}]", 1, "turns[1].expect.outcome", "'clear', 'ambiguous'"),
        ("turns: [{user: a, expect: {outcome: {any: [x]}}}]", 1, "turns[1].expect.outcome.any[1]", "'clear'"),
        ("turns: [{user: a, expect: {outcome: {any: []}}}]", 1, "turns[1].expect.outcome.any", "at least 1"),
        ("turns: [{user: a, expect: {outcome: }}]", 1, "turns[1].expect", "outcome has no value"),
        ("turns: [{user: a, click: b}]", 1, "turns[1]", "either `user`"),
        ("turns: [{now: 2026-01-01}]", 1, "turns[1]", "either `user`"),
        ("turns:\n- user: a\n  user: b", 3, "turns[1].user", "first in line 2"),
        ("now: tomorrow\nturns: [{user: a}]", 1, "now", "such as 2026-06-01"),
        ("turns: [{user: a, style: loud}]", 1, "turns[1].style", "'voice'"),
        ("turns: []", 1, "turns", "at least 1"),
        ("name: x", None, "", "Field required"),
        ("- a\n- b", 1, "", "is a mapping with the keys"),
        ("", None, "", "is empty"),
        ("turns: [", 1, "", "no YAML"),
        ("a: 1\n---\nb: 2", 2, "", "no YAML"),
        ("turns: &t [*t]", None, "", "contains itself"),
    ],
)
def test_what_fixtures_cannot_say_is_refused_with_place_and_remedy(
    tmp_path: Path, text: str, line: int | None, key: str, reason: str
) -> None:
    with pytest.raises(MalformedFixtureError) as caught:
        read(tmp_path, text)
    assert (caught.value.line, caught.value.key) == (line, key)
    assert reason in caught.value.reason
    assert "some.conversation.yaml" in str(caught.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.conversation.yaml"
    file.write_bytes(b"name: \xff\xfe")
    with pytest.raises(MalformedFixtureError, match="cannot be read"):
        load_fixture(file)


def test_folders_are_searched_and_files_taken_as_named(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    inside = tmp_path / "deep" / "b.conversation.yaml"
    named = tmp_path / "a.yaml"
    for file in (inside, named, tmp_path / "other.yaml"):
        file.write_text("turns: [{user: hi}]")
    assert find_fixtures([tmp_path, named, inside]) == [inside, named]


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_place_without_fixtures_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="Name a fixture"):
        find_fixtures([tmp_path / name])


def test_every_malformed_fixture_is_named_at_once(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.conversation.yaml").write_text("turn: []")
    with pytest.raises(MalformedFixturesError) as caught:
        load_fixtures([tmp_path])
    assert [error.file.name for error in caught.value.errors] == ["a.conversation.yaml", "b.conversation.yaml"]
