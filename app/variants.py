"""Variants: named sets of settings that are tried beside each other, each on a share of the conversations."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.llm.options import LlmOptions
from graph.options import GraphOptions

DEFAULT = "default"
"""What the settings as they are are called where they stand beside variants."""
CHANGEABLE = ("graph", "llm")
"""The parts of the settings that a variant has of its own."""
_SAME_FOR_ALL = {"max_query_chars", "sensitive"}
"""Options of a turn that refuse a question before it is anybody's, or that guard what must not be wrong."""
ALLOWED = ("share", *(f"graph.{name}" for name in GraphOptions.model_fields if name not in _SAME_FOR_ALL), "llm.when")
"""What a variant may set: whatever changes an answer and needs no other model, index or service."""


class Variant(BaseModel):
    """A named set of settings.

    Attributes:
        share: Probability that a new conversation is answered by it.
        graph: Its options of a turn, those that it leaves as they are among them.
        llm: The same of the served model.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    share: float = Field(gt=0, le=1)
    graph: GraphOptions
    llm: LlmOptions


def _shares(variants: dict[str, Variant]) -> dict[str, Variant]:
    if DEFAULT in variants:
        message = f"{DEFAULT} is the name of the settings as they are; choose another one"
        raise ValueError(message)
    if (total := sum(variant.share for variant in variants.values())) > 1 + 1e-9:
        message = f"the shares add up to {total:g}; they may be 1 at most, and what they leave is the default's"
        raise ValueError(message)
    return variants


Variants = Annotated[
    dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")], Variant],
    AfterValidator(_shares),
]
"""All variants by name."""


def completed(given: object, settings: Mapping[str, Any]) -> object:
    """Variants as they are written, over the settings that each leaves as they are.

    Args:
        given: What differs, by the variant's name.
        settings: The settings as they are, by name.

    Raises:
        ValueError: A variant sets something that may not differ.
    """
    if not isinstance(given, Mapping) or any(part not in settings for part in CHANGEABLE):
        return given  # what is wrong is told where the types are known
    for name, own in given.items():
        for said in _names(own):
            if said not in ALLOWED:
                message = f"variant {name} sets {said}, which none can change; what they can: {', '.join(ALLOWED)}"
                raise ValueError(message)
    as_they_are = {part: settings[part].model_dump() for part in CHANGEABLE}
    return {name: _over(as_they_are, own) if isinstance(own, Mapping) else own for name, own in given.items()}


def _names(own: object) -> Iterator[str]:
    """What a variant sets, each as the dotted name of a setting."""
    for part, value in own.items() if isinstance(own, Mapping) else ():
        nested = part in CHANGEABLE and isinstance(value, Mapping)
        yield from (f"{part}.{name}" for name in value) if nested else (part,)


def _over(base: Any, own: Any) -> Any:  # noqa: ANN401 - a tree of settings, or a value of it
    if not isinstance(base, Mapping) or not isinstance(own, Mapping):
        return own
    return {**base, **{name: _over(base.get(name), value) for name, value in own.items()}}


def assigned(thread_id: str, variants: Mapping[str, Variant]) -> str | None:
    """The variant that answers a new conversation, by a hash of its id; None for the settings as they are."""
    place = int.from_bytes(hashlib.sha256(thread_id.encode()).digest()[:8]) / 2**64
    for name, variant in sorted(variants.items()):
        place -= variant.share
        if place < 0:
            return name
    return None
