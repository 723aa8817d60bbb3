"""The written answer: Markdown with markers, or words alone; nothing a source says breaks either."""

import re

import pytest

from graph.draft import Block, Segment, Sentence, Span
from graph.rendering.written import MarkerBook, WrittenAnswer
from ingestion.evidence import Evidence
from tests.graph.fakes import saying

SOURCE = Evidence(
    evidence_id="spec:t", source_type="spec", text="Weight: 1.9 kg\nPoles: Aluminium", title="T", row_id="t"
)
WEIGHT = Span(evidence_id="spec:t", start=0, end=14)
POLES = Span(evidence_id="spec:t", start=15, end=31)
GREETING = Sentence(segments=[Segment(text="Hello.")], factual=False)


def write(*blocks: Block, marked: bool = True) -> tuple[str, WrittenAnswer]:
    writer = WrittenAnswer(MarkerBook({"spec:t": SOURCE}, "g1"), marked=marked)
    return "".join(writer.pieces(blocks)), writer


def table(*cells: Sentence, names: tuple[str, ...] = ("Weight", "Poles")) -> Block:
    return Block(kind="table", columns=["", "Tarn 2", "Tarn 3"], row_names=list(names), sentences=list(cells))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It weighs 1.9 kg.", "It weighs 1.9 kg [1]."),
        ("Is it 1.9 kg?", "Is it 1.9 kg [1]?"),
        ("1.9 kg", "1.9 kg [1]"),
        ("It weighs 1.9 kg:", "It weighs 1.9 kg [1]:"),
    ],
)
def test_a_marker_stands_before_the_closing_punctuation(text: str, written: str) -> None:
    assert write(Block(sentences=[saying(text, WEIGHT)]))[0] == written


def test_a_claims_markers_stand_at_its_own_end() -> None:
    claims = [Segment(text="It weighs 1.9 kg", spans=[WEIGHT]), Segment(text=" on Aluminium poles.", spans=[POLES])]
    assert write(Block(sentences=[Sentence(segments=claims)]))[0] == "It weighs 1.9 kg [1] on Aluminium poles [2]."


def test_a_span_cited_twice_in_one_claim_has_one_marker() -> None:
    assert write(Block(sentences=[saying("It weighs 1.9 kg.", WEIGHT, WEIGHT)]))[0].count("[1]") == 1


def test_a_greeting_has_no_marker() -> None:
    answer, writer = write(Block(sentences=[GREETING, saying("It weighs 1.9 kg.", WEIGHT)]))
    assert answer == "Hello. It weighs 1.9 kg [1]."
    assert [sentence.citations for sentence in writer.sentences] == [[], [1]]
    assert [sentence.factual for sentence in writer.sentences] == [False, True]


def test_paragraphs_lists_and_steps_are_markdown() -> None:
    items = [saying("Open it.", WEIGHT), saying("Close it.", POLES)]
    answer, _ = write(
        Block(sentences=[GREETING]), Block(kind="steps", sentences=items), Block(kind="bullets", sentences=items)
    )
    assert answer == "Hello.\n\n1. Open it [1].\n2. Close it [2].\n\n- Open it [1].\n- Close it [2]."


def test_sentences_are_kept_without_markers_and_with_their_support() -> None:
    sentence = saying("It weighs 1.9 kg.", POLES, WEIGHT).model_copy(update={"support": 0.8})
    [shown] = write(Block(sentences=[sentence]))[1].sentences
    assert (shown.text, shown.citations, shown.support) == ("It weighs 1.9 kg.", [1, 2], 0.8)


def test_a_table_has_a_row_a_name_and_a_marker_in_each_cell() -> None:
    unknown = Sentence(segments=[Segment(text="not stated")], factual=False)
    answer, writer = write(table(saying("1.9 kg", WEIGHT), unknown, saying("Aluminium", POLES), unknown))
    head, rule, weight, poles = answer.split("\n")
    assert head == "|  | Tarn 2 | Tarn 3 |"
    assert set(rule) <= set("|- ")
    assert weight == "| Weight | 1.9 kg [1] | not stated |"
    assert poles == "| Poles | Aluminium [2] | not stated |"
    assert len(writer.sentences) == 4


@pytest.mark.parametrize("text", ["a | b", "a\nb", "a || b\n\nc"])
def test_a_cell_cannot_break_its_table(text: str) -> None:
    unknown = Sentence(segments=[Segment(text="not stated")], factual=False)
    answer, writer = write(table(saying(text, WEIGHT), unknown, names=(text,)))
    lines = answer.split("\n")
    assert len(lines) == 3
    assert [line.count("|") for line in lines] == [4, 4, 4]
    assert writer.sentences[0].text in answer


def test_plain_has_no_markers_and_no_emphasis_but_knows_its_citations() -> None:
    block = Block(sentences=[saying("**For:** it weighs 1.9 kg.", WEIGHT)])
    answer, writer = write(block, marked=False)
    assert answer == "For: it weighs 1.9 kg."
    assert writer.sentences[0].citations == [1]


@pytest.mark.parametrize("marked", [True, False])
def test_the_pieces_joined_hold_every_sentence(marked: bool) -> None:  # noqa: FBT001 - a parameter of the test
    blocks = [
        Block(sentences=[GREETING, saying("It weighs 1.9 kg.", WEIGHT)]),
        table(saying("a", WEIGHT), saying("b", POLES), names=("x",)),
    ]
    answer, writer = write(*blocks, marked=marked)
    unmarked = re.sub(r" \[\d+\]", "", answer)
    assert all(sentence.text in unmarked for sentence in writer.sentences)
