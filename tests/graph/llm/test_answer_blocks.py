"""What is shown of a model's answer: each sentence by itself, procedures whole."""

import pytest

from graph.draft import Block
from graph.llm.acceptance import AnswerBlocks
from graph.llm.sentence_stream import SentenceStream
from graph.parts import Question
from tests.graph.llm.questions import accepting, asked


def written(answer: str, question: Question | None = None) -> AnswerBlocks:
    """The blocks of an answer that a model wrote."""
    question = question or asked()
    blocks = AnswerBlocks(accepting(question), lambda _: None)
    stream = SentenceStream([item.evidence_id for item, _ in question.evidence])
    blocks.take([*stream.feed(answer), *stream.close()])
    blocks.close()
    return blocks


def texts(blocks: list[Block]) -> list[list[str]]:
    return [[sentence.text for sentence in block.sentences] for block in blocks]


TRUE = "The Heron 2 weighs 1.9 kg [spec:heron-2]."


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        pytest.param(TRUE, ["The Heron 2 weighs 1.9 kg."], id="what its source says is shown"),
        pytest.param("The Heron 2 weighs 2.1 kg [spec:heron-2].", [], id="another figure is not"),
        pytest.param("The Heron 2 weighs 1.9 lb [spec:heron-2].", [], id="another unit is not"),
        pytest.param("The Heron 2 weighs 2.6 kg [spec:egret-3].", [], id="a source about another product is none"),
        pytest.param("The Egret 3 weighs 1.9 kg [spec:heron-2].", [], id="nor is a source about this one for another"),
        pytest.param("The Heron 2 does not weigh 1.9 kg [spec:heron-2].", ["The Heron 2 weighs 1.9 kg."],
                     id="where it is negated its source speaks"),
        pytest.param("The Heron 2 has a packed size of 1.9 kg [spec:heron-2].", ["The Heron 2 weighs 1.9 kg."],
                     id="a value under another name gives way to its own"),
        pytest.param("The Heron 2 has 2 doors and a capacity of 42 x 14 cm [spec:heron-2].",
                     ["The packed size of the Heron 2 is 42 x 14 cm."], id="as does one of two that are mixed"),
        pytest.param("The Heron 2 weighs 1.9 kg [spec:heron-9].", ["The Heron 2 weighs 1.9 kg."],
                     id="an invented marker gives way to the source that says so"),
        pytest.param("The Heron 2 weighs 1.9 kg.", ["The Heron 2 weighs 1.9 kg."], id="as does a missing one"),
        pytest.param("The moon is made of cheese.", [], id="what no source says is not shown"),
        pytest.param("The moon is made of cheese [spec:heron-2].", [], id="whatever it cites"),
        pytest.param(f"{TRUE} {TRUE}", ["The Heron 2 weighs 1.9 kg."], id="nothing is said twice"),
        pytest.param(f"Here is what makes this tent the best in the world:\n{TRUE}", ["The Heron 2 weighs 1.9 kg."],
                     id="a lead-in that states something is left out"),
        pytest.param(f"How heavy the Heron 2 is:\n{TRUE}", ["How heavy the Heron 2 is:", "The Heron 2 weighs 1.9 kg."],
                     id="a lead-in in the question's own words leads"),
    ],
)  # fmt: skip
def test_a_sentence_is_shown_only_as_far_as_it_is_borne_out(answer: str, shown: list[str]) -> None:
    assert [text for block in texts(written(answer).blocks) for text in block] == shown


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("No. Opened pegs are not taken back [return_policy:tents].", "No."),
        ("Yes. Opened pegs are not taken back [return_policy:tents].", "Opened"),
        ("Yes, opened pegs are not taken back [return_policy:tents].", "Opened"),
    ],
)
def test_a_yes_or_no_is_shown_only_where_the_source_says_so(answer: str, first: str) -> None:
    question = asked("Are opened pegs taken back?", products=(), intents=("return_policy",))
    (block,) = written(answer, question).blocks
    assert block.sentences[0].text.startswith(first)


def test_a_procedure_is_shown_whole() -> None:
    answer = (
        "1. Lay the inner tent flat [manual:heron#2].\n"
        "2. Thread the two poles through the sleeves [manual:heron#2].\n"
        "3. Peg out the four corners [manual:heron#2]."
    )
    (block,) = written(answer, asked("How do I pitch the Heron 2?", intents=("how_to",))).blocks
    assert block.kind == "steps"
    assert len(block.sentences) == 3


def test_a_list_item_of_two_sentences_is_two_items() -> None:
    (block,) = written("- It has 2 doors [spec:heron-2]. It holds 2 people [spec:heron-2].").blocks
    assert [sentence.text for sentence in block.sentences] == ["It has 2 doors.", "It holds 2 people."]


def test_a_procedure_with_a_step_that_no_source_gives_is_not_shown_at_all() -> None:
    answer = (
        "1. Lay the inner tent flat [manual:heron#2].\n"
        "2. Soak the poles in warm oil [manual:heron#2].\n"
        "3. Peg out the four corners [manual:heron#2]."
    )
    found = written(answer, asked("How do I pitch the Heron 2?", intents=("how_to",)))
    assert found.blocks == []
    assert found.refused == 1


def test_paragraphs_and_lists_stay_apart() -> None:
    answer = f"{TRUE}\n- It has 2 doors [spec:heron-2].\n- It holds 2 people [spec:heron-2]."
    assert [block.kind for block in written(answer).blocks] == ["paragraph", "bullets"]


def test_what_was_not_shown_is_kept_with_the_words_that_failed() -> None:
    found = written(f"{TRUE} The Heron 2 has 7 doors [spec:heron-2].")
    (dropped,) = found.acceptance.dropped
    assert "7" in dropped.failing
