"""Intents: what a question asks for, how sure that is, and the branch it chooses; their table is `intents.toml`."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, TypeAdapter


class Intent(BaseModel):
    """What a decision intent asks for.

    Attributes:
        reads: Kinds of evidence that can answer it.
        first: Those that answer it best, best first.
        of_product: Whether one product answers it.
        for_shop: Whether the shop may answer it without a product.
        other_names: Whether a name in it may be that of something that is not sold, such as a payment service.
        each_product: Whether its rules are told product by product, not compared in a table.
        always_widened: Whether it is read, too, once nothing else answered.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reads: frozenset[str]
    first: tuple[str, ...]
    of_product: bool = False
    for_shop: bool = False
    other_names: bool = False
    each_product: bool = False
    always_widened: bool = False


_WRITTEN = tomllib.loads(files("graph.intents").joinpath("intents.toml").read_text(encoding="utf-8"))
INTENT_TABLE: Mapping[str, Intent] = MappingProxyType(TypeAdapter(dict[str, Intent]).validate_python(_WRITTEN))
DECISION_INTENTS = tuple(INTENT_TABLE)
NON_DECISION = "non_decision"
INTENTS = (*DECISION_INTENTS, NON_DECISION)
OF_PRODUCT = frozenset(name for name, intent in INTENT_TABLE.items() if intent.of_product)
FOR_SHOP = frozenset(name for name, intent in INTENT_TABLE.items() if intent.for_shop)
OTHER_NAMES = frozenset(name for name, intent in INTENT_TABLE.items() if intent.other_names)
EACH_PRODUCT = frozenset(name for name, intent in INTENT_TABLE.items() if intent.each_product)
ALWAYS_WIDENED = tuple(name for name, intent in INTENT_TABLE.items() if intent.always_widened)


def first_kinds(intent: str) -> tuple[str, ...]:
    """The kinds of evidence that answer an intent best, best first; none are known for a shop's own intents."""
    known = INTENT_TABLE.get(intent)
    return known.first if known else ()
