"""What is embedded always fits into the model's window, and the text in it is whole."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from ingestion.chunking import SPECIAL_TOKENS, Cutter
from ingestion.compose import document_evidence
from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import model_folder, shared_encoder
from ingestion.evidence import Evidence
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document
from ingestion.readers.rows import DocumentMeta

PLAIN = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("C",)), max_size=80)
REPEATED = st.builds(
    lambda text, times, gap: gap.join([text] * times), PLAIN, st.integers(1, 60), st.sampled_from(["", " "])
)
"""Short texts, long ones, and words without end."""


@pytest.fixture
def cutter(encoder: TextEncoder, monkeypatch: pytest.MonkeyPatch) -> Cutter:
    """Cuts for a window of a hundred words."""
    monkeypatch.setattr(encoder, "max_tokens", 100 + SPECIAL_TOKENS)
    return Cutter(encoder)


def evidence(text: str = "", title: str = "Returns", **fields: str | tuple[str, ...]) -> Evidence:
    return replace(Evidence("help_article:r", "help_article", text, title, "r"), **fields)


@cache
def whole_text_tokenizer() -> Tokenizer:
    tokenizer: Tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def word_pieces(text: str) -> int:
    """Tokens of a text as the model itself sees it, counted all at once."""
    return len(whole_text_tokenizer().encode(text).ids)


@given(
    title=REPEATED,
    section=st.lists(REPEATED, max_size=3),
    keywords=st.lists(REPEATED, max_size=3),
    text=REPEATED.filter(str.strip),
    kind=st.sampled_from(["paragraph", "list", "table"]),
)
@settings(max_examples=150)
def test_what_is_embedded_fits_into_the_window_and_ends_with_the_whole_text(
    title: str, section: list[str], keywords: list[str], text: str, kind: str
) -> None:
    cutter = Cutter(shared_encoder())
    meta = DocumentMeta(keywords=[word for word in keywords if word.strip()])
    document = Document("d", title.strip() or "d", meta, [Block(kind, text, tuple(filter(str.strip, section)))])
    for one in document_evidence(document, cutter.document(document)):
        (embedded,) = cutter.embedded(one)
        assert embedded.endswith(one.text)
        assert word_pieces(embedded) <= shared_encoder().max_tokens


@given(REPEATED)
@settings(max_examples=200)
def test_the_tokens_of_words_add_up_to_those_of_their_text(text: str) -> None:
    assert shared_encoder().count_tokens(text) == word_pieces(text) - SPECIAL_TOKENS


def test_metadata_stands_before_the_text(cutter: Cutter) -> None:
    one = evidence("Within 30 days.", section="Opened items", keywords=("send back", "How to return"))
    assert cutter.embedded(one) == ["Returns > Opened items\nsend back, How to return\nWithin 30 days."]


def test_a_text_has_half_of_the_window_whatever_its_metadata(cutter: Cutter) -> None:
    assert cutter.text_budget("long title " * 90, ("section " * 50,), ("keyword " * 60,)) == 50


def test_keywords_are_cut_before_title_and_section(cutter: Cutter) -> None:
    keywords = [f"keyword{number}" for number in range(60)]
    one = evidence("word " * 50, title="one two three", section="four", keywords=(" ".join(keywords),))
    place, named, _ = cutter.embedded(one)[0].split("\n")
    assert (place, named) == ("one two three > four", " ".join(keywords[:45]))


def test_a_short_text_leaves_room_for_all_keywords(cutter: Cutter) -> None:
    one = evidence("Short.", keywords=tuple(f"keyword{number}" for number in range(80)))
    assert "keyword79" in cutter.embedded(one)[0]


def test_a_chunk_holds_no_more_text_than_is_asked_for() -> None:
    document = Document("d", "D", DocumentMeta(), [Block("paragraph", "A sentence of words. " * 200)])
    chunks = Cutter(shared_encoder(), 64).document(document)
    assert all(shared_encoder().count_tokens(chunk.text) <= 64 for chunk in chunks)


def test_a_long_rule_of_the_whole_shop_is_cut_and_numbered() -> None:
    cutter = Cutter(shared_encoder())
    rule = replace(
        evidence(" ".join(f"Rule {number} holds for every order." for number in range(100))),
        evidence_id="return_policy:r",
        source_type="return_policy",
    )
    parts = list(cutter.row(rule))
    assert [part.evidence_id for part in parts[:2]] == ["return_policy:r#1", "return_policy:r#2"]
    assert all(len(cutter.embedded(part)) == 1 for part in parts)
    assert all(any(f"Rule {number} " in part.text for part in parts) for number in range(100))


@pytest.mark.parametrize("kind", ["review", "description", "feature", "qa", "offer"])
def test_a_long_row_of_a_product_is_cut_and_numbered(kind: str) -> None:
    cutter = Cutter(shared_encoder())
    row = replace(evidence("A tent like no other. " * 1500), evidence_id=f"{kind}:r", source_type=kind, product_id="t")
    parts = list(cutter.row(row))
    assert [part.evidence_id for part in parts] == [f"{kind}:r#{number}" for number in range(1, len(parts) + 1)]
    assert all(part.text in row.text and len(cutter.embedded(part)) == 1 for part in parts)


def test_each_chunk_of_a_long_answer_repeats_the_question() -> None:
    cutter = Cutter(shared_encoder())
    text = f"Question: Does it leak?\nAnswer: {'It never leaked in all the years. ' * 100}"
    parts = list(cutter.row(replace(evidence(text), source_type="qa", product_id="t")))
    assert len(parts) > 1
    assert all(part.text.startswith("Question: Does it leak?\nAnswer: It never leaked") for part in parts)


def test_a_question_without_end_leaves_room_for_its_answer() -> None:
    cutter = Cutter(shared_encoder())
    text = f"Question: {'Does it leak in the rain? ' * 500}\nAnswer: {'It never leaked. ' * 200}"
    parts = list(cutter.row(replace(evidence(text), source_type="qa", product_id="t")))
    assert all("\nAnswer: It never leaked." in part.text and len(cutter.embedded(part)) == 1 for part in parts)


def test_specifications_stay_whole_and_are_embedded_in_parts() -> None:
    cutter = Cutter(shared_encoder())
    row = evidence("\n".join(f"Part {number}: steel" for number in range(300)))
    spec = replace(row, source_type="spec", product_id="tent")
    assert list(cutter.row(spec)) == [spec]
    assert len(cutter.embedded(spec)) > 1
