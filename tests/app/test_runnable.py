"""The assistant as a link of another chain."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnableConfig

from app import Assistant
from app.settings import Settings


@pytest.fixture
def assistant(index: Path, tmp_path: Path) -> Iterator[Assistant]:
    settings = Settings(records=tmp_path / "records.sqlite", threads=tmp_path / "threads.sqlite")
    with Assistant.open(str(index), settings) as opened:
        yield opened


def test_a_message_brings_the_answer_and_the_whole_turn(assistant: Assistant) -> None:
    message = assistant.as_runnable().invoke("How heavy is the Aurora X2?")
    turn = message.response_metadata["turn"]
    assert "172 g" in str(message.content)
    assert message.content == turn["answer"]
    assert {citation["product_id"] for citation in turn["citations"]} == {"aurora-x2"}


def test_the_pieces_of_a_stream_are_the_answer_and_the_last_brings_the_turn(assistant: Assistant) -> None:
    pieces = list(assistant.as_runnable().stream("How heavy is the Aurora X2?"))
    assert "".join(str(piece.content) for piece in pieces) == pieces[-1].response_metadata["turn"]["answer"]


def test_the_thread_of_the_configuration_is_the_conversation(assistant: Assistant) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    chain = assistant.as_runnable(style="plain") | StrOutputParser()
    chain.invoke("How heavy is the Aurora X2?", config)
    assert "4,500 mAh" in "".join(chain.stream("and the battery?", config))
    assert len(assistant.records.history("t")) == 2


def test_an_asynchronous_chain_may_ask_it_too(assistant: Assistant) -> None:
    message: AIMessage = asyncio.run(assistant.as_runnable().ainvoke("How heavy is the Aurora X2?"))
    assert "172 g" in str(message.content)
