"""Who gets in, and whose a conversation is: the page's password, how fast it may be guessed, its visitors' secrets."""

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil, log2
from typing import Literal

import bcrypt
from cachetools import TTLCache
from pydantic import BaseModel, ConfigDict, SecretStr

from app.errors import InputError, SettingsError

LOCALHOST = "127.0.0.1"
LONGEST_PASSWORD = 72
"""Bytes of a password that bcrypt reads."""
SHORTEST_PASSWORD = 8
_HASH = re.compile(r"\A\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}\Z")

FORGOTTEN_S = 3600.0
"""After this time without a guess, earlier ones no longer count."""
CLIENTS = 10_000
"""Clients that are remembered; those of long ago give way."""
EVERYBODY = "everybody"

LOCAL = "local"
"""The owner of what is asked on the command line and from Python."""
COOKIE = "footnote_owner"
"""The cookie with a visitor's secret, which no script of the page can read."""
_SECRET = re.compile(r"\A[\w-]{43}\Z", re.ASCII)

STAFF, SIGN_OUT = "/staff", "/sign-out"
"""Where the shop's people work, and where they leave."""
VisitorRole = Literal["visitor", "staff"]
ROLE_HEADER = "x-footnote-role"
"""How the gate tells the page who comes; what a browser sends under this name is not read."""


class ServeOptions(BaseModel):
    """How the page is served.

    Attributes:
        host: The address it listens on; beyond this machine only with a password.
        password: What visitors sign in with: its bcrypt hash, as `footnote password` prints it, or the plain text.
        staff_password: What the shop's people sign in with to the staff page, in either form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = LOCALHOST
    password: SecretStr | None = None
    staff_password: SecretStr | None = None


def is_local(host: str | None) -> bool:
    """Whether only this machine reaches an address; None stands for all addresses."""
    if host is None or host == "localhost":
        return host is not None
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class UnusablePasswordError(InputError):
    """A password that protects nothing, or that cannot be hashed whole."""


class NoPasswordError(SettingsError):
    """The page would be open to everybody who reaches this machine."""

    def __init__(self, host: str | None) -> None:
        super().__init__(
            f"The page is not opened on {host or 'all addresses'} without a password, as everybody in reach could use "
            "it. Run `footnote password` and set FOOTNOTE_SERVE__PASSWORD to what it prints, or leave out --host."
        )


def hashed(password: str) -> str:
    """The bcrypt hash of a password.

    Raises:
        UnusablePasswordError: It is too short, or longer than is read.
    """
    if len(password) < SHORTEST_PASSWORD:
        msg = f"The password has {len(password)} characters; take at least {SHORTEST_PASSWORD}."
        raise UnusablePasswordError(msg)
    if len(password.encode()) > LONGEST_PASSWORD:
        msg = (
            f"The password has {len(password.encode())} bytes; at most {LONGEST_PASSWORD} are read. Take a shorter one."
        )
        raise UnusablePasswordError(msg)
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt()).decode()


class Doors:
    """What is asked of those who come.

    Args:
        visitors: What opens the page; None leaves it open.
        staff: What opens the staff page as well; without any password it is open to this machine alone.
    """

    def __init__(self, visitors: "PasswordCheck | None" = None, staff: "PasswordCheck | None" = None) -> None:
        self._checks: dict[VisitorRole, PasswordCheck] = {}
        if visitors is not None:
            self._checks["visitor"] = visitors
        if staff is not None:
            self._checks["staff"] = staff

    @classmethod
    def of(cls, options: ServeOptions) -> "Doors":
        """Those of settings.

        Raises:
            UnusablePasswordError: A password protects nothing.
        """
        given = (options.password, options.staff_password)
        return cls(*(PasswordCheck(secret.get_secret_value()) if secret else None for secret in given))

    def unasked(self, *, local: bool) -> VisitorRole | None:
        """What somebody is who has not signed in; None where they must.

        Args:
            local: Whether they sit at this machine.
        """
        if "visitor" in self._checks:
            return None
        return "staff" if local and not self._checks else "visitor"

    def opens(self, role: VisitorRole) -> bool:
        """Whether there is a password that makes one this."""
        return role in self._checks

    def role_of(self, guess: str) -> VisitorRole | None:
        """Who knows this password; all are compared, whichever it is."""
        known = [role for role, check in self._checks.items() if check.matches(guess)]
        return known[-1] if known else None


class PasswordCheck:
    """Compares with one password; a guess costs the same whether it is right or not.

    Args:
        secret: The password or its bcrypt hash.

    Raises:
        UnusablePasswordError: It is too short, or longer than is read.
    """

    def __init__(self, secret: str) -> None:
        self._hash = (secret if _HASH.match(secret) else hashed(secret)).encode()
        self._one_at_a_time = threading.Lock()

    def matches(self, guess: str) -> bool:
        """Whether this is the password. Guesses are hashed one after the other, on one processor."""
        read = guess.encode(errors="replace")
        with self._one_at_a_time:
            same = bcrypt.checkpw(read[:LONGEST_PASSWORD], self._hash)
        return secrets.compare_digest(bytes([same, len(read) <= LONGEST_PASSWORD]), bytes([True, True]))


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


def new_secret() -> str:
    """What a visitor's browser keeps: 256 random bits."""
    return secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Whether this has the form of a visitor's secret; whoever makes one up has nobody's conversations."""
    return _SECRET.match(text) is not None


def owner_of(secret: str) -> str:
    """The owner that records name: who reads them cannot make the secret of it."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]
