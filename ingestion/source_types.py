"""The table of source types: the kinds of evidence, what each is called, and who answers for it."""

import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, TypeAdapter

from ingestion.stems import stem

_CORE = 3


class SourceType(BaseModel):
    """One kind of evidence.

    Attributes:
        name: What stands above a source.
        label: What a sentence calls it.
        cues: Words by which it is asked for, the most telling first.
        quote: The sentence around a quotation; empty where the shop speaks for itself.
        primary: Whether the shop answers for it; else it describes, promises or reports.
        policy: Whether these are short rules of the shop.
        timely: Whether they change, so that one says how old they are.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    label: str
    cues: tuple[str, ...] = ()
    quote: str = ""
    primary: bool = False
    policy: bool = False
    timely: bool = False

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the cues."""
        return frozenset(map(stem, self.cues))

    @cached_property
    def core(self) -> frozenset[str]:
        """Stems of the most telling cues, by which a document shows that it is about this."""
        return frozenset(map(stem, self.cues[:_CORE]))


def _read() -> Mapping[str, SourceType]:
    text = files("ingestion").joinpath("source_types.toml").read_text(encoding="utf-8")
    return MappingProxyType(TypeAdapter(dict[str, SourceType]).validate_python(tomllib.loads(text)))


SOURCE_TABLE: Mapping[str, SourceType] = _read()
SOURCE_TYPES = frozenset(SOURCE_TABLE)
PRIMARY_SOURCES = frozenset(name for name, kind in SOURCE_TABLE.items() if kind.primary)
POLICIES = frozenset(name for name, kind in SOURCE_TABLE.items() if kind.policy)
