"""A draft of which not everything may be shown."""

from graph.draft import Block, Draft, Segment, Sentence


def block(*texts: str) -> Block:
    """A block whose sentences state something, but for those that end in a colon or a question mark."""
    return Block(sentences=[Sentence(segments=[Segment(text=one)], factual=one[-1] not in ":?") for one in texts])


def left(*blocks: Block, of: int) -> list[str]:
    """The texts that stay of a draft, whose blocks from `of` on are lost."""
    draft = Draft(outcome="clear", blocks=list(blocks), confidence=0.5)
    return [sentence.text for sentence in draft.left_with([*blocks[:of]]).sentences]


def test_a_lead_goes_with_the_last_of_what_it_leads_to() -> None:
    assert left(block("It fits."), block("Not for that:"), block("The red one."), of=2) == ["It fits."]
    assert left(block("Two fit:"), block("One."), block("The other."), of=2) == ["Two fit:", "One."]


def test_each_lead_has_its_own() -> None:
    assert left(block("For:"), block("Against:"), block("Heavy."), block("Light."), of=3) == ["Against:", "Heavy."]


def test_what_leads_to_nothing_from_the_start_stays() -> None:
    assert left(block("Which of these:"), block("Shall I ask?"), of=2) == ["Which of these:", "Shall I ask?"]
