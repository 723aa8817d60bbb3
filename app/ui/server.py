"""What runs beside the page in its process: the gate before it, and the pruning of what is kept too long."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from app.access import NoPasswordError, PasswordCheck, is_local
from app.settings import Settings
from app.storage.masking import MaskingFormatter
from app.storage.records import SystemClock
from app.storage.retention import prune
from app.ui.gate import Gate

SCRIPT = Path(__file__).parent / "page.py"
DAY_S = 86_400


def gate() -> list[Middleware]:
    """The gate, with the password that settings name."""
    secret = Settings.load().serve.password
    return [Middleware(Gate, password=PasswordCheck(secret.get_secret_value()) if secret else None)]


@asynccontextmanager
async def beside(_: object) -> AsyncIterator[None]:
    """What runs as long as the page is served.

    Raises:
        NoPasswordError: Others reach the page, and there is no password.
    """
    settings = Settings.load()
    address = st.get_option("server.address")
    if settings.serve.password is None and not is_local(address):
        raise NoPasswordError(address)
    _log_nothing_personal()
    pruning = asyncio.create_task(_prune_daily(settings))
    try:
        yield
    finally:
        pruning.cancel()


async def _prune_daily(settings: Settings) -> None:
    while True:
        await asyncio.to_thread(prune, settings, SystemClock())
        await asyncio.sleep(DAY_S)


def _log_nothing_personal() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(MaskingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
