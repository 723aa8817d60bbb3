"""The page's server: the gate before it, where visitors sign in and get their cookies, and what runs beside it.

Nobody reads a page or an answer without having signed in, where a password is set. Streamlit cannot set cookies; the
gate can, as it speaks HTTP before Streamlit does, and keeps them from every script.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import ceil
from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st
from cachetools import TTLCache
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from app.access import COOKIE, Guesses, NoPasswordError, PasswordCheck, is_local, is_secret, new_secret
from app.settings import Settings
from app.storage.masking import MaskingFormatter
from app.storage.records import SystemClock
from app.storage.retention import prune
from app.ui.markup import templates
from app.webhooks import sending

SCRIPT = Path(__file__).parent / "page.py"
DAY_S = 86_400

SIGN_IN = "/sign-in"
HEALTH = "/_stcore/health"
SESSION_COOKIE = "footnote_session"
OWNER_DAYS = 400
"""The longest that browsers keep a cookie; each visit begins it anew."""
SESSION_DAYS = 30
SESSIONS = 100_000
LONGEST_FORM = 8192
MOST_FIELDS = 10
REFUSED = 1008
"""The WebSocket's status for a visitor who must sign in first."""

HEADERS = {
    "Content-Security-Policy": "script-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""Beside the escaping of every text: no script but the page's own files, and no address of a thread to other sites."""


def gate() -> list[Middleware]:
    """The gate, with the password that settings name."""
    secret = Settings.load().serve.password
    return [Middleware(Gate, password=PasswordCheck(secret.get_secret_value()) if secret else None)]


@asynccontextmanager
async def beside(_: object) -> AsyncIterator[None]:
    """What runs as long as the page is served.

    Raises:
        NoPasswordError: Others reach the page, and there is no password.
        UnwritableRecordsError: Somebody is to be told what happens, and the records cannot be opened.
    """
    settings = Settings.load()
    address = st.get_option("server.address")
    if settings.serve.password is None and not is_local(address):
        raise NoPasswordError(address)
    handler = logging.StreamHandler()
    handler.setFormatter(MaskingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    async with sending(settings, SystemClock()):
        pruning = asyncio.create_task(_prune_daily(settings))
        try:
            yield
        finally:
            pruning.cancel()


async def _prune_daily(settings: Settings) -> None:
    while True:
        await asyncio.to_thread(prune, settings, SystemClock())
        await asyncio.sleep(DAY_S)


class Gate:
    """ASGI middleware before the page.

    Args:
        app: The page.
        password: What visitors sign in with; None lets everybody in.
        guesses: The wrong passwords of late.
    """

    def __init__(self, app: ASGIApp, password: PasswordCheck | None = None, guesses: Guesses | None = None) -> None:
        self._app, self._password = app, password
        self._guesses = guesses or Guesses()
        self._sessions: TTLCache[str, None] = TTLCache(SESSIONS, SESSION_DAYS * 86_400)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, ask to sign in, or read a password."""
        if scope["type"] not in ("http", "websocket") or scope["path"] == HEALTH:
            await self._app(scope, receive, send)
            return
        visit = HTTPConnection(scope)
        if self._password is not None and not self._signed_in(visit):
            if scope["type"] == "websocket":
                await WebSocketClose(REFUSED)(scope, receive, send)
                return
            answer = await self._turned_away(Request(scope, receive), self._password)
            await answer(scope, receive, send)
            return
        if visit.url.path == SIGN_IN:
            await RedirectResponse("/", 303)(scope, receive, send)
            return
        await self._app(scope, receive, _with_owner(visit, send) if scope["type"] == "http" else send)

    def _signed_in(self, visit: HTTPConnection) -> bool:
        return _digest(visit.cookies.get(SESSION_COOKIE, "")) in self._sessions

    async def _turned_away(self, request: Request, password: PasswordCheck) -> Response:
        """Ask for the password, or read it."""
        if request.url.path == SIGN_IN and request.method == "POST":
            return await self._read_guess(request, password)
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return _page(request.url.query, "", 401)
        return PlainTextResponse("Sign in first.", 401)

    async def _read_guess(self, request: Request, password: PasswordCheck) -> Response:
        form = await _form(request)
        back, client = form.get("back", ""), request.client.host if request.client else ""
        if wait := ceil(self._guesses.begin(client)):
            seconds = "1 second" if wait == 1 else f"{wait} seconds"
            page = _page(back, f"Too many wrong passwords. Please wait {seconds} before the next try.", 429)
            page.headers["Retry-After"] = str(wait)
            return page
        if not await asyncio.to_thread(password.matches, form.get("password", "")):
            return _page(back, "That is not the password.", 401)
        self._guesses.right(client)
        session = new_secret()
        self._sessions[_digest(session)] = None
        answer = RedirectResponse(f"/?{back}" if back else "/", 303)
        _keep(answer.headers, SESSION_COOKIE, session, SESSION_DAYS, secure=_is_https(request))
        return answer


def _with_owner(visit: HTTPConnection, send: Send) -> Send:
    """Give the pages of a visit the owner's cookie, the same as before where there is one, and the safe headers."""
    known = visit.cookies.get(COOKIE, "")
    secret = known if is_secret(known) else new_secret()

    async def send_with_owner(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            if headers.get("content-type", "").startswith("text/html"):
                _keep(headers, COOKIE, secret, OWNER_DAYS, secure=_is_https(visit))
                headers["Cache-Control"] = "no-store"
        await send(message)

    return send_with_owner


def _keep(headers: MutableHeaders, name: str, value: str, days: int, *, secure: bool) -> None:
    """Set a cookie that no script reads and no other site sends."""
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    headers.append("Set-Cookie", f"{name}={value}; Max-Age={days * 86_400}{attributes}")


def _is_https(visit: HTTPConnection) -> bool:
    """Whether the browser speaks HTTPS, to us or to a proxy that says so."""
    return visit.url.scheme in ("https", "wss") or visit.headers.get("x-forwarded-proto") == "https"


def _page(back: str, problem: str, status: int) -> HTMLResponse:
    """The sign-in page.

    Args:
        back: The query of the address that was asked for, which is opened next.
        problem: What was wrong with the try before; empty for the first.
        status: Of the response.
    """
    headers = {
        **HEADERS,
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    }
    page = templates.get_template("sign_in.html").render(back=back, problem=problem)
    return HTMLResponse(page, status, {**headers, "Cache-Control": "no-store"})


async def _form(request: Request) -> dict[str, str]:
    """The fields of a posted form; none of one that is longer, or has more of them, than that of a password."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_FORM:
            return {}
    try:
        fields = parse_qs(body.decode("ascii", errors="replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] for name, values in fields.items()}


def _digest(secret: str) -> str:
    """What is looked up instead of the secret, so that the time it takes says nothing of its characters."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
