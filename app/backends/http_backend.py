"""Services of the shop over HTTP, as the settings declare them: live backends, and a catalog search."""

import logging
import os
import re
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar
from urllib.parse import quote

from cachetools import TTLCache
from pydantic import JsonValue

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
from graph.parts import Clock, LiveAnswer, OutsideAnswer, OutsideProduct
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
        client: Sends the requests.
        kind: What it answers with.
        clock: By which answers are forgotten.

    Attributes:
        name: What users are told it is.
    """

    def __init__(self, options: ServiceOptions, client: HttpClient, kind: type[Answer], clock: Clock) -> None:
        self.name = options.name
        self._service, self._client, self._headers = options, client, _revealed(options)
        self._kind: type[Answer] = kind
        self._answers: TTLCache[Hashable, Answer] = TTLCache(
            REMEMBERED_ANSWERS, ttl=options.cache_s, timer=lambda: clock.now().timestamp()
        )
        self._lock = threading.Lock()

    def _answer(self, asked: Hashable, url: str, read: Callable[[JsonValue], Answer]) -> Answer:
        """Ask, or remember; only answers are remembered, failures are not."""
        with self._lock:
            known = self._answers.get(asked)
        if known is not None:
            return replace(known, cached=True)
        try:
            body = self._client.fetch(url, self._headers, self._service)
            answer = self._kind() if body is None else read(read_json(body))
        except UnansweredError as error:
            logger.warning("%s did not answer: %s", self.name, error)
            return self._kind(failure=str(error))
        with self._lock:
            self._answers[asked] = answer
        return answer


class HttpBackend(_Service[LiveAnswer]):
    """One live backend: the graph's `Backend`."""

    def __init__(self, options: BackendOptions, client: HttpClient, clock: Clock) -> None:
        super().__init__(options, client, LiveAnswer, clock)
        self._options = options
        self.intents, self.source_type, self.timeout_s = options.intents, options.source_type, options.timeout_s
        self.per_product = is_about_products(options.url)

    def accepts(self, product: Product | None, user: User) -> bool:
        """Whether all that its address needs is known."""
        return address_of(self._options.url, product, user) is not None

    def ask(self, product: Product | None, user: User) -> LiveAnswer:
        """Ask, or remember; only answers are remembered, failures are not."""
        url = address_of(self._options.url, product, user)
        if url is None:
            return LiveAnswer(failure="something is not known that its address needs")
        asked = (product.id if product else None, url)
        return self._answer(asked, url, lambda told: self._read(told, product))

    def _read(self, told: JsonValue, product: Product | None) -> LiveAnswer:
        facts, dropped = facts_of(told, self._options, product)
        if dropped:
            logger.warning("%s gave %s facts that cannot be used: %s", self.name, len(dropped), "; ".join(dropped))
        return LiveAnswer(facts=tuple(facts), dropped=tuple(dropped))


class HttpCatalogSearch(_Service[OutsideAnswer]):
    """The shop's own search: the graph's `OutsideCatalog`."""

    def __init__(self, options: CatalogSearchOptions, client: HttpClient, clock: Clock) -> None:
        super().__init__(options, client, OutsideAnswer, clock)
        self._options, self._url = options, options.url or ""

    def search(self, text: str) -> OutsideAnswer:
        """Ask, or remember; only answers are remembered, failures are not."""
        asked = " ".join(text.split())[:LONGEST_QUERY]
        return self._answer(asked, self._url.replace(QUERY, quote(asked, safe="")), self._read)

    def _read(self, told: JsonValue) -> OutsideAnswer:
        found = items_at(self._options.items, told, "products")
        return OutsideAnswer(tuple(map(self._product, found[:MOST_PRODUCTS])))

    def _product(self, item: JsonValue) -> OutsideProduct:
        options = self._options
        return OutsideProduct(as_text(value_at(options.id, item)), as_text(value_at(options.product_name, item)))


class HttpServices:
    """All services of the settings, over one client.

    Attributes:
        backends: The live backends, in the order of the settings.
        outside: The catalog search; None where none is declared.
    """

    def __init__(self, backends: Sequence[BackendOptions], search: CatalogSearchOptions, clock: Clock) -> None:
        """Open them; no request is made yet.

        Raises:
            SettingsError: A header names an environment variable that is not set.
        """
        self.backends: tuple[HttpBackend, ...] = ()
        self.outside: HttpCatalogSearch | None = None
        self._client = HttpClient() if backends or search.url else None
        if self._client is not None:
            self.backends = tuple(HttpBackend(options, self._client, clock) for options in backends)
            self.outside = HttpCatalogSearch(search, self._client, clock) if search.url else None

    def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            self._client.close()


def _revealed(service: ServiceOptions) -> dict[str, str]:
    """The headers of a service, with the values of the environment variables that they name.

    Raises:
        SettingsError: One of these is not set.
    """
    return _OWN_HEADERS | {
        name: _VARIABLE.sub(lambda found: _variable(found[1], service.name), value.get_secret_value())
        for name, value in service.headers.items()
    }


def _variable(name: str, backend: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        msg = f"The environment variable {name} is not set, which the headers of the backend {backend!r} name."
        raise SettingsError(msg)
    return value
