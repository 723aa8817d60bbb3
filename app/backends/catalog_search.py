"""A catalog search over HTTP: the graph's `OutsideCatalog`, as the settings declare it."""

import logging
import threading
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import quote

import httpx
import jmespath
from cachetools import TTLCache
from jmespath.exceptions import JMESPathError
from pydantic import JsonValue

from app.backends.http_backend import revealed
from app.backends.options import QUERY, CatalogSearchOptions
from app.backends.request import Limits, UnansweredError, fetch, read_json
from app.event_loop import LoopThread
from graph.parts import Clock, OutsideAnswer, OutsideProduct
from ingestion.readers.values import as_text

logger = logging.getLogger(__name__)

REMEMBERED_ANSWERS = 10_000
MOST_PRODUCTS = 20
LONGEST_QUERY = 200


class HttpCatalogSearch:
    """Asks a shop's own search; safe to share among threads.

    Args:
        options: Where and how; `url` must be set.
        clock: By which answers are forgotten.

    Raises:
        SettingsError: A header names an environment variable that is not set.
    """

    def __init__(self, options: CatalogSearchOptions, clock: Clock) -> None:
        self._options, self._url = options, options.url or ""
        self._headers = revealed(options.headers, options.name)
        self._limits = Limits(options.timeout_s, options.retries, options.nothing_known)
        self._answers: TTLCache[str, OutsideAnswer] = TTLCache(
            REMEMBERED_ANSWERS, ttl=options.cache_s, timer=lambda: clock.now().timestamp()
        )
        self._lock = threading.Lock()
        self._closing = ExitStack()
        self._loop = LoopThread("catalog search")
        self._closing.callback(self._loop.close)
        # The request as a whole has a limit; limits on its parts could not keep it.
        self._client = httpx.AsyncClient(timeout=None, follow_redirects=False)  # noqa: S113 - see above
        self._closing.callback(lambda: self._loop.run(self._client.aclose()))

    @property
    def name(self) -> str:
        """What users are told it is."""
        return self._options.name

    def search(self, text: str) -> OutsideAnswer:
        """Ask, or remember; only answers are remembered, failures are not."""
        asked = " ".join(text.split())[:LONGEST_QUERY]
        with self._lock:
            known = self._answers.get(asked)
        if known is not None:
            return replace(known, cached=True)
        try:
            answer = self._fresh(asked)
        except UnansweredError as error:
            logger.warning("%s did not answer: %s", self.name, error)
            return OutsideAnswer(failure=str(error))
        with self._lock:
            self._answers[asked] = answer
        return answer

    def close(self) -> None:
        """Close all connections."""
        self._closing.close()

    def _fresh(self, asked: str) -> OutsideAnswer:
        url = self._url.replace(QUERY, quote(asked, safe=""))
        body = self._loop.run(fetch(self._client, url, self._headers, self._limits))
        if body is None:
            return OutsideAnswer()
        found = _read(read_json(body), self._options.items)
        if isinstance(found, dict):
            found = [found]
        if not isinstance(found, list):
            message = f"an answer without products at {self._options.items!r}"
            raise UnansweredError(message)
        return OutsideAnswer(tuple(self._product(item) for item in found[:MOST_PRODUCTS]))

    def _product(self, item: JsonValue) -> OutsideProduct:
        options = self._options
        return OutsideProduct(as_text(_read(item, options.id)), as_text(_read(item, options.product_name)))


def _read(value: JsonValue, expression: str) -> JsonValue:
    try:
        found: JsonValue = jmespath.search(expression, value)
    except (JMESPathError, RecursionError):
        return None
    return found
