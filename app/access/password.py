"""The password of the page: hashed, and compared in constant time."""

import re
import secrets
import threading

import bcrypt

from app.errors import InputError, SettingsError

LONGEST = 72
"""Bytes of a password that bcrypt reads."""
SHORTEST = 8

_HASH = re.compile(r"\A\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}\Z")


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
    if len(password) < SHORTEST:
        msg = f"The password has {len(password)} characters; take at least {SHORTEST}."
        raise UnusablePasswordError(msg)
    if len(password.encode()) > LONGEST:
        msg = f"The password has {len(password.encode())} bytes; at most {LONGEST} are read. Take a shorter one."
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
            same = bcrypt.checkpw(read[:LONGEST], self._hash)
        return secrets.compare_digest(bytes([same, len(read) <= LONGEST]), bytes([True, True]))
