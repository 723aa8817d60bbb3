"""What a served model says rightly is shown, and nothing that it says wrongly."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from app import Assistant
from tests.app.llm.sensible import sources_of
from tests.app.llm.statements import Statement, reported, right, wrong
from tests.app.llm.turns import answering, ask
from tests.llm_server.server import LlmServer

COUNT = 100
LEAST_SHOWN = 95
AN_ANSWER = 5


def shown_as_they_are(assistant: Assistant, endpoint: LlmServer, told: Sequence[Statement]) -> list[Statement]:
    """Those of a model's statements that customers read; five of one product are one answer."""
    by_product: dict[str, list[Statement]] = defaultdict(list)
    for statement in told:
        by_product[statement.product].append(statement)
    found = []
    for product, statements in by_product.items():
        for start in range(0, len(statements), AN_ANSWER):
            said = statements[start : start + AN_ANSWER]
            endpoint.answer = answering("outcome: clear\n" + " ".join(one.written for one in said))
            turn = ask(assistant, f"What does the specification of the {product} say?", style="plain")
            assert turn.degraded is None or turn.answered_by == "local"
            shown = {sentence.text.rstrip(".") for sentence in turn.sentences}
            found += [one for one in said if one.text in shown]
    return found


def test_of_a_hundred_supported_sentences_at_least_ninety_five_are_shown(
    assistant: Assistant, endpoint: LlmServer, shop: Path
) -> None:
    told = right(shop, COUNT)
    shown = shown_as_they_are(assistant, endpoint, told)
    lost = "\n".join(one.text for one in told if one not in shown)
    assert len(told) == len(set(told)) == COUNT
    assert len(shown) >= LEAST_SHOWN, f"{len(shown)} of {COUNT} supported sentences were shown; lost:\n{lost}"


def test_what_sellers_and_customers_say_is_shown_in_the_models_words_or_quoted(
    assistant: Assistant, endpoint: LlmServer, shop: Path
) -> None:
    given, lost = 0, []
    for product in sorted({one.product for one in reported(shop)}):
        told = [one for one in reported(shop) if one.product == product]
        endpoint.requests.clear()
        endpoint.answer = answering("outcome: clear\n" + " ".join(one.written for one in told))
        turn = ask(assistant, f"What do the seller and the customers say about the {product}?", style="plain")
        read = {source.marker for body in endpoint.requests for source in sources_of(body)}
        told = [one for one in told if one.source in read]
        given += len(told)
        lost += [one.text for one in told if one.text.partition(": ")[2] not in turn.answer]
    assert given >= COUNT / 5
    assert len(lost) <= given * (1 - LEAST_SHOWN / COUNT), f"{len(lost)} of {given} were lost:\n" + "\n".join(lost)


def test_of_a_hundred_unsupported_sentences_none_is_shown(
    assistant: Assistant, endpoint: LlmServer, shop: Path
) -> None:
    told = wrong(shop, COUNT)
    shown = shown_as_they_are(assistant, endpoint, told)
    assert len(told) == len(set(told)) == COUNT
    assert {one.kind for one in told} == {"figure", "product", "negated", "added", "mixed", "flag", "invented"}
    assert not shown, "\n".join(one.text for one in shown)
