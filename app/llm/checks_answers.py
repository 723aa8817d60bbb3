"""Three small requests: whether answers stream, and whether a grammar and a schema hold them."""

import json
import secrets
from contextlib import closing

from app.llm.answer import CUT_OFF
from app.llm.client import ServedModel
from app.llm.finding import Finding
from app.llm.unusable import UnusableRequestError
from graph.llm.model import LanguageModelError, Prompt, Request

STATIC = "You are tested for whether you answer."
LEAST_PIECES = 2
RAN_ON = "the answer runs on up to its limit, as models do that are free to write white space"
SHORT, LONGER = 24, 64
"""Most tokens of an answer; one that is cut off there is no fault where its words are free."""

_VERSION = "It must know structured_outputs, as vLLM does from 0.12 on."
_CONFIG = "Start the server with --structured-outputs-config as `footnote vllm` prints it, without a reasoning parser."
_INSTEAD = "FOOTNOTE_LLM__STRUCTURED=off asks without; answers are then read and checked all the same."


def check_streaming(model: ServedModel) -> Finding:
    """Whether an answer comes in pieces."""
    pieces, reason = 0, "nothing came"
    try:
        with closing(model.stream(_request("Name ten fruits.", SHORT))) as stream:
            for piece in stream:
                pieces += bool(piece.text)
    except UnusableRequestError as error:
        # With many pieces it was cut off at the limit, which is no fault.
        reason = error.reason
    except LanguageModelError as error:
        return _no_stream(error.reason)
    if pieces < LEAST_PIECES:
        return _no_stream("the whole answer came at once" if pieces else reason)
    return Finding("streaming", "passed", "answers come in pieces")


def check_grammar(model: ServedModel) -> Finding:
    """Whether a grammar holds an answer: it allows a single one, which nothing else would lead to."""
    word = _unlikely_word()
    try:
        said = model.complete(_request("Say hello.", LONGER, grammar=f'root ::= "shelf {word}"\n')).text
    except LanguageModelError as error:
        return _unheld("grammar", error.reason)
    if said != f"shelf {word}":
        return _unheld("grammar", "the answer does not follow the grammar")
    return Finding("grammar", "passed", "the answer follows the grammar")


def check_schema(model: ServedModel) -> Finding:
    """Whether a JSON schema holds an answer; likewise."""
    word = _unlikely_word()
    schema = {
        "type": "object",
        "properties": {"shelf": {"type": "string", "enum": [word]}},
        "required": ["shelf"],
        "additionalProperties": False,
    }
    try:
        said = model.complete(_request("Say hello.", LONGER, schema=schema)).text
    except LanguageModelError as error:
        return _unheld("schema", RAN_ON if error.reason == CUT_OFF else error.reason)
    try:
        holds = json.loads(said) == {"shelf": word}
    except ValueError:
        holds = False
    if not holds:
        return _unheld("schema", "the answer does not follow the schema")
    return Finding("schema", "passed", "the answer follows the schema")


def _request(asked: str, most: int, grammar: str | None = None, schema: dict[str, object] | None = None) -> Request:
    return Request(Prompt(STATIC, "", asked), most, grammar=grammar, schema=schema)


def _unlikely_word() -> str:
    return secrets.token_hex(4)


def _no_stream(seen: str) -> Finding:
    remedy = "Look for a proxy before the server that gathers answers up, and at the server's log."
    return Finding("streaming", "failed", seen, remedy)


def _unheld(name: str, seen: str) -> Finding:
    return Finding(name, "failed", seen, f"{_CONFIG} {_VERSION} {_INSTEAD}")
