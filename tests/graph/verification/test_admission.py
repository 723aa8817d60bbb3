"""Admission: what the verifier refuses is dropped before anyone sees it."""

from graph.draft import Block, Claim, Draft, Sentence
from graph.parts import Dropped
from graph.turn import Outcome
from graph.verification.admission import admit_sentences
from tests.graph.fakes import RefusingVerifier, answer, saying

GOOD, BAD = saying("Good."), saying("A lie.")
REFUSING = RefusingVerifier("lie", support=0.8)


def remark(text: str) -> Sentence:
    return Sentence(claims=[Claim(text=text)], factual=False)


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
