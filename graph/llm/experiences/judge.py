"""The judge: grades an answer by the evidence; it is not the verifier, and decides nothing."""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.llm.experiences.experience import ExperienceContext
from graph.llm.model import Request
from graph.turn import Beside, Judgement

_MAX_TOKENS = 60


class _Grades(BaseModel):
    model_config = ConfigDict(extra="ignore")

    relevancy: int = Field(ge=1, le=5)
    grounded: int = Field(ge=1, le=5)
    helped: bool


_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "relevancy": {"type": "integer", "minimum": 1, "maximum": 5},
        "grounded": {"type": "integer", "minimum": 1, "maximum": 5},
        "helped": {"type": "boolean"},
    },
    "required": ["relevancy", "grounded", "helped"],
    "additionalProperties": False,
}


class AnswerJudge:
    """Asks how well an answer answers and rests on its sources."""

    name = "judge"
    after_answer = True

    def request(self, matter: ExperienceContext) -> Request:
        """Three grades."""
        return Request(matter.request_prompt(self.name), _MAX_TOKENS, schema=_SCHEMA)

    def read(self, text: str, matter: ExperienceContext) -> Beside:
        """The grades, with the model's name; none where the reply holds none."""
        try:
            grades = _Grades.model_validate_json(text)
        except ValidationError:
            return Beside()
        return Beside(judgement=Judgement(judge=matter.judge, **grades.model_dump()))
