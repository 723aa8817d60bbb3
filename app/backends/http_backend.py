"""Live backends over HTTP: the graph's `Backend`, one for each that the settings declare."""

import logging
import os
import re
import threading
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from dataclasses import replace

import httpx
from cachetools import TTLCache
from pydantic import SecretStr

from app.backends.options import BackendOptions, address_of, is_about_products
from app.backends.request import Limits, UnansweredError, facts_of, fetch, read_json
from app.errors import SettingsError
from app.event_loop import LoopThread
from graph.parts import Clock
from graph.parts.catalog import LiveAnswer
from graph.turn import User
from ingestion.evidence import Product

logger = logging.getLogger(__name__)

REMEMBERED_ANSWERS = 10_000
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_OWN_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


class HttpBackend:
    """One backend; safe to share among threads."""

    def __init__(
        self,
        options: BackendOptions,
        headers: Mapping[str, str],
        client: httpx.AsyncClient,
        loop: LoopThread,
        clock: Clock,
    ) -> None:
        self._options, self._headers, self._client, self._loop = options, headers, client, loop
        self._limits = Limits(options.timeout_s, options.retries, options.nothing_known)
        self._answers: TTLCache[tuple[str | None, str], LiveAnswer] = TTLCache(
            REMEMBERED_ANSWERS, ttl=options.cache_s, timer=lambda: clock.now().timestamp()
        )
        self._lock = threading.Lock()

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
        key = (product.id if product else None, url)
        with self._lock:
            known = self._answers.get(key)
        if known is not None:
            return replace(known, cached=True)
        try:
            answer = self._fresh(url, product)
        except UnansweredError as error:
            logger.warning("%s did not answer: %s", self.name, error)
            return LiveAnswer(failure=str(error))
        with self._lock:
            self._answers[key] = answer
        return answer

    def _fresh(self, url: str, product: Product | None) -> LiveAnswer:
        body = self._loop.run(fetch(self._client, url, self._headers, self._limits))
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
        self._closing = ExitStack()
        self.parts: tuple[HttpBackend, ...] = ()
        if not declared:
            return
        headers = [revealed(options.headers, options.name) for options in declared]
        loop = LoopThread("live backends")
        self._closing.callback(loop.close)
        # The request as a whole has a limit; limits on its parts could not keep it.
        client = httpx.AsyncClient(timeout=None, follow_redirects=False)  # noqa: S113 - see above
        self._closing.callback(lambda: loop.run(client.aclose()))
        self.parts = tuple(
            HttpBackend(options, own, client, loop, clock) for options, own in zip(declared, headers, strict=True)
        )

    def close(self) -> None:
        """Close all connections."""
        self._closing.close()


def revealed(headers: Mapping[str, SecretStr], backend: str) -> dict[str, str]:
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
