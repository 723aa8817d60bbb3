"""The ways to refine a query: each asks for its own fields alone, within bounds."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from graph.llm.dialogue import REFINEMENTS, Refinement
from tests.graph.llm.dialogue.talking import ALONE, INTENT, SIMULATED, heard

FIELDS: Mapping[Refinement, dict[str, Any]] = {
    "simplify": {"simplified_query": "tent return time"},
    "details": {"detailed_query": "How long a buyer waits after returning a tent, with limits and costs."},
    "keywords": {"keywords": ["return", "refund", "days"]},
    "simulated": {"simulated_response": SIMULATED},
    "intent+simulated": {"intent": INTENT, "simulated_response": SIMULATED},
}
SEARCHED: Mapping[Refinement, tuple[str, ...]] = {
    "simplify": ("tent return time",),
    "details": ("How long a buyer waits after returning a tent, with limits and costs.",),
    "keywords": ("return refund days",),
    "simulated": (SIMULATED,),
    "intent+simulated": (INTENT, SIMULATED),
}
SHARED = {"standalone_query": ALONE, "searchable": True, "live_agent": False}
each = pytest.mark.parametrize("way", REFINEMENTS)


def whole(way: Refinement) -> str:
    return json.dumps(SHARED | FIELDS[way])


@each
def test_each_way_searches_with_its_own_texts(way: Refinement) -> None:
    found, _ = heard(whole(way), refinement=way)
    assert (found.standalone_query, found.refined) == (ALONE, SEARCHED[way])


@each
def test_a_schema_holds_only_what_its_way_needs(way: Refinement) -> None:
    _, model = heard(whole(way), refinement=way)
    schema = model.requests[0].schema
    assert schema is not None
    assert schema["required"] == [*SHARED, *FIELDS[way]]
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == schema["required"]


@each
def test_everything_in_a_schema_is_bounded(way: Refinement) -> None:
    _, model = heard(whole(way), refinement=way)
    for field in _fields(model.requests[0].schema):
        if field["type"] == "string":
            assert 0 < field["minLength"] < field["maxLength"] <= 600
        elif field["type"] == "array":
            assert 0 < field["minItems"] < field["maxItems"] <= 10
    assert model.requests[0].max_tokens <= 400


@each
def test_the_task_tells_of_each_field_and_of_no_other(way: Refinement) -> None:
    _, model = heard(whole(way), refinement=way)
    task = model.requests[0].prompt.suffix
    others = {name for fields in FIELDS.values() for name in fields} - FIELDS[way].keys()
    assert all(f"`{name}`" in task for name in (*SHARED, *FIELDS[way]))
    assert not any(f"`{name}`" in task for name in others)


@each
def test_a_reply_of_another_way_is_refused(way: Refinement) -> None:
    other = next(name for name in REFINEMENTS if not FIELDS[name].keys() & FIELDS[way].keys())
    assert heard(whole(other), refinement=way)[0].degraded is not None


@pytest.mark.parametrize("keywords", [[], ["a"] * 11, ["x" * 41], [" "], "return", [1]])
def test_keywords_are_few_short_words(keywords: object) -> None:
    found, _ = heard(json.dumps(SHARED | {"keywords": keywords}), refinement="keywords")
    assert (found.refined, found.degraded) == ((), "rewrite: the reply does not follow its schema")


def _fields(schema: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - a JSON schema
    for field in schema["properties"].values():
        yield field
        if field["type"] == "array":
            yield field["items"]
