"""From a model's tokens to events: the format, streaming, and answers that run away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.llm.markers import DraftedSegment
from graph.llm.sentence_stream import DraftedSentence, RunawayAnswerError, SentenceStream
from tests.graph.llm.streaming import IDS, Answer, events_of, read, said, texts

ANSWER = """outcome: clear
The Kestrel 2 weighs 1.9 kg [spec:a]. It packs to 40 cm [spec:a] and comes with eight pegs [feature:kestrel-2#3].
- One item [review:r17][review:r9].
1. A step [spec:a].
| | Kestrel 2 |
| --- | --- |
| Weight | 1.9 kg [spec:a] |
missing: the warranty"""
SENTENCES = [
    DraftedSentence((DraftedSegment("The Kestrel 2 weighs 1.9 kg.", ("spec:a",)),), "paragraph", first=True),
    DraftedSentence(
        (
            DraftedSegment("It packs to 40 cm", ("spec:a",)),
            DraftedSegment(" and comes with eight pegs.", ("feature:kestrel-2#3",)),
        ),
        "paragraph",
        first=False,
    ),
    DraftedSentence((DraftedSegment("One item.", ("review:r17", "review:r9")),), "bullets", first=True),
    DraftedSentence((DraftedSegment("A step.", ("spec:a",)),), "steps", first=True),
]
READ = ("clear", SENTENCES, ["the warranty"])
PIECES = [
    *ANSWER.split(" "), " ", "\n", "\r\n", "\r", "[", "]", "(", ")", "**", "*", "`", "```", "#", "- ", "1. ", "|",
    "| --- |", "<think>", "</think>", "Sources:", "outcome: no_answer", "missing:", "[1]", "[spec:a]", "[spec:",
    "(spec:a)", "[a, b]", ".", "!", "?", "…", "。", "।", "؟", '"', "”", "e.g.", "No. 5", "J. R. R.",
    "\u00a0", "\u2028", "😀", "\ufeff", "\x00",
]  # fmt: skip
GARBAGE = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=40).map("".join)


def given_whole(answer: str) -> tuple[Answer, bool]:
    return events_of([answer])


def test_an_answer_in_the_format_is_read_as_it_was_meant() -> None:
    assert read(ANSWER) == READ


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 1_000])
def test_the_size_of_the_pieces_changes_nothing(size: int) -> None:
    pieces = [ANSWER[at : at + size] for at in range(0, len(ANSWER), size)]
    assert events_of(pieces) == (READ, False)


@given(GARBAGE, st.data())
def test_no_split_of_any_garbage_changes_what_is_given(answer: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(answer)), max_size=5)))
    pieces = [answer[start:end] for start, end in zip([0, *cuts], [*cuts, len(answer)], strict=True)]
    assert events_of(pieces) == given_whole(answer) == events_of(list(answer))


@given(GARBAGE)
def test_whatever_is_said_only_given_evidence_is_cited_and_no_marker_is_shown(answer: str) -> None:
    (outcome, sentences, _), _ = given_whole(answer)
    assert not sentences or outcome == "clear"
    for sentence in sentences:
        assert set(sentence.ids) <= set(IDS)
        assert sentence.text == sentence.text.strip()
        assert sentence.segments
        assert not any(f"[{one}]" in sentence.text for one in IDS)


@pytest.mark.parametrize(
    ("before", "decides"),
    [
        ("It is light [spec:a]. ", "I"),
        ("It is light. [spec:a] ", "I"),
        ("It is light. [spec:a][review:r9] ", "I"),
        ("It is light! ", "I"),
        ("It weighs 1.9 kg [spec:a].", "\n"),
        ("- It weighs 1.9 kg [spec:a].", "\n"),
        ("Ready in size M. ", "Go"),
        ("これは軽い。[spec:a]", "と"),
    ],
)
def test_a_sentence_is_given_at_the_first_character_that_makes_its_end_certain(before: str, decides: str) -> None:
    stream = SentenceStream(IDS)
    assert not list(stream.feed(before + decides[:-1]))
    assert list(stream.feed(decides[-1]))


@pytest.mark.parametrize("cut", range(1, len("[review:r17]")))
def test_a_marker_that_the_end_cuts_off_is_not_shown_and_not_cited(cut: int) -> None:
    (sentence,) = said("It is light " + "[review:r17]"[:cut])
    assert (sentence.text, sentence.ids) == ("It is light", ())


@pytest.mark.parametrize("value", ["ambiguous", "no_answer"])
def test_no_text_follows_another_outcome(value: str) -> None:
    assert read(f"outcome: {value}\nIt is light [spec:a].\n| a | b |") == (value, [], [])


def test_what_is_missing_may_follow_another_outcome() -> None:
    assert read("outcome: no_answer\nmissing: the warranty") == ("no_answer", [], ["the warranty"])


@pytest.mark.parametrize(
    "answer", ["", "\n\n", " ", "...", "<think>Hm. It is light.", "```\n```", "---", "**", "| a | 1.9 kg [spec:a] |"]
)
def test_an_answer_that_says_nothing_gives_nothing(answer: str) -> None:
    assert read(answer)[1:] == ([], [])


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("missing: the warranty", ["the warranty"]),
        ("Missing: The warranty.", ["The warranty"]),
        ("**Missing:** the warranty [spec:a]", ["the warranty"]),
        ("missing:", []),
        ("missing: none", []),
        ("missing: N/A.", []),
        ("missing:  the   price\r\nmissing: the size", ["the price", "the size"]),
        ("Missing pegs are replaced [spec:a].", []),
    ],
)
def test_the_missing_line_names_what_is_not_answered(line: str, missing: list[str]) -> None:
    assert read(f"outcome: clear\nIt is light [spec:a].\n{line}")[2] == missing


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("One. Two.", [("paragraph", True), ("paragraph", False)]),
        ("One.\nTwo.", [("paragraph", True), ("paragraph", True)]),
        ("- One.\n- Two.", [("bullets", True), ("bullets", True)]),
        ("- One. Two.", [("bullets", True), ("bullets", False)]),
        ("* One.\n• Two.\n+ Three.", [("bullets", True)] * 3),
        ("1. One.\n2) Two.", [("steps", True), ("steps", True)]),
        ("1. One.\n- Two.", [("steps", True), ("bullets", True)]),
        ("- One.\nTwo.\n- Three.", [("bullets", True), ("paragraph", True), ("bullets", True)]),
        ("  - One.", [("bullets", True)]),
        ("-5 °C is fine.", [("paragraph", True)]),
        ("1.9 kg is light.", [("paragraph", True)]),
        ("2 pegs.", [("paragraph", True)]),
        ("> One.", [("paragraph", True)]),
    ],
)
def test_lists_and_paragraphs_are_told_from_their_lines(answer: str, expected: list[tuple[str, bool]]) -> None:
    assert [(one.kind, one.first) for one in said(answer)] == expected


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("It is" + " " * 201, "white-space"),
        ("\n" * 201, "white-space"),
        ("<think>" + "\t" * 201, "white-space"),
        ("It is light. " * 3, "same sentence"),
        ("- It is light [spec:a].\n" * 3, "same sentence"),
        ("It is light.\nIt IS light.\n- it is light.", "same sentence"),
        ("very " * 201, "without end"),
        ("word" * 251, "without end"),
        ("# " + "[spec:a]" * 126, "without end"),
        ("|" + " --- |" * 700, "without end"),
        ("missing: " + "x" * 1_000, "without end"),
    ],
)
def test_an_answer_that_runs_away_is_stopped(answer: str, reason: str) -> None:
    with pytest.raises(RunawayAnswerError, match=reason):
        read(answer)


@pytest.mark.parametrize(
    "answer",
    ["It is" + " " * 200 + "light.", "It is light. " * 2, "very " * 190 + "light.", "It is " + "[spec:a]" * 50 + "."],
)
def test_an_answer_within_the_limits_is_read(answer: str) -> None:
    assert said(answer)


def test_what_was_certain_before_an_answer_ran_away_is_given_first() -> None:
    (_, sentences, _), ran_away = events_of(["It is light [spec:a]. It folds." + " " * 300])
    assert [one.text for one in sentences] == ["It is light."]
    assert ran_away


def test_closing_twice_gives_nothing_more() -> None:
    stream = SentenceStream(IDS)
    given = [*stream.feed("It is light."), *stream.close()]
    assert given
    assert list(stream.close()) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_every_line_break_ends_a_line(end: str) -> None:
    assert texts(f"- One{end}- Two{end}") == ["One", "Two"]
