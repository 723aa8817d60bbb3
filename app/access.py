"""Who gets in, and whose a conversation is: where the page listens, its password, and the secrets of its visitors."""

import hashlib
import re
import secrets
import threading
from ipaddress import ip_address
from typing import Annotated

import bcrypt
from pydantic import BaseModel, BeforeValidator, ConfigDict, SecretStr

from app.errors import InputError, SettingsError

LOCALHOST = "127.0.0.1"
LONGEST_PASSWORD = 72
"""Bytes of a password that bcrypt reads."""
SHORTEST_PASSWORD = 8
_HASH = re.compile(r"\A\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}\Z")

LOCAL = "local"
"""The owner of what is asked on the command line and from Python."""
COOKIE = "footnote_owner"
"""The cookie with a visitor's secret, which no script of the page can read."""
_SECRET = re.compile(r"\A[\w-]{43}\Z", re.ASCII)


def _none_if_blank(value: object) -> object:
    # A compose file passes an empty variable where the shop set none.
    return None if isinstance(value, str) and not value.strip() else value


class ServeOptions(BaseModel):
    """How the page is served.

    Attributes:
        host: The address it listens on; beyond this machine only with a password.
        password: What visitors sign in with: its bcrypt hash, as `footnote password` prints it, or the plain text.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = LOCALHOST
    password: Annotated[SecretStr | None, BeforeValidator(_none_if_blank)] = None


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


def new_secret() -> str:
    """What a visitor's browser keeps: 256 random bits."""
    return secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Whether this has the form of a visitor's secret; whoever makes one up has nobody's conversations."""
    return _SECRET.match(text) is not None


def owner_of(secret: str) -> str:
    """The owner that records name: who reads them cannot make the secret of it."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]
