"""The assistant as a LangChain Runnable, so that another chain can ask it."""

from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForChainRun
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.runnables import Runnable, RunnableConfig

from app.events import AnswerPiece, Finished, TurnEvent

Ask = Callable[[str, str | None], Iterator[TurnEvent]]
"""Answers a question of a conversation piece by piece."""


class AssistantRunnable(Runnable[str, AIMessage]):
    """Takes a question and gives the answer as a message, whole or piece by piece.

    The message's `response_metadata["turn"]` is the finished turn, citations included; of a stream the last message has
    it. The conversation is that of `config["configurable"]["thread_id"]`, or a new one. Errors are those of
    `Assistant.ask`.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def invoke(self, input: str, config: RunnableConfig | None = None, **_: Any) -> AIMessage:  # noqa: A002, ANN401 - the parent's
        """Answer one question."""
        return self._call_with_config(self._answer, input, config)

    def stream(self, input: str, config: RunnableConfig | None = None, **_: Any) -> Iterator[AIMessage]:  # noqa: A002, ANN401 - the parent's
        """Answer one question piece by piece; the pieces joined are what `invoke` gives."""
        return self._transform_stream_with_config(iter([input]), self._pieces, config)

    def _answer(self, question: str, run_manager: CallbackManagerForChainRun, config: RunnableConfig) -> AIMessage:  # noqa: ARG002 - what the parent calls it with
        *_pieces, last = self._ask(question, _thread(config))
        assert isinstance(last, Finished)
        return AIMessage(content=last.turn.answer, response_metadata=_metadata(last))

    def _pieces(
        self,
        questions: Iterator[str],
        run_manager: CallbackManagerForChainRun,  # noqa: ARG002 - as above
        config: RunnableConfig,
    ) -> Iterator[AIMessage]:
        for question in questions:
            for event in self._ask(question, _thread(config)):
                if isinstance(event, AnswerPiece):
                    yield AIMessageChunk(content=event.text)
                else:
                    yield AIMessageChunk(content="", response_metadata=_metadata(event))


def _metadata(finished: Finished) -> dict[str, Any]:
    return {"turn": finished.turn.model_dump(mode="json")}


def _thread(config: RunnableConfig) -> str | None:
    return config.get("configurable", {}).get("thread_id")
