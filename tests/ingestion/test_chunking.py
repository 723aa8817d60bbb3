"""Chunking along the structure of a document, within the model's window."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.chunking import chunked
from ingestion.readers.blocks import Block


def count(text: str) -> int:
    return len(text.split())


def chunks(blocks: list[Block], limit: int = 100, overlap: int = 50) -> list[tuple[tuple[str, ...], str]]:
    found = chunked(blocks, lambda _section: limit, count, overlap)
    return [(chunk.section, chunk.text) for chunk in found]


def texts(blocks: list[Block], limit: int = 100, overlap: int = 50) -> list[str]:
    return [text for _, text in chunks(blocks, limit, overlap)]


def sentences(number: int, first: int = 0) -> str:
    return " ".join(f"This is sentence number {position} of it." for position in range(first, first + number))


def test_a_section_that_fits_is_one_chunk() -> None:
    blocks = [
        Block("paragraph", "Do this:", ("A",)),
        Block("list", "1. One\n2. Two", ("A",)),
        Block("paragraph", "B.", ("B",)),
    ]
    assert chunks(blocks) == [(("A",), "Do this:\n1. One\n2. Two"), (("B",), "B.")]


def test_a_page_ends_a_chunk() -> None:
    blocks = [Block("paragraph", "One.", (), 1), Block("paragraph", "Two.", (), 2)]
    assert [chunk.page for chunk in chunked(blocks, lambda _section: 100, count)] == [1, 2]


def test_steps_stay_together_where_they_fit() -> None:
    steps = "\n".join(f"{number}. Do the next thing" for number in range(1, 13))
    found = texts([Block("paragraph", sentences(8)), Block("list", steps)], 70)
    assert sum(steps in text for text in found) == 1


def test_a_table_stays_together_where_it_fits() -> None:
    table = "EU | foot length\n" + "\n".join(f"{number} | {number + 20} cm" for number in range(14))
    assert any(table in text for text in texts([Block("paragraph", sentences(8)), Block("table", table)], 70))


def test_a_question_stays_with_its_answer_where_they_fit() -> None:
    pairs = [
        Block("paragraph", text)
        for number in range(6)
        for text in (f"Can I return item {number}?", sentences(3, number * 10), sentences(1, number * 10 + 5))
    ]
    found = texts(pairs, 80)
    assert len(found) > 1
    for number in range(6):
        pair = f"Can I return item {number}?\n{sentences(3, number * 10)}\n{sentences(1, number * 10 + 5)}"
        assert any(pair in text for text in found)


def test_what_a_line_introduces_stays_with_it_where_they_fit() -> None:
    introduced = [
        Block("paragraph", "You need these things:"),
        Block("list", "\n".join(f"- item {n}" for n in range(9))),
    ]
    found = texts([Block("paragraph", sentences(9)), *introduced], 80)
    assert any("You need these things:\n- item 0" in text and "- item 8" in text for text in found)


def test_no_chunk_exceeds_the_budget_of_its_section() -> None:
    blocks = [
        Block("paragraph", sentences(60)),
        Block("list", "\n".join(f"- item {number} of a long list" for number in range(60))),
        Block("code", "x" * 50 + " y" * 300),
    ]
    assert all(count(text) <= 80 for text in texts(blocks, 80))


def test_neighbours_in_a_section_share_whole_sentences_up_to_the_overlap() -> None:
    blocks = [Block("paragraph", sentences(4, first=4 * number)) for number in range(10)]
    found = texts(blocks)
    assert len(found) > 1
    for before, after in pairwise(found):
        shared = [f"number {n} of" for n in range(40) if f"number {n} of" in before and f"number {n} of" in after]
        assert shared
        assert len(shared) * count(sentences(1)) <= 50
        assert after.startswith("This is sentence")


def test_neighbours_in_a_list_share_whole_items() -> None:
    items = [f"- item {number} with\n  - one thing below" for number in range(40)]
    first, second, *_ = texts([Block("list", "\n".join(items))])
    assert second.startswith("- item")
    assert second.split("\n  ")[0] in first


def test_nothing_is_repeated_across_headings() -> None:
    blocks = [Block("paragraph", sentences(6, first=10 * number), (str(number),)) for number in range(4)]
    found = texts(blocks, 60)
    assert sum(text.count("number") for text in found) == 24


def test_no_overlap_is_a_choice() -> None:
    found = texts([Block("paragraph", sentences(40))], overlap=0)
    assert " ".join(found) == sentences(40)


def test_a_cut_table_repeats_its_head() -> None:
    rows = "\n".join(f"{number} | {number + 20} cm" for number in range(100))
    found = texts([Block("table", f"EU | foot length\n{rows}")])
    assert len(found) > 1
    assert all(text.startswith("EU | foot length\n") for text in found)


def test_empty_cells_and_indents_stay() -> None:
    blocks = [Block("table", " | Basic | Plus\nPrice | free | "), Block("code", "  a:\n    b")]
    assert texts(blocks) == [" | Basic | Plus\nPrice | free | \n  a:\n    b"]


def test_rows_never_stand_without_the_head_of_their_table() -> None:
    table = "EU | foot length\n" + "\n".join(f"{number} | {number + 20} cm" for number in range(14))
    found = texts([Block("table", table), Block("paragraph", sentences(12))], 70)
    assert all("EU | foot length" in text for text in found if " cm" in text)


def test_a_cut_list_repeats_the_line_that_introduces_it() -> None:
    items = "\n".join(f"- item number {number} of it" for number in range(60))
    found = texts([Block("paragraph", "Not covered by the warranty:"), Block("list", items)])
    assert len(found) > 1
    assert all(text.startswith("Not covered by the warranty:\n") for text in found)


def test_a_head_that_would_fill_the_chunk_is_not_repeated() -> None:
    head = " | ".join(f"a long column name {number}" for number in range(8))
    rows = "\n".join(f"{number} | some value" for number in range(60))
    found = texts([Block("table", f"{head}\n{rows}")])
    assert sum("a long column name" in text for text in found) == 1


@pytest.mark.parametrize("limit", [12, 30, 100])
def test_every_sentence_is_in_some_chunk_and_whole(limit: int) -> None:
    found = texts([Block("paragraph", sentences(90))], limit)
    assert all(any(f"number {number} of it." in text for text in found) for number in range(90))


def test_a_sentence_too_long_for_a_chunk_is_cut_between_words_and_not_repeated() -> None:
    words = [f"word{number}" for number in range(250)]
    found = texts([Block("paragraph", " ".join(words))])
    assert " ".join(found).split() == words


def test_a_word_without_end_is_cut() -> None:
    found = chunked([Block("paragraph", "x" * 1000)], lambda _section: 100, len)
    assert "".join(chunk.text for chunk in found) == "x" * 1000
    assert all(len(chunk.text) <= 100 for chunk in found)


WORDS = st.text(alphabet="ab.?!: |-\n", min_size=1, max_size=60).filter(str.strip)
BLOCKS = st.lists(
    st.builds(
        Block,
        st.sampled_from(["paragraph", "list", "table", "code"]),
        WORDS.map(lambda text: text.strip("\n")),
        st.sampled_from([(), ("A",), ("A", "B"), ("C",)]),
    ),
    min_size=1,
    max_size=8,
).filter(lambda blocks: all(block.text.strip() for block in blocks))


@given(blocks=BLOCKS, limit=st.integers(1, 40))
@settings(max_examples=60)
def test_chunks_keep_every_word_within_the_budget(blocks: list[Block], limit: int) -> None:
    chunks = chunked(blocks, lambda _section: limit, count)
    assert all(0 < count(chunk.text) <= limit for chunk in chunks)
    kept = {word for chunk in chunks for word in chunk.text.split()}
    assert kept >= {word for block in blocks for word in block.text.split()}


@given(blocks=BLOCKS, limit=st.integers(1, 40))
@settings(max_examples=60)
def test_every_line_of_a_recursive_chunk_is_a_stretch_of_a_line_of_its_section(blocks: list[Block], limit: int) -> None:
    for chunk in chunked(blocks, lambda _section: limit, count):
        own = "\n".join(block.text for block in blocks if block.section == chunk.section).split("\n")
        assert all(any(line in written for written in own) for line in chunk.text.split("\n"))
