"""What an endpoint says of itself: whether it answers, takes the key, serves the model, and how much it reads."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import cast

import httpx

from app.llm.finding import Finding
from app.llm.options import LlmOptions

LIMIT_S = 10.0

Card = Mapping[str, object]


def check_endpoint(options: LlmOptions, needed_context: int) -> Iterator[Finding]:
    """Ask for the list of models and judge it; nothing more is said after what makes the rest impossible."""
    key = {"Authorization": f"Bearer {options.api_key.get_secret_value()}"} if options.api_key else {}
    try:
        response = httpx.get(f"{options.base_url}/models", headers=key, timeout=LIMIT_S)
    except httpx.HTTPError as error:
        yield _unreachable(options, error)
        return
    yield Finding("reachable", "passed", f"{options.base_url} answers")
    if response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        yield _refused(options, response.status_code)
        return
    cards = _cards(response)
    if cards is None:
        yield _no_list(response.status_code)
        return
    yield Finding("key", "passed", "the key is accepted" if key else "no key is wanted")
    yield from _check_model(options, cards, needed_context)


def _check_model(options: LlmOptions, cards: Sequence[Card], needed_context: int) -> Iterator[Finding]:
    served = [str(card.get("id")) for card in cards]
    if options.model not in served:
        others = f"; it serves {', '.join(served)}" if served else "; it serves none"
        remedy = "Set FOOTNOTE_LLM__MODEL to a name that is served, or start the server with --served-model-name."
        yield Finding("model", "failed", f"{options.model} is not served{others}", remedy)
        return
    yield Finding("model", "passed", f"{options.model} is served")
    yield _context(cards[served.index(options.model)].get("max_model_len"), needed_context)


def _context(length: object, needed: int) -> Finding:
    if not isinstance(length, int):
        return Finding(
            "context", "unknown", f"the endpoint does not say how much it reads; {needed:,} tokens are needed"
        )
    if length < needed:
        remedy = (
            f"Start the server with --max-model-len {needed} or more, or give it less to read: "
            "lower FOOTNOTE_GRAPH__EVIDENCE_LIMIT. Longer prompts are refused and answered locally."
        )
        return Finding("context", "failed", f"{length:,} tokens are read, {needed:,} may be needed", remedy)
    return Finding("context", "passed", f"{length:,} tokens are read, {needed:,} may be needed")


def _unreachable(options: LlmOptions, error: httpx.HTTPError) -> Finding:
    late = isinstance(error, httpx.TimeoutException)
    seen = (
        f"{options.base_url} does not answer within {LIMIT_S:g} s" if late else f"no connection to {options.base_url}"
    )
    remedy = "Start the server (`footnote vllm` prints the command) or correct FOOTNOTE_LLM__BASE_URL."
    return Finding("reachable", "failed", seen, remedy)


def _refused(options: LlmOptions, status: int) -> Finding:
    seen = (
        f"the endpoint refuses the key (status {status})" if options.api_key else f"a key is wanted (status {status})"
    )
    remedy = "Set FOOTNOTE_LLM__API_KEY to what the server was started with (VLLM_API_KEY or --api-key)."
    return Finding("key", "failed", seen, remedy)


def _no_list(status: int) -> Finding:
    remedy = "Correct FOOTNOTE_LLM__BASE_URL: an address of the OpenAI protocol usually ends in /v1."
    return Finding("model", "failed", f"no list of models there (status {status})", remedy)


def _cards(response: httpx.Response) -> Sequence[Card] | None:
    """The models of an answer; None where it is not such a list."""
    try:
        listed: object = response.json()
    except ValueError:
        return None
    cards = listed.get("data") if response.is_success and isinstance(listed, dict) else None
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        return None
    return cast("Sequence[Card]", cards)
