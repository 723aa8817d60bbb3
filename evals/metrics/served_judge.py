"""A served model as the judge of sentences and citations; it is not the verifier that filtered them."""

from collections.abc import Callable, Sequence

from app.errors import AppError
from app.llm.wiring import served_model
from app.settings import Settings
from evals.rows.model_readings import NoModelError
from graph.language.control_tokens import contained
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request
from graph.llm.prompts import prompt_text, static_prompt

_GRAMMAR = 'root ::= "yes" | "no"'
_MAX_TOKENS = 8


class JudgeFailedError(AppError):
    """A served judge gave no verdict."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The served model could not judge a sentence: {reason}. "
            "Check the endpoint with `footnote vllm --check`, or judge with --judge local."
        )


class ServedJudge:
    """Asks a model whether evidence supports a sentence; a grammar leaves it yes or no.

    Sentences that are judged by the same evidence share their prompt but for its end.

    Args:
        model: The served model.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"the served model {self._model.name}, asked sentence by sentence"

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        """Whether all the evidence together supports a sentence.

        Raises:
            JudgeFailedError: The model gave no verdict.
        """
        if not evidence:
            return False
        sources = "\n\n".join(map(contained, [*evidence, *([f"It is about: {known}"] if known else [])]))
        suffix = prompt_text("judge_sentence").replace("{sentence}", contained(sentence))
        prompt = Prompt(static_prompt(), f"<evidence>\n{sources}\n</evidence>\n\n", suffix)
        try:
            verdict = self._model.complete(Request(prompt, _MAX_TOKENS, grammar=_GRAMMAR)).text
        except LanguageModelError as error:
            raise JudgeFailedError(error.reason) from error
        word = verdict.strip().casefold().rstrip(".!")
        if word not in {"yes", "no"}:
            reason = "it answered neither yes nor no"
            raise JudgeFailedError(reason)
        return word == "yes"


def served_judge(settings: Callable[[], Settings] = Settings.load) -> ServedJudge:
    """The judge that the settings name.

    Raises:
        NoModelError: They name no endpoint.
        SettingsError: They cannot be used.
    """
    model = served_model(settings().llm)
    if model is None:
        raise NoModelError
    return ServedJudge(model)
