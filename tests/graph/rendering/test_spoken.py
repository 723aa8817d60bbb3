"""The spoken answer: no markers, one attribution a source, figures that can be read aloud."""

import pytest

from graph.draft import Block, Claim, Sentence, Span
from graph.rendering.markers import MarkerBook
from graph.rendering.spoken import SpokenAnswer, speakable
from ingestion.evidence import Evidence
from tests.graph.fakes import saying, whole

SPEC = Evidence(evidence_id="spec:t", source_type="spec", text="Weight: 1.9 kg", title="T", row_id="t")
POLICY = Evidence(evidence_id="return_policy:r", source_type="return_policy", text="30 days.", title="R", row_id="r")
REVIEW = Evidence(evidence_id="review:r", source_type="review", text="Dry.", title="R", row_id="r")
WEIGHT = saying("The Tarn 2 weighs 1.9 kg.", whole(SPEC))
POLES = saying("The Tarn 2 has two poles.", whole(SPEC))


def speak(*blocks: Block, confidence: float = 0.9) -> tuple[str, SpokenAnswer]:
    book = MarkerBook({item.evidence_id: item for item in (SPEC, POLICY, REVIEW)}, "g1")
    writer = SpokenAnswer(book, confidence)
    return "".join(writer.pieces(blocks)), writer


def test_there_are_no_markers_and_the_citations_are_known() -> None:
    spoken, writer = speak(Block(sentences=[WEIGHT]))
    assert "[" not in spoken
    assert writer.sentences[0].citations == [1]


def test_figures_are_words() -> None:
    spoken, _ = speak(Block(sentences=[WEIGHT]))
    assert "one point nine kilograms" in spoken
    assert not any(sign.isdigit() for sign in spoken.replace("Tarn 2", "").replace("two", ""))


def test_a_source_is_named_once() -> None:
    policy = saying("You can return it.", whole(POLICY))
    spoken, _ = speak(Block(sentences=[WEIGHT, POLES, policy]))
    assert spoken.lower().count("specification") == 1
    assert spoken.lower().count("return policy") == 1


def test_a_quotation_already_says_who_speaks() -> None:
    spoken, _ = speak(Block(sentences=[saying("A customer writes: “Dry.”", whole(REVIEW))]))
    assert spoken == "A customer writes: “Dry.”"


def test_what_is_less_sure_is_said_so() -> None:
    assert "suggest" in speak(Block(sentences=[WEIGHT]), confidence=0.6)[0]
    assert "suggest" not in speak(Block(sentences=[WEIGHT]), confidence=0.9)[0]


def test_a_remark_is_attributed_to_no_source() -> None:
    remark = Sentence(claims=[Claim(text="What is it about?")], factual=False)
    assert speak(Block(sentences=[remark]))[0] == "What is it about?"


def test_steps_are_told_in_order_without_numbers() -> None:
    items = [saying(f"Open part {name}.", whole(POLICY)) for name in ("one", "two", "three")]
    spoken, writer = speak(Block(kind="steps", sentences=items))
    assert [spoken.index(name) for name in ("one", "two", "three")] == sorted(
        spoken.index(name) for name in ("one", "two", "three")
    )
    assert spoken.startswith("First")
    assert "1." not in spoken
    assert len(writer.sentences) == 3


def test_a_tables_cell_is_told_with_its_row_and_its_product() -> None:
    cells = [saying("1.9 kg", whole(SPEC)), Sentence(claims=[Claim(text="not stated")], factual=False)]
    block = Block(kind="table", columns=["", "Tarn 2", "Tarn 3"], row_names=["Weight"], sentences=cells)
    spoken, _ = speak(block)
    assert "|" not in spoken
    assert spoken.count("Weight") == 2
    assert "kilograms" in spoken


def test_emphasis_is_not_spoken() -> None:
    assert "*" not in speak(Block(sentences=[saying("**For:** dry.", whole(REVIEW))]))[0]


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$249", "two hundred and forty-nine dollars"),
        ("€9", "nine euros"),
        ("4,500 mAh", "four thousand, five hundred milliamp hours"),
        ("20%", "twenty percent"),
        ("60 °C", "sixty degrees Celsius"),
        ("6.1-inch", "six point one inch"),
        ("since 2026", "since 2026"),
        ("IP68", "IP68"),
        ("Aurora X2", "Aurora X2"),
    ],
)
def test_units_currencies_and_figures_are_speakable(written: str, spoken: str) -> None:
    assert speakable(written) == spoken


def test_the_pieces_joined_are_the_sentences() -> None:
    spoken, writer = speak(Block(sentences=[WEIGHT, POLES]), Block(sentences=[saying("Dry.", whole(REVIEW))]))
    assert spoken == " ".join(sentence.text for sentence in writer.sentences)


def test_every_citation_is_numbered_by_first_appearance() -> None:
    both = saying("It is dry and light.", Span(evidence_id="review:r", start=0, end=4), whole(SPEC))
    _, writer = speak(Block(sentences=[both, WEIGHT]))
    assert [sentence.citations for sentence in writer.sentences] == [[1, 2], [2]]
