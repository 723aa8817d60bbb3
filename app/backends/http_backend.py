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

from app.backends.options import QUERY, BackendOptions, CatalogSearchOptions, address_of, is_about_products
from app.backends.request import HttpClient, Limits, UnansweredError, facts_of, items_at, read_json, value_at
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


class RememberedAnswers(Generic[Answer]):
    """The latest answers of a service; safe to share among threads.

    Args:
        name: The service, for the log.
        kind: What it answers with.
        cache_s: Seconds for which an answer is remembered.
        clock: By which answers are forgotten.
    """

    def __init__(self, name: str, kind: type[Answer], cache_s: float, clock: Clock) -> None:
        self._name = name
        self._kind: type[Answer] = kind
        self._answers: TTLCache[Hashable, Answer] = TTLCache(
            REMEMBERED_ANSWERS, ttl=cache_s, timer=lambda: clock.now().timestamp()
        )
        self._lock = threading.Lock()

    def answer(self, asked: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Ask, or remember; only answers are remembered, failures are not."""
        with self._lock:
            known = self._answers.get(asked)
        if known is not None:
            return replace(known, cached=True)
        try:
            answer = ask()
        except UnansweredError as error:
            logger.warning("%s did not answer: %s", self._name, error)
            return self._kind(failure=str(error))
        with self._lock:
            self._answers[asked] = answer
        return answer


class HttpBackend:
    """One live backend: the graph's `Backend`; safe to share among threads."""

    def __init__(self, options: BackendOptions, headers: Mapping[str, str], client: HttpClient, clock: Clock) -> None:
        self._options, self._headers, self._client = options, headers, client
        self._limits = Limits(options.timeout_s, options.retries, options.nothing_known)
        self._answers = RememberedAnswers(options.name, LiveAnswer, options.cache_s, clock)

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
        return self._answers.answer((product.id if product else None, url), lambda: self._fresh(url, product))

    def _fresh(self, url: str, product: Product | None) -> LiveAnswer:
        body = self._client.fetch(url, self._headers, self._limits)
        if body is None:
            return LiveAnswer()
        facts, dropped = facts_of(read_json(body), self._options, product)
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
        self._headers = _revealed(options.headers, options.name)
        self._limits = Limits(options.timeout_s, options.retries, options.nothing_known)
        self._answers = RememberedAnswers(options.name, OutsideAnswer, options.cache_s, clock)
        self._client = HttpClient("catalog search")

    @property
    def name(self) -> str:
        """What users are told it is."""
        return self._options.name

    def search(self, text: str) -> OutsideAnswer:
        """Ask, or remember; only answers are remembered, failures are not."""
        asked = " ".join(text.split())[:LONGEST_QUERY]
        return self._answers.answer(asked, lambda: self._fresh(asked))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _fresh(self, asked: str) -> OutsideAnswer:
        url = self._url.replace(QUERY, quote(asked, safe=""))
        body = self._client.fetch(url, self._headers, self._limits)
        if body is None:
            return OutsideAnswer()
        found = items_at(self._options.items, read_json(body), "products")
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
