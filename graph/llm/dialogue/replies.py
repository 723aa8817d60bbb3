"""What a model replies as dialogue manager: one schema for each way to refine a query.

The ways are those of Fuchs and Ekimov, "Optimizing Retrieval-Augmented Generation for E-Commerce How-To Assistance"
(section 4.4 and Table 7). A schema asks for nothing that its way does not search with.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Refinement = Literal["simplify", "details", "keywords", "simulated", "intent+simulated"]
REFINEMENTS: tuple[Refinement, ...] = get_args(Refinement)

LONGEST_QUERY = 400
"""Code points of a standalone query, at most."""

_Sentence = Annotated[str, Field(min_length=1, max_length=240)]
_Passage = Annotated[str, Field(min_length=1, max_length=600)]
_Keyword = Annotated[str, Field(min_length=1, max_length=40)]


class DialogueReply(BaseModel):
    """What every way asks for: the question as it stands alone, and both flags."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, str_strip_whitespace=True)

    standalone_query: str = Field(min_length=1, max_length=LONGEST_QUERY)
    searchable: bool
    live_agent: bool

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question."""
        return ()


class SimplifiedReply(DialogueReply):
    """The question without what is said around it."""

    simplified_query: _Sentence

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question."""
        return (self.simplified_query,)


class DetailedReply(DialogueReply):
    """The question with the details that it leaves open."""

    detailed_query: _Passage

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question."""
        return (self.detailed_query,)


class KeywordsReply(DialogueReply):
    """Words that a document on the matter holds."""

    keywords: list[_Keyword] = Field(min_length=1, max_length=10)

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question."""
        return (" ".join(self.keywords),)


class SimulatedReply(DialogueReply):
    """An answer as a document would word it (HyDE, Gao et al., 2023); it is searched with, never shown."""

    simulated_response: _Passage

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question."""
        return (self.simulated_response,)


class IntentSimulatedReply(DialogueReply):
    """A statement of what the customer wants, then such an answer."""

    intent: _Sentence
    simulated_response: _Passage

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question."""
        return (self.intent, self.simulated_response)


FORMS: Mapping[Refinement, type[DialogueReply]] = {
    "simplify": SimplifiedReply,
    "details": DetailedReply,
    "keywords": KeywordsReply,
    "simulated": SimulatedReply,
    "intent+simulated": IntentSimulatedReply,
}

MAX_TOKENS: Mapping[Refinement, int] = {
    "simplify": 220,
    "details": 300,
    "keywords": 280,
    "simulated": 300,
    "intent+simulated": 380,
}
"""Room for every field at its longest, in English, and no more: what runs on is cut off early."""


def schema_of(form: type[DialogueReply]) -> dict[str, Any]:
    """The JSON schema of a reply: types and bounds alone, since the instructions tell what the fields mean."""
    schema = form.model_json_schema()
    fields = {name: _without_titles(field) for name, field in schema["properties"].items()}
    return {"type": "object", "properties": fields, "required": schema["required"], "additionalProperties": False}


def parsed(text: str, form: type[DialogueReply]) -> DialogueReply:
    """A reply as it was written, perhaps with words or a fence around it.

    Raises:
        ValueError: It does not follow the schema.
    """
    return form.model_validate_json(text[text.find("{") : text.rfind("}") + 1])


def _without_titles(field: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in field.items() if name != "title"}
