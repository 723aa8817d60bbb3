"""The spoken answer: no markers, one attribution a source, steps, rows and choices as one would tell them."""

from datetime import date
from typing import Literal

from graph.draft import Block, Segment, Sentence, Span
from graph.rendering.spoken import Attribution, SpokenAnswer
from graph.rendering.written import MarkerBook
from graph.turn import Clarification
from ingestion.evidence import Evidence
from tests.graph.fakes import saying, whole

SPEC = Evidence(evidence_id="spec:t", source_type="spec", text="Weight: 1.9 kg", title="T", row_id="t")
POLICY = Evidence(evidence_id="return_policy:r", source_type="return_policy", text="30 days.", title="R", row_id="r")
REVIEW = Evidence(evidence_id="review:r", source_type="review", text="Dry.", title="R", row_id="r")
WEIGHT = saying("The Tarn 2 weighs 1.9 kg.", whole(SPEC))
POLES = saying("The Tarn 2 has two poles.", whole(SPEC))


def speak(
    *blocks: Block,
    label: Literal["high", "medium", "low"] = "high",
    sources: tuple[Evidence, ...] = (SPEC, POLICY, REVIEW),
    clarification: Clarification | None = None,
) -> tuple[str, SpokenAnswer]:
    book = MarkerBook({item.evidence_id: item for item in sources}, "g1")
    attribution = Attribution(book, date(2026, 6, 1), label)
    writer = SpokenAnswer(attribution, names=["Tarn 2", "Tarn 3"], clarification=clarification)
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
    assert "suggest" in speak(Block(sentences=[WEIGHT]), label="medium")[0]
    assert "suggest" not in speak(Block(sentences=[WEIGHT]), label="high")[0]


def test_a_remark_is_attributed_to_no_source() -> None:
    remark = Sentence(segments=[Segment(text="What is it about?")], factual=False)
    assert speak(Block(sentences=[remark]))[0] == "What is it about?"


def test_steps_are_told_in_order_without_numbers() -> None:
    items = [saying(f"Open part {name}.", whole(POLICY)) for name in ("one", "two", "three")]
    spoken, writer = speak(Block(kind="steps", sentences=items))
    assert [spoken.index(name) for name in ("one", "two", "three")] == sorted(
        spoken.index(name) for name in ("one", "two", "three")
    )
    assert spoken.startswith("According to the return policy, first, open part one.")
    assert "1." not in spoken
    assert len(writer.sentences) == 3


def table(*cells: Sentence, names: tuple[str, ...] = ("Weight",)) -> Block:
    return Block(kind="table", columns=["", "Tarn 2", "Tarn 3"], row_names=list(names), sentences=list(cells))


def test_a_tables_row_is_told_in_one_sentence_with_each_product() -> None:
    spoken, writer = speak(table(saying("1.9 kg", whole(SPEC)), saying("2.6 kg", whole(SPEC))))
    told = "the Tarn 2 weighs one point nine kilograms, and the Tarn 3 weighs two point six kilograms."
    assert spoken == f"According to the product specification, {told}"
    assert [sentence.citations for sentence in writer.sentences] == [[1], [1]]


def test_an_attribute_without_a_verb_of_its_own_is_named_once_a_row() -> None:
    cells = [saying("105 cm", whole(SPEC)), Sentence(segments=[Segment(text="not stated")], factual=False)]
    spoken, _ = speak(table(*cells, names=("Inner height",)))
    assert spoken.count("nner height") == 1
    assert spoken.endswith("one hundred and five centimetres for the Tarn 2, and not stated for the Tarn 3.")


def test_emphasis_is_not_spoken() -> None:
    assert "*" not in speak(Block(sentences=[saying("**For:** dry.", whole(REVIEW))]))[0]


def test_the_pieces_joined_are_the_sentences() -> None:
    spoken, writer = speak(Block(sentences=[WEIGHT, POLES]), Block(sentences=[saying("Dry.", whole(REVIEW))]))
    assert spoken == " ".join(sentence.text for sentence in writer.sentences)


def test_every_citation_is_numbered_by_first_appearance() -> None:
    both = saying("It is dry and light.", Span(evidence_id="review:r", start=0, end=4), whole(SPEC))
    _, writer = speak(Block(sentences=[both, WEIGHT]))
    assert [sentence.citations for sentence in writer.sentences] == [[1, 2], [2]]


def test_steps_open_with_their_place_and_close_with_finally() -> None:
    items = [saying(f"Turn knob {name}.", whole(POLICY)) for name in ("one", "two", "three", "four", "five")]
    spoken, _ = speak(Block(kind="steps", sentences=items))
    told = [sentence.split(",")[-2].split()[-1] for sentence in spoken.split(".")[:-1]]
    assert told == ["first", "Then", "Next", "that", "Finally"]


def test_a_heading_is_left_to_the_attribution_that_names_it() -> None:
    article = Evidence("help_article:c", "help_article", "1. Open it.\n2. Close it.", "Cancel an order", "c")
    steps = Block(kind="steps", sentences=[saying("Open it.", whole(article)), saying("Close it.", whole(article))])
    heading = Block(sentences=[Sentence(segments=[Segment(text="Cancel an order:")], factual=False)])
    spoken, _ = speak(heading, steps, sources=(article,))
    assert spoken == "According to the help article “Cancel an order”, first, open it. Finally, close it."


def test_the_options_of_a_question_back_are_offered_as_a_choice() -> None:
    asked = Block(sentences=[Sentence(segments=[Segment(text="Which region?")], factual=False)])
    clarification = Clarification(question="Which region?", options=["EU", "UK", "US"])
    spoken, writer = speak(asked, clarification=clarification)
    assert spoken == "Which region? You can say “EU”, “UK” or “US”."
    assert not writer.sentences[-1].factual


def test_options_that_the_question_names_are_not_said_again() -> None:
    question = "Did you mean the Tarn 2 or the Tarn 3?"
    asked = Block(sentences=[Sentence(segments=[Segment(text=question)], factual=False)])
    clarification = Clarification(question=question, options=["Tarn 2", "Tarn 3"])
    assert speak(asked, clarification=clarification)[0] == question


def test_list_items_are_told_as_sentences() -> None:
    items = [saying("Tarn 2, $249", whole(SPEC)), saying("Tarn 3, $329", whole(SPEC))]
    spoken, _ = speak(Block(kind="bullets", sentences=items))
    assert spoken.endswith("Tarn 3, three hundred and twenty-nine dollars.")
    assert "dollars. Tarn 3" in spoken
