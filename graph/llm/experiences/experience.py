"""An experience: what else a page can show of a turn."""

from dataclasses import dataclass
from typing import Protocol

from graph.llm.acceptance import Acceptance
from graph.llm.model import Prompt, Request
from graph.llm.prompts import prompt_text
from graph.turn import Beside


@dataclass(frozen=True, slots=True)
class ExperienceContext:
    """What an experience is about.

    Attributes:
        prompt: That of the answer; an experience changes its suffix alone.
        answer: What was answered, with the ids of its sources; empty until it is written.
        acceptance: Decides on each sentence that states something.
        judge: The model that is asked.
    """

    prompt: Prompt
    answer: str
    acceptance: Acceptance
    judge: str

    def request_prompt(self, suffix: str) -> Prompt:
        """The same prompt under the instructions of an experience, the file of that name."""
        text = prompt_text(suffix).replace("{answer}", self.answer)
        return Prompt(static=self.prompt.static, shared=self.prompt.shared, suffix=text)


class Experience(Protocol):
    """One thing that a page can show beside the answer; safe to share."""

    @property
    def name(self) -> str:
        """What it is asked for by, and the name of its suffix file."""
        ...

    @property
    def after_answer(self) -> bool:
        """Whether it reads the answer; the others run beside it."""
        ...

    def request(self, matter: ExperienceContext) -> Request:
        """What is asked of the model."""
        ...

    def read(self, text: str, matter: ExperienceContext) -> Beside:
        """What may be shown of the model's reply; empty where nothing may."""
        ...
