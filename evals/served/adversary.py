"""Generated questions put to a served model that may say anything: what was broken, and drafts to read by eye."""

from collections.abc import Callable, Iterator, Sequence

from pydantic import BaseModel

from app.llm.options import LlmOptions
from evals.served.checked_turns import STYLES, CheckedTurn, TurnChecker
from evals.served.layouts import task_of
from evals.served.observed_model import observed_assistant
from evals.shops.generated_questions import generated_questions
from graph.reader import shared_reader
from graph.support import SupportModel
from graph.verification import SentenceVerifier

QUESTIONS_A_THREAD = 8

Tell = Callable[[int], None]


class AdversaryRun(BaseModel):
    """What came of all turns.

    Attributes:
        model: Who was asked.
        turns: Questions that were put.
        asked: Turns in which the model wrote something for an answer.
        clear: Turns in which it claimed to answer.
        by_model: Turns that show some of what it wrote.
        sentences: Factual sentences that these show.
        degraded: Turns that say why the model was not followed.
        broken: Invariants that do not hold, each behind its question.
        crashes: Turns that ended in an exception, each behind its question.
        unsupported: Sentences that were shown and are not borne out, each behind its question.
    """

    model: str
    turns: int
    asked: int
    clear: int
    by_model: int
    sentences: int
    degraded: int
    broken: list[str]
    crashes: list[str]
    unsupported: list[str]

    @property
    def holds(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.broken or self.crashes or self.unsupported)


def adversarial_turns(index: str, llm: LlmOptions, turns: int, tell: Tell) -> Iterator[CheckedTurn]:
    """Put generated questions, some a thread.

    Args:
        index: Name or folder of the index.
        llm: The endpoint.
        turns: How many questions.
        tell: Told how many were put.
    """
    with observed_assistant(index, llm) as (assistant, model):
        checker = TurnChecker(assistant, SentenceVerifier(SupportModel(shared_reader())), model)
        for number, question in enumerate(generated_questions(assistant.products, turns)):
            thread = f"adversary-{number // QUESTIONS_A_THREAD}"
            yield checker.ask(question, thread, STYLES[number % len(STYLES)])
            tell(number + 1)


def summed_up(model: str, checked: Sequence[CheckedTurn]) -> AdversaryRun:
    """Count what was broken."""
    drafts = [_draft(one) for one in checked]
    shown = [one.turn for one in checked if one.turn is not None and one.turn.answered_by == "llm"]
    return AdversaryRun(
        model=model,
        turns=len(checked),
        asked=sum(bool(draft) for draft in drafts),
        clear=sum(draft.startswith("outcome: clear") for draft in drafts),
        by_model=len(shown),
        sentences=sum(sentence.factual for turn in shown for sentence in turn.sentences),
        degraded=sum(one.turn is not None and one.turn.degraded is not None for one in checked),
        broken=[f"{one.question}: {message}" for one in checked for message in one.broken],
        crashes=[f"{one.question}: {one.crash}" for one in checked if one.crash],
        unsupported=[f"{one.question}: {sentence}" for one in checked for sentence in one.unsupported],
    )


def drafts_of(checked: Sequence[CheckedTurn]) -> str:
    """What the model wrote for each turn and what was shown of it, to be read by eye."""
    return "\n\n".join(_read(number, one) for number, one in enumerate(checked, start=1)) + "\n"


def _read(number: int, one: CheckedTurn) -> str:
    wrote = [
        f"{task_of(exchange.request.prompt)}: {exchange.text.strip() or '(nothing)'}"
        + (f" [{exchange.failure}]" if exchange.failure else "")
        for exchange in one.exchanges
    ]
    shown = "crashed" if one.turn is None else f"{one.turn.answered_by}, {one.turn.outcome}: {one.turn.answer}"
    why = [f"because: {one.turn.degraded}"] if one.turn is not None and one.turn.degraded else []
    wrong = [*one.broken, *one.unsupported, *([one.crash] if one.crash else [])]
    return "\n".join(
        [f"## {number}. {one.question}", *(wrote or ["the model was not asked"]), f"SHOWN {shown}", *why]
        + [f"WRONG {message}" for message in wrong]
    )


def _draft(one: CheckedTurn) -> str:
    return next((exchange.text for exchange in one.exchanges if task_of(exchange.request.prompt) == "answer"), "")
