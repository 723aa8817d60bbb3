"""What endpoints without a grammar add to the format is left out, and the rest is read all the same."""

import pytest

from tests.graph.llm.streaming import cited, read, texts

LIGHT = [("It is light.", "spec:a")]


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("outcome: clear", "clear"),
        ("Outcome: Clear", "clear"),
        ("OUTCOME:CLEAR.", "clear"),
        ("**Outcome:** clear", "clear"),
        ("**outcome: ambiguous**", "ambiguous"),
        ("outcome: `no_answer`", "no_answer"),
        ("outcome: no answer", "no_answer"),
        ("Outcome: No-Answer", "no_answer"),
        ('outcome: "ambiguous"', "ambiguous"),
        ("\n\n  outcome: ambiguous", "ambiguous"),
        ("```text\noutcome: ambiguous", "ambiguous"),
        ("<think>It says outcome: clear.\nSo.</think>\noutcome: ambiguous", "ambiguous"),
        ("<THINK></think>outcome: no_answer", "no_answer"),
        ("## Outcome: ambiguous", "ambiguous"),
    ],
)
def test_an_outcome_is_read_in_any_dress(line: str, outcome: str) -> None:
    assert read(line + "\r\n")[0] == outcome


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is light [spec:a].", [LIGHT]),
        ("Outcome of the test [spec:a].", [[("Outcome of the test.", "spec:a")]]),
        ("outcome: maybe", [[("outcome: maybe", "")]]),
        ("outcome: clear It is light [spec:a].", [LIGHT]),
        ("outcome: clear weather helps [spec:a].", [[("weather helps.", "spec:a")]]),
        ("outcome: clear\noutcome: ambiguous\nIt is light [spec:a].", [LIGHT]),
        ("It is light [spec:a].\noutcome: no_answer\nIt folds.", [LIGHT, [("It folds.", "")]]),
    ],
)
def test_text_without_an_outcome_line_is_clear(answer: str, expected: list[list[tuple[str, str]]]) -> None:
    assert read(answer)[0] == "clear"
    assert cited(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "```\nIt is light [spec:a].\n```",
        "~~~markdown\nIt is light [spec:a].\n~~~",
        "<think>Hm. [spec:a]\n- No.</think>It is light [spec:a].",
        "It is **light** [spec:a].",
        "**It is light** [spec:a].",
        "It is `light` [spec:a].",
        "## Weight\nIt is light [spec:a].",
        "### It is light [spec:a].",
        "> It is light [spec:a].",
        "---\nIt is light [spec:a].\n***",
        "It is light [spec:a].\r\n\r\nSources:\r\n- [spec:a] The specification\r\n[1] Page\r\n2. Another",
        "It is light [spec:a].\n\n**Sources**\n- spec:a",
        "It is light [spec:a].\n## References\n1. spec:a",
        "It is light [spec:a].\nSource: [spec:a]",
        "It is light [spec:a].\nSources: spec:a, review:r9\n- more",
        "It is light [spec:a]. 😀",
        "It is light [spec:a].\n-\n1.\n#",
    ],
)
def test_what_a_model_adds_around_its_words_is_left_out(answer: str) -> None:
    assert cited(answer) == [LIGHT]


def test_a_list_of_sources_ends_the_answer() -> None:
    assert texts("It is light.\nSources:\n- one\n- two\n\nIt folds.") == ["It is light."]


def test_what_is_missing_is_read_after_a_list_of_sources() -> None:
    assert read("It is light.\nSources:\n- one\nmissing: the price")[2] == ["the price"]


@pytest.mark.parametrize(
    "word", ["Sources of heat help.", "Referenced often.", "Missing pegs?", "Citation needed.", "Outcomes vary."]
)
def test_a_word_that_only_begins_like_a_heading_is_text(word: str) -> None:
    assert texts(word) == [word]


@pytest.mark.parametrize(
    "line", ["#1 in tents", "*Not included", "~5 kg", "<b>", "-5 °C", "–5 °C", "1.5 kg", "1000. Once"]
)
def test_a_line_that_only_looks_marked_is_text(line: str) -> None:
    assert texts(line) == [line]
