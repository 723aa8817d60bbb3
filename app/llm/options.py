"""The settings of a served language model: where it is, what it is asked for, and how long it is waited for."""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

Stage = Literal["rewrite", "respond", "judge"]
Where = Literal["local", "llm"]


def _address(text: str) -> str:
    try:
        parts = urlsplit(text.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(letter.isspace() for letter in text.strip()):
        message = "it must begin with http:// or https:// and a server's name, such as http://localhost:8000/v1"
        raise ValueError(message)
    if parts.username or parts.password:
        message = "a name or password in it would be logged; put the key into FOOTNOTE_LLM__API_KEY"
        raise ValueError(message)
    if parts.query or parts.fragment:
        message = "it must end before ? and #, such as http://localhost:8000/v1"
        raise ValueError(message)
    return text.strip().rstrip("/")


class LlmOptions(BaseModel):
    """One OpenAI-compatible endpoint, such as vLLM's; without `base_url` every stage is local.

    Attributes:
        base_url: Address of the endpoint, usually ending in `/v1`; none for no served model.
        model: The served model to ask, by the endpoint's name for it.
        api_key: Sent as a bearer token, where the endpoint wants one.
        tokenizer: The model's tokenizer files, whose special tokens no message may hold; without them the endpoint is
            asked at `/tokenizer_info`.
        rewrite: Who makes a question stand alone where the local rewrite is not sure.
        when: In which turns a model writes the answer: in every one, where the local answer is not sure to be right, or
            never.
        judge: Who judges answers where that is asked for.
        rewrite_always: Ask the dialogue manager in every turn, not only where the local rewrite is not sure.
        temperature: Of sampling; 0 takes the likeliest token.
        max_tokens: Most tokens of an answer.
        structured: Whether requests carry a grammar or a schema that the endpoint holds the answer to; `auto` leaves
            it off from the first time on that the endpoint refuses it.
        connect_s: Seconds to connect.
        first_token_s: Seconds until an answer begins.
        total_s: Seconds for a whole answer.
        failures: Failures in a row after which the endpoint is left alone.
        rest_s: Seconds for which it is, before one request tries it again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: Annotated[str, AfterValidator(_address)] | None = None
    model: str | None = None
    api_key: SecretStr | None = None
    tokenizer: Path | None = None
    rewrite: Where = "llm"
    when: Literal["always", "unsure", "never"] = "always"
    judge: Where = "llm"
    rewrite_always: bool = False
    temperature: float = Field(default=0.0, ge=0, le=2)
    max_tokens: int = Field(default=512, ge=1, le=8192)
    structured: Literal["auto", "on", "off"] = "auto"
    connect_s: float = Field(default=2.0, gt=0, le=60)
    first_token_s: float = Field(default=8.0, gt=0, le=600)
    total_s: float = Field(default=20.0, gt=0, le=600)
    failures: int = Field(default=3, ge=1)
    rest_s: float = Field(default=30.0, ge=0)

    @model_validator(mode="after")
    def _model_is_named(self) -> "LlmOptions":
        if self.base_url is not None and self.model is None:
            message = "base_url is set and model is not; name the served model with FOOTNOTE_LLM__MODEL"
            raise ValueError(message)
        return self

    def serves(self, stage: Stage) -> bool:
        """Whether a stage asks the served model."""
        asked = self.when != "never" if stage == "respond" else getattr(self, stage) == "llm"
        return self.base_url is not None and asked
