"""A real HTTP server on this machine that answers as it is told, faults included."""

import json
import socket
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler, "LiveServer"], None]
Requested = tuple[str, dict[str, str]]


LONG_S = 5.0
"""After this time a fault ends by itself, so that a test which waits for it fails instead of hanging."""
DRIP_S = 0.02


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep silent where a connection was shut, whose end another test would see; tell everything else."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class LiveServer:
    """Serves `answers`, by path without query; what is not in it is a 404.

    Attributes:
        requested: Path and headers of every request, in order.
        posted: Headers, with names in small letters, and bodies of those that posted something.
        released: Lets answers that hang come to an end.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requested: list[Requested] = []
        self.posted: list[tuple[dict[str, str], bytes]] = []
        self.released = threading.Event()
        self._server = _Listener(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requested]

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        live = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                live.requested.append((self.path, dict(self.headers.items())))
                self._answer()

            def do_POST(self) -> None:
                live.requested.append((self.path, dict(self.headers.items())))
                content = self.rfile.read(int(self.headers.get("content-length", 0)))
                live.posted.append(({name.lower(): value for name, value in self.headers.items()}, content))
                self._answer()

            def _answer(self) -> None:
                try:
                    live.answers.get(self.path.partition("?")[0], status(404))(self, live)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature of the base
                """Keep silent."""

        return Handler


def body(
    content: bytes, *, kind: str | None = "application/json", code: int = 200, headers: dict[str, str] | None = None
) -> Answer:
    """These bytes, as this kind of content."""

    def answer(handler: BaseHTTPRequestHandler, _: LiveServer) -> None:
        handler.send_response(code)
        given = {"Content-Length": str(len(content))} | ({"Content-Type": kind} if kind else {}) | (headers or {})
        for name, value in given.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def says(value: object) -> Answer:
    """A value as JSON."""
    return body(json.dumps(value).encode())


def status(code: int, **headers: str) -> Answer:
    """A status with an HTML page, as servers have for their errors."""
    return body(b"<html>Oops</html>", kind="text/html", code=code, headers=headers)


def in_turn(*answers: Answer) -> Answer:
    """One answer after the other, and the last for good."""
    left = list(answers)

    def answer(handler: BaseHTTPRequestHandler, live: LiveServer) -> None:
        chosen = left.pop(0) if len(left) > 1 else left[0]
        chosen(handler, live)

    return answer


def hangs(handler: BaseHTTPRequestHandler, live: LiveServer) -> None:
    """The request is taken and never answered."""
    live.released.wait(LONG_S)
    handler.close_connection = True


def drips(handler: BaseHTTPRequestHandler, live: LiveServer) -> None:
    """A body comes byte by byte."""
    content = b"[" + b" " * int(LONG_S / DRIP_S) + b"]"
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    for byte in content:
        handler.wfile.write(bytes([byte]))
        live.released.wait(DRIP_S)


def drips_headers(handler: BaseHTTPRequestHandler, live: LiveServer) -> None:
    """The headers come byte by byte."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    for _ in range(int(LONG_S / DRIP_S)):
        handler.wfile.write(b"x")
        live.released.wait(DRIP_S)
    handler.wfile.write(b"\r\nContent-Length: 2\r\n\r\n[]")


def endless(handler: BaseHTTPRequestHandler, live: LiveServer) -> None:
    """A body without length that does not end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Connection", "close")
    handler.end_headers()
    while not live.released.is_set():
        handler.wfile.write(b" " * 65536)


def hangs_up(handler: BaseHTTPRequestHandler, _: LiveServer) -> None:
    """The connection is closed without a word."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def hangs_up_midway(handler: BaseHTTPRequestHandler, _: LiveServer) -> None:
    """The connection is closed in the middle of a body."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'[{"id": 1')
    handler.close_connection = True
