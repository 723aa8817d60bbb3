"""Chunking: along the structure, within the model's window."""

from ingestion.chunking import chunk_blocks
from ingestion.readers.blocks import Block


def count(text: str) -> int:
    return len(text.split())


def chunks(blocks: list[Block], limit: int = 100) -> list[tuple[tuple[str, ...], str]]:
    return [(chunk.section, chunk.text) for chunk in chunk_blocks(blocks, lambda _section: limit, count)]


def sentences(number: int) -> str:
    return " ".join(f"This is sentence number {position} of it." for position in range(number))


def test_a_section_that_fits_is_one_chunk() -> None:
    blocks = [
        Block("paragraph", "Do this:", ("A",)),
        Block("list", "1. One\n2. Two", ("A",)),
        Block("paragraph", "B.", ("B",)),
    ]
    assert chunks(blocks) == [(("A",), "Do this:\n1. One\n2. Two"), (("B",), "B.")]


def test_a_page_ends_a_chunk() -> None:
    blocks = [Block("paragraph", "One.", (), 1), Block("paragraph", "Two.", (), 2)]
    assert [chunk.page for chunk in chunk_blocks(blocks, lambda _section: 100, count)] == [1, 2]


def test_steps_stay_together_where_they_fit() -> None:
    steps = "\n".join(f"{number}. Do the next thing" for number in range(1, 13))
    assert steps in [text for _, text in chunks([Block("paragraph", sentences(8)), Block("list", steps)], 70)]


def test_no_chunk_exceeds_the_budget_of_its_section() -> None:
    blocks = [
        Block("paragraph", sentences(60)),
        Block("list", "\n".join(f"- item {number} of a long list" for number in range(60))),
        Block("code", "x" * 50 + " y" * 300),
    ]
    assert all(count(text) <= 80 for _, text in chunks(blocks, 80))


def test_the_pieces_of_a_cut_block_overlap() -> None:
    first, second, *_ = [text for _, text in chunks([Block("paragraph", sentences(40))])]
    assert second.startswith("This is sentence number")
    assert second[: second.index(".") + 1] in first


def test_a_cut_table_repeats_its_head() -> None:
    rows = "\n".join(f"{number} | {number + 20} cm" for number in range(100))
    pieces = [text for _, text in chunks([Block("table", f"EU | foot length\n{rows}")])]
    assert len(pieces) > 1
    assert all(piece.startswith("EU | foot length\n") for piece in pieces)


def test_every_sentence_is_in_some_chunk_and_whole() -> None:
    pieces = [text for _, text in chunks([Block("paragraph", sentences(90))])]
    assert all(any(f"number {number} of it." in piece for piece in pieces) for number in range(90))


def test_a_word_without_end_is_cut() -> None:
    pieces = chunk_blocks([Block("paragraph", "x" * 1000)], lambda _section: 100, len)
    assert "".join(piece.text for piece in pieces).count("x") >= 1000
    assert all(len(piece.text) <= 100 for piece in pieces)
