"""Styles: text, voice and plain tell the same verified sentences and cite the same; only the words around differ."""

import re

from hypothesis import given
from hypothesis import strategies as st

from graph.draft import Block, Draft, Segment, Sentence
from graph.rendering.spoken import writer_of
from graph.rendering.written import MarkerBook
from graph.state import CatalogResult, TurnState
from graph.turn import Citation, Confidence, ShownSentence, Style
from ingestion.evidence import Evidence
from tests.graph.fakes import make_context, saying, span_of
from tests.graph.shops import camping_shop

SHOP = camping_shop()
KINDS = ("spec", "return_policy", "delivery", "help_article", "manual", "review", "warranty")
SOURCES = {f"{kind}:s": Evidence(f"{kind}:s", kind, "It is so. It is not.", f"The {kind}", "s") for kind in KINDS}
STATEMENTS = {"It is so.": "It is so.", "Tarn 2, $249": "It is", "**For:** size": "so", "5-8 days": "It is not."}
MADE = st.builds(
    lambda text, kinds: saying(text, *(span_of(SOURCES[f"{kind}:s"], STATEMENTS[text]) for kind in kinds)),
    st.sampled_from(sorted(STATEMENTS)),
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=2, unique=True),
)
REMARKS = st.sampled_from(["The manual:", "Yes.", "Shall I ask?"]).map(
    lambda text: Sentence(segments=[Segment(text=text)], factual=False)
)
LISTS = st.builds(
    lambda kind, sentences: Block(kind=kind, sentences=sentences),
    st.sampled_from(["paragraph", "bullets", "steps"]),
    st.lists(st.one_of(MADE, REMARKS), min_size=1, max_size=4),
)
TABLES = st.builds(
    lambda cells: Block(kind="table", columns=["", "Tarn 2", "Tarn 3"], row_names=["Weight"], sentences=cells),
    st.lists(st.one_of(MADE, REMARKS), min_size=2, max_size=2),
)
DRAFTS = st.lists(st.one_of(LISTS, TABLES), min_size=1, max_size=4)


def written(blocks: list[Block], style: Style, label: str) -> tuple[str, list[ShownSentence], list[Citation]]:
    """The answer in a style, its sentences and what it cites."""
    book = MarkerBook(SOURCES, "g1")
    confidence = Confidence.model_validate({"score": 0.5, "label": label})
    draft = Draft(outcome="clear", blocks=blocks, confidence=0.5)
    writer = writer_of(draft, confidence, book, TurnState(style=style, catalog=CatalogResult()), make_context(SHOP))
    return "".join(writer.pieces(blocks)), writer.sentences, book.citations


@given(DRAFTS, st.sampled_from(["high", "medium", "low"]))
def test_all_styles_tell_the_same_facts_and_cite_the_same(blocks: list[Block], label: str) -> None:
    told = {style: written(blocks, style, label) for style in ("text", "voice", "plain")}
    _, sentences, citations = told["text"]
    facts = [(one.citations, one.support) for one in sentences if one.factual]
    for _, others, cited in told.values():
        assert cited == citations
        assert [(one.citations, one.support) for one in others if one.factual] == facts


@given(DRAFTS)
def test_only_text_shows_markers_and_only_voice_says_no_digits(blocks: list[Block]) -> None:
    text, plain, voice = (written(blocks, style, "high")[0] for style in ("text", "plain", "voice"))
    shown = "".join(text.replace("**", "").split())
    assert re.sub(r"(\[\d+\])+", "", shown) == "".join(plain.split())
    assert not re.search(r"\[\d+\]|\*\*", plain + voice)
    assert not re.search(r"\d|[|$]|\n", voice.replace("Tarn 2", "").replace("Tarn 3", "").replace("Tarn two", ""))


@given(DRAFTS)
def test_a_spoken_answer_is_its_sentences_and_nothing_else(blocks: list[Block]) -> None:
    voice, sentences, _ = written(blocks, "voice", "medium")
    assert voice == " ".join(sentence.text for sentence in sentences)
