"""Admission: what the verifier refuses is dropped before anyone sees it."""

from graph.draft import Block, Draft, Dropped, Part, Segment, Sentence
from graph.turn import Clarification, Outcome
from graph.verification.admission import admit, admit_sentences
from tests.graph.answering.asking import question, said
from tests.graph.fakes import RefusingVerifier, answer, saying
from tests.graph.shops import camping_shop

GOOD, BAD = saying("Good."), saying("A lie.")
REFUSING = RefusingVerifier("lie", support=0.8)


def remark(text: str) -> Sentence:
    return Sentence(segments=[Segment(text=text)], factual=False)


def admitted(*blocks: Block, outcome: Outcome = "clear") -> tuple[Draft, list[Dropped]]:
    draft = Draft(outcome=outcome, blocks=list(blocks), confidence=0.9)
    return admit_sentences(draft, {}, {}, REFUSING)


def texts(draft: Draft) -> list[list[str]]:
    return [[sentence.text for sentence in block.sentences] for block in draft.blocks]


def test_a_refused_sentence_is_dropped_and_named() -> None:
    draft, dropped = admitted(Block(sentences=[GOOD, BAD]))
    assert texts(draft) == [["Good."]]
    assert [one.text for one in dropped] == ["A lie."]
    assert draft.outcome == "clear"


def test_what_is_kept_carries_its_support() -> None:
    draft, _ = admitted(Block(sentences=[GOOD]))
    assert draft.blocks[0].sentences[0].support == 0.8


def test_yes_and_lead_ins_go_with_the_sentence_they_lead_to() -> None:
    draft, _ = admitted(
        Block(sentences=[GOOD]), Block(sentences=[remark("Yes."), BAD]), Block(sentences=[remark("So:"), BAD])
    )
    assert texts(draft) == [["Good."]]


def test_a_gap_that_is_named_stays() -> None:
    draft, _ = admitted(Block(sentences=[BAD, remark("The shop does not say more.")]), Block(sentences=[GOOD]))
    assert texts(draft) == [["The shop does not say more."], ["Good."]]


def test_a_table_keeps_its_shape() -> None:
    table = Block(kind="table", columns=["", "A", "B"], row_names=["Weight"], sentences=[GOOD, BAD])
    draft, dropped = admitted(table)
    assert [one.text for one in dropped] == ["A lie."]
    good, withheld = draft.blocks[0].sentences
    assert good.text == "Good."
    assert withheld.text != "A lie."
    assert not withheld.factual


def test_when_nothing_is_left_there_is_no_answer() -> None:
    draft, dropped = admitted(Block(sentences=[remark("Yes."), BAD]))
    assert [one.text for one in dropped] == ["A lie."]
    assert draft.outcome == "no_answer"
    assert draft.missing
    assert not any(sentence.factual for block in draft.blocks for sentence in block.sentences)
    assert draft.confidence < 0.5
    assert "A lie." not in str(texts(draft))


def test_other_outcomes_stay_what_they_are() -> None:
    assert admitted(Block(sentences=[remark("Which one?"), BAD]), outcome="ambiguous")[0].outcome == "ambiguous"
    assert admitted(Block(sentences=[remark("Hello.")]), outcome="non_decision")[0].outcome == "non_decision"


def test_an_honest_draft_is_left_alone() -> None:
    draft = answer(GOOD, remark("Anything else?"))
    kept, dropped = admit_sentences(draft, {}, {}, RefusingVerifier())
    assert dropped == []
    assert texts(kept) == texts(draft)


WEIGHT, WARMTH = Part(text="How heavy is it", product_id="tarn-2"), Part(text="how warm is it", product_id="tarn-2")
ASKED = question(camping_shop(), "How heavy is it and how warm is it?", "tarn-2")


def in_parts(*blocks: Block) -> Draft:
    """What is left of a draft whose blocks answer parts of a question."""
    return admit(Draft(outcome="clear", blocks=list(blocks), confidence=0.9), ASKED, REFUSING)[0]


def test_a_part_of_which_nothing_is_left_is_named_as_missing() -> None:
    draft = in_parts(Block(sentences=[GOOD], part=WEIGHT), Block(sentences=[remark("Yes."), BAD], part=WARMTH))
    assert draft.outcome == "clear"
    assert len(draft.missing) == 1
    assert "warm" in draft.missing[0]
    assert draft.confidence < 0.9
    gap = draft.blocks[-1].sentences[0]
    assert not gap.factual
    assert "Tarn 2" in gap.text
    assert "warm" in gap.text
    assert "A lie." not in said(draft)


def test_a_part_of_which_something_is_left_is_not_missing() -> None:
    draft = in_parts(Block(sentences=[BAD, GOOD], part=WEIGHT), Block(sentences=[GOOD], part=WARMTH))
    assert draft.missing == []
    assert draft.confidence == 0.9


def test_a_part_that_another_block_still_answers_is_not_missing() -> None:
    assert in_parts(Block(sentences=[BAD], part=WEIGHT), Block(sentences=[GOOD], part=WEIGHT)).missing == []


def test_what_is_asked_back_stays_at_the_end() -> None:
    asked = Clarification(question="Which region?", options=["EU", "US"])
    blocks = [Block(sentences=[GOOD], part=WEIGHT), Block(sentences=[BAD], part=WARMTH)]
    drafted = Draft(outcome="ambiguous", blocks=[*blocks, Block(sentences=[remark("Which region?")])], confidence=0.9)
    draft, _ = admit(drafted.model_copy(update={"clarification": asked}), ASKED, REFUSING)
    assert draft.missing
    assert said(draft).endswith("Which region?")


def test_a_refusal_records_every_part_that_was_lost() -> None:
    draft = in_parts(Block(sentences=[BAD], part=WEIGHT), Block(sentences=[BAD], part=WARMTH))
    assert draft.outcome == "no_answer"
    assert len(draft.missing) == 2
