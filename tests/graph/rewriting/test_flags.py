import pytest

from graph.rewriting.flags import FlagReader, Flags
from ingestion.encoder import shared_encoder

READER = FlagReader(shared_encoder())


@pytest.mark.parametrize(
    "query",
    [
        "talk to a human",
        "Can someone call me?",
        "agent please",
        "I can't reach anyone",
        "I can’t get through to anybody",
        "human",
        "real person now!",
        "customer service",
        "let me speak with a manager",
        "Please connect me to your support team",
        "how do I speak to a real person?",
        "is there someone I can talk to?",
        "nobody answers",
        "get me a manager, this is ridiculous",
        "call me back please",
    ],
)
def test_only_a_person_is_wanted(query: str) -> None:
    assert READER.read(query) == Flags(searchable=False, live_agent=True)


@pytest.mark.parametrize(
    "query",
    [
        "no refund after 11 days; I can't reach anyone",
        "I want to talk to someone about my broken kettle",
        "My parcel never arrived. Can I speak to an agent?",
        "How do I return this? Or just let me talk to a person",
    ],
)
def test_a_person_and_an_answer_are_wanted(query: str) -> None:
    assert READER.read(query) == Flags(searchable=True, live_agent=True)


@pytest.mark.parametrize(
    "query",
    [
        "hi",
        "Hello!",
        "hi, I have a problem",
        "thanks a lot",
        "ok",
        "",
        "   ",
        "😀😀",
        "can you help me?",
        "how are you?",
    ],
)
def test_nothing_is_asked(query: str) -> None:
    assert READER.read(query) == Flags(searchable=False, live_agent=False)


@pytest.mark.parametrize(
    "query",
    [
        "what does live chat cost",
        "do real people review these products",
        "is it human hair",
        "how much weight does it support",
        "does the headset connect to a person's phone",
        "do you have customer support on weekends?",
        "is the cleaning agent safe for skin",
        "what do people say about it",
        "can it call emergency numbers",
        "how much is it?",
        "show me tents under $200",
        "hi, is the Kestrel 2 waterproof?",
        "does the manager app work offline",
        "can two people sleep in it",
    ],
)
def test_a_question_is_asked_and_no_person_wanted(query: str) -> None:
    assert READER.read(query) == Flags(searchable=True, live_agent=False)
