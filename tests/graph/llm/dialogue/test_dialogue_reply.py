"""What a dialogue reply is asked for: its fields alone, each within bounds."""

import json
from typing import Any

from tests.graph.llm.dialogue.talking import heard, reply


def schema() -> Any:  # noqa: ANN401 - a JSON schema
    """What the reply to a question has to follow."""
    _, model = heard(reply())
    return model.requests[0].schema


def test_a_schema_holds_the_fields_of_a_reply_and_no_other() -> None:
    assert schema()["required"] == list(schema()["properties"]) == list(json.loads(reply()))
    assert schema()["additionalProperties"] is False


def test_every_text_is_bounded() -> None:
    for field in schema()["properties"].values():
        if field["type"] == "string":
            assert 0 < field["maxLength"] <= 600
    assert heard(reply())[1].requests[0].max_tokens <= 400


def test_the_task_tells_of_each_field() -> None:
    task = heard(reply())[1].requests[0].prompt.shared
    assert all(f"`{name}`" in task for name in json.loads(reply()))
