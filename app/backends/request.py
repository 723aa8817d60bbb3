"""Requests to a service of the shop, and facts from what it answers."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

import httpx
import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import JsonValue, ValidationError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from app.backends.options import PLACE, BackendOptions, FactMapping, ServiceOptions
from app.event_loop import LoopThread
from ingestion.compose import fact_evidence
from ingestion.evidence import Evidence, Product
from ingestion.readers.cleaning import LIVE_FACT_LIMIT, too_long
from ingestion.readers.rows import FactRow, explain
from ingestion.readers.values import as_text

LARGEST_ANSWER = 1_000_000
"""Bytes from which on an answer is not read."""
PASSING_STATUSES = frozenset({429, 502, 503, 504})
NO_JSON = "an answer that is no JSON"
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0


class UnansweredError(Exception):
    """A backend gave no usable answer; the message says why in a few words, without address or secret."""


class PassingError(UnansweredError):
    """The same, for a reason that may be gone at the next try."""


class HttpClient:
    """A client in an event loop of its own, through which the threads of a process ask."""

    def __init__(self) -> None:
        self._loop = LoopThread("services of the shop")
        # The request as a whole has a limit; limits on its parts could not keep it.
        self._client = httpx.AsyncClient(timeout=None, follow_redirects=False)  # noqa: S113 - see above

    def fetch(self, url: str, headers: Mapping[str, str], options: ServiceOptions) -> bytes | None:
        """Ask until there is an answer, the tries are used up, or the time is.

        Returns:
            The body; None where the service says that it knows nothing.

        Raises:
            UnansweredError: There is no answer to be had.
        """
        return self._loop.run(_fetch(self._client, url, headers, options))

    def close(self) -> None:
        """Close all connections."""
        self._loop.run(self._client.aclose())
        self._loop.close()


async def _fetch(
    client: httpx.AsyncClient, url: str, headers: Mapping[str, str], options: ServiceOptions
) -> bytes | None:
    tries = AsyncRetrying(
        stop=stop_after_attempt(options.retries + 1),
        wait=wait_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S),
        retry=retry_if_exception_type(PassingError),
        reraise=True,
    )
    try:
        # Cancels whatever is going on: a look-up, a handshake, a body that drips.
        async with asyncio.timeout(options.timeout_s):
            return await tries(_try, client, url, headers, options)
    except TimeoutError:
        message = f"no answer within {options.timeout_s:g} s"
        raise UnansweredError(message) from None


async def _try(
    client: httpx.AsyncClient, url: str, headers: Mapping[str, str], options: ServiceOptions
) -> bytes | None:
    """Ask once; causes are left out of the errors, as they would show the address."""
    try:
        async with client.stream("GET", url, headers=headers) as response:
            if response.status_code in options.nothing_known:
                return None
            _refuse_unusable(response)
            return await _body(response)
    except httpx.TransportError as error:
        reason = "no connection" if isinstance(error, httpx.ConnectError) else "the connection broke"
        raise PassingError(reason) from None
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):
        reason = "it cannot be asked"
        raise UnansweredError(reason) from None


def _refuse_unusable(response: httpx.Response) -> None:
    """Judge an answer before its body is read."""
    status = response.status_code
    kind = response.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if not response.is_success:
        reason = f"{'a redirect, ' if response.is_redirect else ''}status {status}"
    elif kind and "json" not in kind and kind != "text/plain":
        reason = NO_JSON
    elif response.headers.get("content-encoding", "identity") != "identity":
        # None was asked for, and a small compressed body can grow without end.
        reason = "a compressed answer"
    else:
        return
    raise PassingError(reason) if status in PASSING_STATUSES else UnansweredError(reason)


async def _body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > LARGEST_ANSWER:
            reason = f"an answer of more than {LARGEST_ANSWER:,} bytes"
            raise UnansweredError(reason)
    return bytes(body)


def read_json(body: bytes) -> JsonValue:
    """Read a body as JSON in one of Unicode's encodings, as the standard (RFC 8259) wants it.

    Raises:
        UnansweredError: It is none.
    """
    try:
        value: JsonValue = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UnansweredError(NO_JSON) from None
    return value


def _refuse_constant(constant: str) -> NoReturn:
    """`NaN` and its like are no JSON, though Python reads them."""
    raise ValueError(constant)


def items_at(expression: str, answer: JsonValue, kind: str) -> Sequence[JsonValue]:
    """The list that an answer holds at an expression; an object is a list of one.

    Raises:
        UnansweredError: There is none; the message says of what `kind`.
    """
    found = value_at(expression, answer)
    if isinstance(found, dict):
        return [found]
    if not isinstance(found, list):
        message = f"an answer without {kind} at {expression!r}"
        raise UnansweredError(message)
    return found


def value_at(expression: str, value: JsonValue) -> JsonValue:
    """What a value holds at a JMESPath expression; None where nothing can be read there."""
    try:
        found: JsonValue = jmespath.search(expression, value)
    except (JMESPathError, RecursionError):
        return None
    return found


MOST_FACTS = 100
WHOLE_SHOP = "shop"
"""Stands in an evidence id where the product would."""

_READ_APART = {"items", "id", "text", "text_template", "attributes"}


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
    items = items_at(backend.facts.items, answer, "facts")
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


def _fact(item: JsonValue, number: int, backend: BackendOptions, product: Product | None) -> Evidence:
    mapping = backend.facts
    columns = mapping.model_dump(exclude=_READ_APART, exclude_none=True)
    row: dict[str, JsonValue] = {name: value_at(expression, item) for name, expression in columns.items()}
    row["attributes"] = {name: value_at(expression, item) for name, expression in mapping.attributes.items()}
    row["text"] = _text(item, mapping, product)
    row["source_type"] = backend.source_type
    row["product_id"] = about = product.id if product else as_text(row.get("product_id")) or None
    own_id = as_text(value_at(mapping.id, item)) if mapping.id else str(number)
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
    text = _composed(item, template, product) if template else as_text(value_at(mapping.text or "", item))
    if len(text) > LIVE_FACT_LIMIT:
        message = f"its text {too_long(len(text), LIVE_FACT_LIMIT)}"
        raise _UnusableFactError(message)
    return text


def _composed(item: JsonValue, template: str, product: Product | None) -> str:
    asked = {"product_name": product.name, "product_id": product.id} if product else {}

    def filled(expression: str) -> str:
        value = as_text(value_at(expression, item)) or asked.get(expression)
        if value:
            return value
        message = f"it has no value at {expression!r}"
        raise _UnusableFactError(message)

    return PLACE.sub(lambda found: filled(found[1]), template)
