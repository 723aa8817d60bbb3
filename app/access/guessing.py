"""Guessing made slow: after a few wrong passwords each next one waits longer, by client and for all together."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil, log2

from cachetools import TTLCache

FORGOTTEN_S = 3600.0
"""After this time without a guess, earlier ones no longer count."""
CLIENTS = 10_000
"""Clients that are remembered; those of long ago give way."""
EVERYBODY = "everybody"


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the next guess waits after some wrong ones: not at all at first, then twice as long each time."""

    free: int
    longest_s: float

    def wait_s(self, wrong: int) -> float:
        """Seconds after the latest of some wrong guesses until the next is read."""
        if wrong < self.free:
            return 0.0
        doubled = min(wrong - self.free, ceil(log2(self.longest_s)))  # no power of all the guesses of a day
        return min(2.0**doubled, self.longest_s)


BY_CLIENT = Pace(free=3, longest_s=900.0)
# Short, as it holds up the shop's own people, too; a thousand addresses still get one guess in it together.
TOGETHER = Pace(free=30, longest_s=4.0)


class Guesses:
    """The guesses of late, kept in the server's process: neither a new tab nor a cleared cookie starts over.

    Args:
        now: Seconds of a clock that never goes back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._wrong: TTLCache[str, tuple[int, float]] = TTLCache(CLIENTS, FORGOTTEN_S, timer=now)
        self._all_wrong: TTLCache[str, tuple[int, float]] = TTLCache(1, FORGOTTEN_S, timer=now)

    def begin(self, client: str) -> float:
        """Count a guess as wrong before it is read, so that many at once are many.

        Returns:
            Seconds to wait before this client may guess; 0 when the guess may be read now. Only then it counts.
        """
        own = network_of(client)
        with self._lock:
            wait = max(self._left(self._wrong, own, BY_CLIENT), self._left(self._all_wrong, EVERYBODY, TOGETHER))
            if wait <= 0:
                self._add(self._wrong, own)
                self._add(self._all_wrong, EVERYBODY)
            return max(wait, 0.0)

    def right(self, client: str) -> None:
        """The guess was right: this client starts afresh."""
        with self._lock:
            self._wrong.pop(network_of(client), None)
            count, at = self._all_wrong.get(EVERYBODY, (1, self._now()))
            self._all_wrong[EVERYBODY] = (count - 1, at)

    def _left(self, wrong: TTLCache[str, tuple[int, float]], key: str, pace: Pace) -> float:
        count, at = wrong.get(key, (0, 0.0))
        return at + pace.wait_s(count) - self._now() if count else 0.0

    def _add(self, wrong: TTLCache[str, tuple[int, float]], key: str) -> None:
        wrong[key] = (wrong.get(key, (0, 0.0))[0] + 1, self._now())


def network_of(client: str) -> str:
    """A client's address; of IPv6 the network, as whoever has one address of it has them all."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, 64), strict=False))
    return client
