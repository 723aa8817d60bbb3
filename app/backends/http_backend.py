"""Services of the shop over HTTP, as the settings declare them: live backends, and a catalog search."""

import logging
import os
import re
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Generic, TypeVar
from urllib.parse import quote

from cachetools import TTLCache
from pydantic import JsonValue, SecretStr

from app.backends.options import (
    QUERY,
    BackendOptions,
    CatalogSearchOptions,
    ServiceOptions,
    address_of,
    is_about_products,
)
from app.backends.request import HttpClient, UnansweredError, facts_of, items_at, read_json, value_at
from app.errors import SettingsError
from graph.parts import Clock, OutsideAnswer, OutsideProduct
from graph.parts.catalog import LiveAnswer
from graph.turn import User
from ingestion.evidence import Product
from ingestion.readers.values import as_text

logger = logging.getLogger(__name__)

REMEMBERED_ANSWERS = 10_000
MOST_PRODUCTS = 20
LONGEST_QUERY = 200
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_OWN_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


Answer = TypeVar("Answer", LiveAnswer, OutsideAnswer)


class _Service(Generic[Answer]):
    """Asks a service and remembers its latest answers; safe to share among threads.

    Args:
        options: The service.
        headers: What is sent with each request.
        client: Sends it.
        kind: What it answers with.
        clock: By which answers are forgotten.
    """

    def __init__(
        self, options: ServiceOptions, headers: Mapping[str, str], client: HttpClient, kind: type[Answer], clock: Clock
    ) -> None:
        self._options, self._headers, self._client = options, headers, client
        self._kind: type[Answer] = kind
        self._answers: TTLCache[Hashable, Answer] = TTLCache(
            REMEMBERED_ANSWERS, ttl=options.cache_s, timer=lambda: clock.now().timestamp()
        )
        self._lock = threading.Lock()

    def answer(self, asked: Hashable, url: str, read: Callable[[JsonValue], Answer]) -> Answer:
        """Ask, or remember; only answers are remembered, failures are not."""
        with self._lock:
            known = self._answers.get(asked)
        if known is not None:
            return replace(known, cached=True)
        try:
            body = self._client.fetch(url, self._headers, self._options)
            answer = self._kind() if body is None else read(read_json(body))
        except UnansweredError as error:
            logger.warning("%s did not answer: %s", self._options.name, error)
            return self._kind(failure=str(error))
        with self._lock:
            self._answers[asked] = answer
        return answer


class HttpBackend:
    """One live backend: the graph's `Backend`; safe to share among threads."""

    def __init__(self, options: BackendOptions, headers: Mapping[str, str], client: HttpClient, clock: Clock) -> None:
        self._options = options
        self._service = _Service(options, headers, client, LiveAnswer, clock)

    @property
    def name(self) -> str:
        """What users are told it is."""
        return self._options.name

    @property
    def intents(self) -> AbstractSet[str]:
        """The intents it serves."""
        return self._options.intents

    @property
    def source_type(self) -> str:
        """The kind of its facts."""
        return self._options.source_type

    @property
    def timeout_s(self) -> float:
        """Seconds a request may take, retries included."""
        return self._options.timeout_s

    @property
    def per_product(self) -> bool:
        """Whether its address is that of one product."""
        return is_about_products(self._options.url)

    def accepts(self, product: Product | None, user: User) -> bool:
        """Whether all that its address needs is known."""
        return address_of(self._options.url, product, user) is not None

    def ask(self, product: Product | None, user: User) -> LiveAnswer:
        """Ask, or remember; only answers are remembered, failures are not."""
        url = address_of(self._options.url, product, user)
        if url is None:
            return LiveAnswer(failure="something is not known that its address needs")
        asked = (product.id if product else None, url)
        return self._service.answer(asked, url, lambda told: self._read(told, product))

    def _read(self, told: JsonValue, product: Product | None) -> LiveAnswer:
        facts, dropped = facts_of(told, self._options, product)
        if dropped:
            logger.warning("%s gave %s facts that cannot be used: %s", self.name, len(dropped), "; ".join(dropped))
        return LiveAnswer(facts=tuple(facts), dropped=tuple(dropped))


class HttpBackends:
    """All backends of the settings, over one client.

    Attributes:
        parts: The backends, in the order of the settings.
    """

    def __init__(self, declared: Sequence[BackendOptions], clock: Clock) -> None:
        """Open them; no request is made yet.

        Raises:
            SettingsError: A header names an environment variable that is not set.
        """
        headers = [_revealed(options.headers, options.name) for options in declared]
        self._client = HttpClient("live backends") if declared else None
        self.parts: tuple[HttpBackend, ...] = ()
        if self._client is not None:
            self.parts = tuple(
                HttpBackend(options, own, self._client, clock) for options, own in zip(declared, headers, strict=True)
            )

    def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            self._client.close()


class HttpCatalogSearch:
    """Asks a shop's own search: the graph's `OutsideCatalog`; safe to share among threads.

    Args:
        options: Where and how; `url` must be set.
        clock: By which answers are forgotten.

    Raises:
        SettingsError: A header names an environment variable that is not set.
    """

    def __init__(self, options: CatalogSearchOptions, clock: Clock) -> None:
        self._options, self._url = options, options.url or ""
        headers = _revealed(options.headers, options.name)
        self._client = HttpClient("catalog search")
        self._service = _Service(options, headers, self._client, OutsideAnswer, clock)

    @property
    def name(self) -> str:
        """What users are told it is."""
        return self._options.name

    def search(self, text: str) -> OutsideAnswer:
        """Ask, or remember; only answers are remembered, failures are not."""
        asked = " ".join(text.split())[:LONGEST_QUERY]
        return self._service.answer(asked, self._url.replace(QUERY, quote(asked, safe="")), self._read)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _read(self, told: JsonValue) -> OutsideAnswer:
        found = items_at(self._options.items, told, "products")
        return OutsideAnswer(tuple(map(self._product, found[:MOST_PRODUCTS])))

    def _product(self, item: JsonValue) -> OutsideProduct:
        options = self._options
        return OutsideProduct(as_text(value_at(options.id, item)), as_text(value_at(options.product_name, item)))


def _revealed(headers: Mapping[str, SecretStr], backend: str) -> dict[str, str]:
    """The headers of a backend, with the values of the environment variables that they name.

    Raises:
        SettingsError: One of these is not set.
    """
    return _OWN_HEADERS | {
        name: _VARIABLE.sub(lambda found: _variable(found[1], backend), value.get_secret_value())
        for name, value in headers.items()
    }


def _variable(name: str, backend: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        msg = f"The environment variable {name} is not set, which the headers of the backend {backend!r} name."
        raise SettingsError(msg)
    return value
