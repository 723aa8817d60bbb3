"""The page's server: the gate before it, where visitors sign in and get their cookies, and what runs beside it.

Nobody reads a page or an answer without having signed in, where a password is set. Streamlit cannot set cookies; the
gate can, as it speaks HTTP before Streamlit does, and keeps them from every script.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from math import ceil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import streamlit as st
from cachetools import TTLCache
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from app.access import (
    COOKIE,
    ROLE_HEADER,
    SIGN_OUT,
    STAFF,
    Doors,
    Guesses,
    NoPasswordError,
    VisitorRole,
    is_local,
    is_secret,
    new_secret,
    owner_of,
)
from app.settings import Settings
from app.storage.masking import MaskingFormatter
from app.storage.records import Records, SystemClock
from app.storage.retention import prune
from app.ui.markup import templates
from app.ui.shared import shared_assistant
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
    """The gate, with the passwords that settings name."""
    return [Middleware(Gate, doors=Doors.of(Settings.load().serve))]


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
        tasks = [asyncio.create_task(_prune_daily(settings)), asyncio.create_task(asyncio.to_thread(_open_ahead))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()


def routes() -> list[BaseRoute]:
    """What the page asks for beside what Streamlit answers."""
    return [Route("/opened/{turn_id}/{marker:int}", Openings(Settings.load()).keep)]


class Openings:
    """Keeps which sources visitors opened: only then does a browser ask for the picture in one, which is none.

    Args:
        settings: Where records are.
    """

    def __init__(self, settings: Settings) -> None:
        # Opened by the first source, when the page has long said what is wrong with the file.
        self._records = cache(partial(Records, settings.records, SystemClock(), settings.team, settings.turn_limit_s))

    async def keep(self, request: Request) -> Response:
        """Keep that the source of a marker was opened, if the turn is the visitor's."""
        owner, of = owner_of(request.cookies.get(COOKIE, "")), request.path_params
        await asyncio.to_thread(lambda: self._records().record_opening(of["turn_id"], of["marker"], owner))
        return Response(status_code=204, headers={"Cache-Control": "no-store"})


def _open_ahead() -> None:
    """Open the assistant before anybody comes; why it cannot be opened, the page tells who does."""
    with suppress(Exception):
        shared_assistant.get()


async def _prune_daily(settings: Settings) -> None:
    while True:
        await asyncio.to_thread(prune, settings, SystemClock())
        await asyncio.sleep(DAY_S)


class Gate:
    """ASGI middleware before the page.

    Args:
        app: The page.
        doors: What is asked of those who come.
        guesses: The wrong passwords of late.
    """

    def __init__(self, app: ASGIApp, doors: Doors | None = None, guesses: Guesses | None = None) -> None:
        self._app, self._doors = app, doors or Doors()
        self._guesses = guesses or Guesses()
        self._sessions: TTLCache[str, VisitorRole] = TTLCache(SESSIONS, SESSION_DAYS * DAY_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, ask to sign in, or read a password."""
        if scope["type"] not in ("http", "websocket") or scope["path"] == HEALTH:
            await self._app(scope, receive, send)
            return
        visit = HTTPConnection(scope)
        role = self._role_of(visit)
        if role is None or (role != "staff" and (self._wants_staff(visit.url.path) or _is_guess(scope))):
            if scope["type"] == "websocket":
                await WebSocketClose(REFUSED)(scope, receive, send)
                return
            answer = await self._turned_away(Request(scope, receive))
            await answer(scope, receive, send)
            return
        if visit.url.path in (SIGN_IN, SIGN_OUT):
            if visit.url.path == SIGN_OUT:
                self._sessions.pop(_digest(visit.cookies.get(SESSION_COOKIE, "")), None)
            await RedirectResponse("/", 303)(scope, receive, send)
            return
        MutableHeaders(scope=scope)[ROLE_HEADER] = role
        await self._app(scope, receive, _with_owner(visit, send) if scope["type"] == "http" else send)

    def _role_of(self, visit: HTTPConnection) -> VisitorRole | None:
        signed_in = self._sessions.get(_digest(visit.cookies.get(SESSION_COOKIE, "")))
        return signed_in or self._doors.unasked(local=_is_local(visit))

    def _wants_staff(self, path: str) -> bool:
        """Whether only the shop's people may open a path; without a password of theirs, the page says what to do."""
        return path.rstrip("/") == STAFF and self._doors.opens("staff")

    async def _turned_away(self, request: Request) -> Response:
        """Ask for the password, or read it."""
        if _is_guess(request.scope):
            return await self._read_guess(request)
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            query = f"?{request.url.query}" if request.url.query else ""
            return self._page(request.url.path + query, "", 401)
        return PlainTextResponse("Sign in first.", 401)

    async def _read_guess(self, request: Request) -> Response:
        form = await _form(request)
        back, client = form.get("back", ""), request.client.host if request.client else ""
        if wait := ceil(self._guesses.begin(client)):
            seconds = "1 second" if wait == 1 else f"{wait} seconds"
            page = self._page(back, f"Too many wrong passwords. Please wait {seconds} before the next try.", 429)
            page.headers["Retry-After"] = str(wait)
            return page
        role = await asyncio.to_thread(self._doors.role_of, form.get("password", ""))
        if role is None or (self._wants_staff(urlsplit(back).path) and role != "staff"):
            return self._page(back, "That is not the password.", 401)
        self._guesses.right(client)
        session = new_secret()
        self._sessions[_digest(session)] = role
        # Two slashes would name another site.
        answer = RedirectResponse("/" + back.lstrip("/\\"), 303)
        _keep(answer.headers, SESSION_COOKIE, session, SESSION_DAYS, secure=_is_https(request))
        return answer

    def _page(self, back: str, problem: str, status: int) -> HTMLResponse:
        """The sign-in page.

        Args:
            back: The address that was asked for, which is opened next.
            problem: What was wrong with the try before; empty for the first.
            status: Of the response.
        """
        headers = {
            **HEADERS,
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
        }
        staff = self._wants_staff(urlsplit(back).path)
        page = templates.get_template("sign_in.html").render(back=back, problem=problem, staff=staff)
        return HTMLResponse(page, status, {**headers, "Cache-Control": "no-store"})


def _is_local(visit: HTTPConnection) -> bool:
    """Whether a browser of this machine asks under a name of this machine: neither a proxy nor another site's page."""
    return visit.client is not None and is_local(visit.client.host) and is_local(visit.url.hostname)


def _is_guess(scope: Scope) -> bool:
    return scope["path"] == SIGN_IN and scope.get("method") == "POST"


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
