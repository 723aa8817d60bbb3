"""Whose a conversation is: the visitor's whose browser holds the secret, or the person's at this machine."""

import hashlib
import re
import secrets

LOCAL = "local"
"""The owner of what is asked on the command line and from Python."""

COOKIE = "footnote_owner"
"""The cookie with a visitor's secret, which no script of the page can read."""

_SECRET = re.compile(r"\A[\w-]{43}\Z", re.ASCII)


def new_secret() -> str:
    """What a visitor's browser keeps: 256 random bits."""
    return secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Whether this has the form of a visitor's secret; whoever makes one up has nobody's conversations."""
    return _SECRET.match(text) is not None


def owner_of(secret: str) -> str:
    """The owner that records name: who reads them cannot make the secret of it."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]
