"""Questions as a served model reads them: the dialogue manager over written conversations, and what it costs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from app.errors import InputError
from app.settings import Settings
from evals.report import ModelUse
from evals.rows.row import Message
from evals.rows.written_conversations import rewritten
from graph.llm.dialogue import DialogueManager, Refinement
from graph.parts import Rewrite, Rewriter
from graph.rewriting.scene import NameFinder
from graph.turn import Usage

if TYPE_CHECKING:
    from graph.llm.model import LanguageModel


class NoModelError(InputError):
    """A served model is asked for and the settings name none."""

    def __init__(self) -> None:
        super().__init__(
            "This evaluation asks a served model and the settings name none. Set FOOTNOTE_LLM__BASE_URL to the address "
            "of an OpenAI-compatible endpoint, such as http://localhost:8000/v1, and FOOTNOTE_LLM__MODEL to its model."
        )


@dataclass(frozen=True, slots=True)
class ModelReadings:
    """Reads the last question of each conversation by asking a model, and keeps what came of it.

    Attributes:
        model: What is asked, in every row.
        refinement: Which texts it gives to search with.
        readings: What came of each question, in the order in which they were asked.
    """

    model: "LanguageModel"
    refinement: Refinement
    readings: list[Rewrite] = field(default_factory=list)

    def __call__(self, history: Sequence[Message], query: str, context: Sequence[str] = ()) -> Rewrite:
        """The question as the model reads it; where that is refused, as the local rewriter does."""
        self.readings.append(rewritten(history, query, context, self._around))
        return self.readings[-1]

    def use(self, rows: int) -> ModelUse:
        """What the latest readings cost, one a row; those that warmed up came before."""
        latest = self.readings[-rows:]
        usage = reduce(add, (reading.usage for reading in latest), Usage())
        fell_back = Counter(reading.degraded for reading in latest if reading.degraded)
        return ModelUse(
            model=self.model.name,
            refinement=self.refinement,
            calls=usage.llm_calls,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            completion_tokens=usage.completion_tokens,
            fell_back=fell_back.total(),
            reasons=dict(fell_back.most_common()),
        )

    def _around(self, local: Rewriter, names: NameFinder) -> Rewriter:
        return DialogueManager(local, self.model, names, self.refinement, always=True)


def model_readings(refinement: Refinement | None = None) -> ModelReadings:
    """Readings by the endpoint of the settings.

    Args:
        refinement: Which texts it gives to search with; as the settings say if None.

    Raises:
        NoModelError: The settings name no endpoint.
    """
    from app.llm.wiring import served_model  # noqa: PLC0415 - heavy

    options = Settings.load().llm
    model = served_model(options)
    if model is None:
        raise NoModelError
    return ModelReadings(model, refinement or options.refinement)
