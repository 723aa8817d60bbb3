"""The ways to cut: each within the budget, each quoting the document exactly."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.chunking.cutter import FixedChunker, RecursiveChunker, SemanticChunker, SentenceChunker
from ingestion.chunking.packing import Chunker
from ingestion.encoder import Vectors
from ingestion.readers.blocks import Block


def count(text: str) -> int:
    return len(text.split())


def by_first_letter(texts: Sequence[str]) -> Vectors:
    """Sentences are alike when they begin with the same letter."""
    vectors = np.zeros((len(texts), 26), dtype=np.float32)
    for row, text in enumerate(texts):
        vectors[row, ord(text[:1].lower() or "a") % 26] = 1
    return vectors


CHUNKERS: list[Chunker] = [
    RecursiveChunker(count),
    FixedChunker(count),
    SentenceChunker(count),
    SemanticChunker(count, by_first_letter),
]

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


@pytest.mark.parametrize("chunker", CHUNKERS, ids=lambda chunker: type(chunker).__name__)
@given(blocks=BLOCKS, limit=st.integers(1, 40))
@settings(max_examples=60)
def test_chunks_keep_every_word_within_the_budget(chunker: Chunker, blocks: list[Block], limit: int) -> None:
    chunks = chunker.chunk(blocks, lambda _section: limit)
    assert all(0 < count(chunk.text) <= limit for chunk in chunks)
    kept = {word for chunk in chunks for word in chunk.text.split()}
    assert kept >= {word for block in blocks for word in block.text.split()}


@pytest.mark.parametrize("chunker", CHUNKERS[1:], ids=lambda chunker: type(chunker).__name__)
@given(blocks=BLOCKS, limit=st.integers(1, 40))
@settings(max_examples=60)
def test_chunks_that_ignore_structure_are_stretches_of_the_document(
    chunker: Chunker, blocks: list[Block], limit: int
) -> None:
    headless = [Block(block.kind, block.text) for block in blocks]
    whole = "\n".join(block.text for block in headless)
    assert all(chunk.text in whole for chunk in chunker.chunk(headless, lambda _section: limit))


@given(blocks=BLOCKS, limit=st.integers(1, 40))
@settings(max_examples=60)
def test_every_line_of_a_recursive_chunk_is_a_stretch_of_a_line_of_its_section(blocks: list[Block], limit: int) -> None:
    for chunk in RecursiveChunker(count).chunk(blocks, lambda _section: limit):
        own = "\n".join(block.text for block in blocks if block.section == chunk.section).split("\n")
        assert all(any(line in written for written in own) for line in chunk.text.split("\n"))


def paragraphs(*texts: str) -> list[Block]:
    return [Block("paragraph", text) for text in texts]


def numbered(number: int, word: str = "word") -> str:
    return " ".join(f"{word}{position}" for position in range(number))


def test_fixed_windows_are_full_and_overlap_by_fifty_tokens() -> None:
    first, second, third = FixedChunker(count).chunk(paragraphs(numbered(200)), lambda _section: 100)
    assert [count(chunk.text) for chunk in (first, second)] == [100, 100]
    assert first.text.split()[-50:] == second.text.split()[:50]
    assert second.text.split()[-50:] == third.text.split()[:50]


def test_sentence_chunks_hold_whole_sentences_alone() -> None:
    text = " ".join(f"Sentence {numbered(7)} ends here." for _ in range(40))
    chunks = SentenceChunker(count).chunk(paragraphs(text), lambda _section: 64)
    assert all(chunk.text.startswith("Sentence") and chunk.text.endswith("here.") for chunk in chunks)
    assert all(count(chunk.text) == 60 for chunk in chunks[:-1])


def test_semantic_chunks_part_where_the_subject_changes() -> None:
    batteries = ["Batteries last long."] * 6
    tents = ["Tents keep dry."] * 6
    text = " ".join([*batteries, *tents])
    chunks = SemanticChunker(count, by_first_letter).chunk(paragraphs(text), lambda _section: 100)
    assert [chunk.text for chunk in chunks] == [" ".join(batteries), " ".join(tents)]


def test_semantic_chunks_of_one_subject_are_bounded() -> None:
    text = " ".join(["Batteries last long."] * 60)
    chunks = SemanticChunker(count, by_first_letter).chunk(paragraphs(text), lambda _section: 100)
    assert len(chunks) > 1
    assert all(count(chunk.text) <= 100 for chunk in chunks)


@pytest.mark.parametrize("chunker", CHUNKERS[1:], ids=lambda chunker: type(chunker).__name__)
def test_headings_stand_in_chunks_that_ignore_them_and_name_where_they_begin(chunker: Chunker) -> None:
    blocks = [
        Block("paragraph", "Text of returns.", ("Returns",), 1),
        Block("paragraph", "Text of opened items.", ("Returns", "Opened items"), 2),
    ]
    chunks = chunker.chunk(blocks, lambda _section: 100)
    assert "\n".join(chunk.text for chunk in chunks) == (
        "Returns\nText of returns.\nOpened items\nText of opened items."
    )
    assert (chunks[0].section, chunks[0].page) == (("Returns",), 1)


def test_a_heading_that_stands_in_the_text_is_not_said_twice() -> None:
    blocks = [Block("paragraph", "Cause\nIt is full.", ("Cause",))]
    assert [chunk.text for chunk in SentenceChunker(count).chunk(blocks, lambda _section: 9)] == ["Cause\nIt is full."]
