"""A served model over real HTTP: what it is asked, how its answers are read, and how requests end."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from langgraph.graph import START, StateGraph
from pydantic import SecretStr

from app.llm.answer import BROKEN
from app.llm.breaker import UnusableRequestError
from app.llm.client import ServedModel
from app.llm.options import LlmOptions
from graph.llm.model import LanguageModelError
from graph.turn import Usage
from tests.app.llm.asking import KEY, SCHEMA, TEXT, Open, Scripted, failure, request, streamed
from tests.llm_server.script import Fault, Script
from tests.llm_server.server import Body, LlmServer


def test_an_answer_comes_whole_with_what_it_cost(scripted: Scripted, model: Open) -> None:
    scripted.says(Script("It weighs 1.9 kg."))
    served = model()
    first, second = served.complete(request()), served.complete(request("Suggest."))
    assert first.text == second.text == "It weighs 1.9 kg."
    assert (first.usage.llm_calls, first.usage.cached_tokens, first.usage.completion_tokens) == (1, 0, 10)
    assert first.usage.prompt_tokens > second.usage.cached_tokens > 0.8 * second.usage.prompt_tokens


def test_and_piece_by_piece_with_the_cost_at_the_end(scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT))
    *pieces, last = model().stream(request())
    assert len(pieces) > 10
    assert "".join(piece.text for piece in pieces) == TEXT
    assert all(piece.usage is None for piece in pieces)
    assert last.text == ""
    assert last.usage
    assert last.usage.llm_calls == 1


def test_what_is_shared_comes_first_and_in_two_messages(llm: LlmServer, model: Open) -> None:
    asked = request()
    model(temperature=0.3).complete(asked)
    body = llm.requests[0]
    assert body["messages"] == [
        {"role": "system", "content": asked.prompt.static},
        {"role": "user", "content": asked.prompt.shared + asked.prompt.suffix},
    ]
    assert (body["model"], body["max_completion_tokens"], body["temperature"]) == ("scripted", 400, 0.3)
    assert body["stream_options"] == {"include_usage": True}
    assert not body.keys() & {"structured_outputs", "response_format"}


def test_a_grammar_and_a_schema_go_with_the_request(llm: LlmServer, model: Open) -> None:
    served = model()
    served.complete(request(grammar='root ::= "clear"'))
    served.complete(request(schema=SCHEMA))
    assert llm.requests[0]["structured_outputs"] == {"grammar": 'root ::= "clear"'}
    assert llm.requests[1]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }


@pytest.mark.parametrize("refusal", [Script(status=400), Script(status=422), Script(fault=Fault.REFUSED_IN_STREAM)])
def test_an_endpoint_that_refuses_grammars_is_asked_plainly_from_then_on(
    refusal: Script, scripted: Scripted, llm: LlmServer, model: Open
) -> None:
    scripted.answer = lambda body: refusal if "structured_outputs" in body else Script("clear")
    served = model()
    usages = [served.complete(request(grammar="root ::= .")).usage.llm_calls for _ in range(2)]
    assert usages == [2, 1]
    assert ["structured_outputs" in body for body in llm.requests] == [True, False, False]
    served.complete(request(schema=SCHEMA))
    assert "response_format" in llm.requests[-1]


def test_a_bad_prompt_is_not_taken_for_a_refused_grammar(scripted: Scripted, llm: LlmServer, model: Open) -> None:
    served = model()
    scripted.says(Script(status=400))
    refused = failure(served, request(grammar="root ::= ."))
    assert isinstance(refused, UnusableRequestError)
    assert (refused.reason, refused.usage) == ("status 400", Usage(llm_calls=2))
    scripted.says(Script(fault=Fault.REFUSED_IN_STREAM))
    assert isinstance(failure(served), UnusableRequestError)
    scripted.says(Script("clear"))
    served.complete(request(grammar="root ::= ."))
    assert "structured_outputs" in llm.requests[-1]


@pytest.mark.parametrize(("structured", "sent"), [("on", [True]), ("off", [False])])
def test_grammars_can_be_insisted_on_or_left_off(
    structured: str, sent: list[bool], scripted: Scripted, llm: LlmServer, model: Open
) -> None:
    scripted.says(Script(status=422))
    assert failure(model(structured=structured), request(grammar="root ::= .")).reason == "status 422"
    assert ["structured_outputs" in body for body in llm.requests] == sent


def test_closing_a_stream_ends_the_request(scripted: Scripted, llm: LlmServer, model: Open) -> None:
    scripted.says(Script(TEXT * 50, pause_s=0.01))
    pieces = model().stream(request())
    assert next(pieces).text == "clear"
    pieces.close()
    assert llm.wait_until_left()


@pytest.mark.parametrize("fault", [Fault.HUGE, Fault.HUGE_EVENT])
def test_an_answer_that_is_given_up_is_not_read_on(
    fault: Fault, scripted: Scripted, llm: LlmServer, model: Open
) -> None:
    scripted.says(Script(TEXT, fault, pause_s=0.0005))
    failure(model(), request(max_tokens=8000))
    assert llm.wait_until_left()


def test_closing_the_model_ends_what_is_being_answered(scripted: Scripted, llm: LlmServer) -> None:
    scripted.says(Script(TEXT, Fault.STALL))
    served = ServedModel(LlmOptions(base_url=llm.url, model=llm.model, api_key=SecretStr(KEY)))
    pieces = served.stream(request())
    next(pieces)
    served.close()
    with pytest.raises(LanguageModelError, match="it was closed"):
        list(pieces)
    assert llm.wait_until_left()


def test_a_server_that_comes_back_is_asked_again(scripted: Scripted, llm: LlmServer, model: Open) -> None:
    scripted.says(Script(TEXT, Fault.STALL))
    served = model()
    pieces = served.stream(request())
    next(pieces)
    llm.kill()
    with pytest.raises(LanguageModelError, match=BROKEN):
        list(pieces)
    llm.start()
    scripted.says(Script("clear"))
    assert served.complete(request()).text == "clear"


def test_sixteen_threads_get_each_their_own_answer(scripted: Scripted, llm: LlmServer, model: Open) -> None:
    def echo(body: Body) -> Script:
        return Script("about " + body["messages"][1]["content"].rpartition("?")[2], pause_s=0.001)

    scripted.answer = echo
    served = model()
    with ThreadPoolExecutor(16) as pool:
        answers = pool.map(lambda number: streamed(served, request(f"?chat {number}")), range(64))
        assert list(answers) == [(f"about chat {number}", "") for number in range(64)]
    assert len(llm.requests) == 64


def test_a_graph_that_streams_its_models_does_not_show_a_draft(scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT))
    served = model()

    def respond(_: dict[str, str]) -> dict[str, str]:
        return {"answer": served.complete(request()).text}

    graph = StateGraph(dict).add_node("respond", respond).add_edge(START, "respond").compile()
    assert list(graph.stream({}, stream_mode="messages")) == []
    assert graph.invoke({}) == {"answer": TEXT}
