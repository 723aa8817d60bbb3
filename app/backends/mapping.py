"""From a backend's JSON answer to evidence, by the mapping of its settings and under the rules of the `facts` file."""

from collections.abc import Sequence

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import JsonValue, ValidationError

from app.backends.options import PLACE, BackendOptions, FactMapping
from app.backends.request import UnansweredError
from ingestion.compose import fact_evidence
from ingestion.evidence import Evidence, Product
from ingestion.readers.rows import FactRow, explain
from ingestion.readers.values import as_text
from ingestion.text_folding import LIVE_FACT_LIMIT, too_long

MOST_FACTS = 100
WHOLE_SHOP = "shop"
"""Stands in an evidence id where the product would."""

COLUMNS = (
    "product_id",
    "title",
    "url",
    "region",
    "audience",
    "membership",
    "updated_at",
    "valid_from",
    "valid_until",
)
"""Columns of a fact that are taken over as they are."""


class _UnusableFactError(ValueError):
    """A fact that cannot be evidence; the message says why."""


def facts_of(answer: JsonValue, backend: BackendOptions, product: Product | None) -> tuple[list[Evidence], list[str]]:
    """Read the facts of an answer.

    Args:
        answer: The parsed answer.
        backend: Says how to read it.
        product: The product it was asked about.

    Returns:
        The facts as evidence, and for each that cannot be used why not.

    Raises:
        UnansweredError: The answer has no facts where they should be.
    """
    items = _items(answer, backend.facts)
    facts: dict[str, Evidence] = {}
    dropped = [f"{len(items) - MOST_FACTS} facts after the first {MOST_FACTS}"] if len(items) > MOST_FACTS else []
    for number, item in enumerate(items[:MOST_FACTS], start=1):
        try:
            fact = _fact(item, number, backend, product)
        except _UnusableFactError as error:
            dropped.append(f"fact {number}: {error}")
            continue
        if fact.evidence_id in facts:
            dropped.append(f"fact {number}: its id is that of an earlier one")
        facts.setdefault(fact.evidence_id, fact)
    return list(facts.values()), dropped


def _items(answer: JsonValue, mapping: FactMapping) -> Sequence[JsonValue]:
    try:
        found: JsonValue = jmespath.search(mapping.items, answer)
    except (JMESPathError, RecursionError):
        found = None
    if isinstance(found, dict):
        return [found]
    if not isinstance(found, list):
        message = f"an answer without facts at {mapping.items!r}"
        raise UnansweredError(message)
    return found


def _fact(item: JsonValue, number: int, backend: BackendOptions, product: Product | None) -> Evidence:
    mapping = backend.facts
    row: dict[str, JsonValue] = {
        name: _value(item, expression) for name in COLUMNS if (expression := getattr(mapping, name)) is not None
    }
    row["attributes"] = {name: _value(item, expression) for name, expression in mapping.attributes.items()}
    row["text"] = _text(item, mapping, product)
    row["source_type"] = backend.source_type
    row["product_id"] = about = product.id if product else as_text(row.get("product_id")) or None
    own_id = as_text(_value(item, mapping.id)) if mapping.id else str(number)
    if not own_id:
        message = f"it has no id at {mapping.id!r}"
        raise _UnusableFactError(message)
    row["id"] = f"live/{backend.slug}/{about or WHOLE_SHOP}/{own_id}"
    try:
        checked = FactRow.model_validate(row)
    except ValidationError as error:
        raise _UnusableFactError(explain(error)) from error
    return fact_evidence(checked, {product.id: product.name} if product else {})


def _text(item: JsonValue, mapping: FactMapping, product: Product | None) -> str:
    template = mapping.text_template
    text = _composed(item, template, product) if template else as_text(_value(item, mapping.text or ""))
    if len(text) > LIVE_FACT_LIMIT:
        message = f"its text {too_long(len(text), LIVE_FACT_LIMIT)}"
        raise _UnusableFactError(message)
    return text


def _composed(item: JsonValue, template: str, product: Product | None) -> str:
    asked = {"product_name": product.name, "product_id": product.id} if product else {}

    def filled(expression: str) -> str:
        value = as_text(_value(item, expression)) or asked.get(expression)
        if value:
            return value
        message = f"it has no value at {expression!r}"
        raise _UnusableFactError(message)

    return PLACE.sub(lambda found: filled(found[1]), template)


def _value(item: JsonValue, expression: str) -> JsonValue:
    try:
        value: JsonValue = jmespath.search(expression, item)
    except (JMESPathError, RecursionError):
        message = f"{expression!r} cannot be read from it"
        raise _UnusableFactError(message) from None
    return value
