"""One request and the connection it came on: what can be written to it, well or badly."""

import json
import select
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler

LONG_S = 5.0
"""After this time a silence ends by itself, so that a test which waits for it fails instead of hanging."""
POLL_S = 0.005


class ClientLeftError(Exception):
    """Nobody listens any more."""


class Exchange:
    """Writes to one client.

    Args:
        handler: Of the request.
        stopping: Set when the server ends.
    """

    def __init__(self, handler: BaseHTTPRequestHandler, stopping: threading.Event) -> None:
        self._handler, self._stopping = handler, stopping

    def say_json(self, value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer."""
        self.say(json.dumps(value).encode(), "application/json", status, headers)

    def say(self, content: bytes, kind: str, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer of some kind."""
        self._begin(status, {"Content-Type": kind, "Content-Length": str(len(content))} | dict(headers or {}))
        self.write(content)

    def begin_stream(self, headers: Mapping[str, str] | None = None) -> None:
        """The headers of a streamed answer."""
        given = {"Content-Type": "text/event-stream; charset=utf-8", "Transfer-Encoding": "chunked"}
        self._begin(200, given | dict(headers or {}))

    def event(self, value: object) -> None:
        """An event of a streamed answer."""
        self.chunk(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode())

    def chunk(self, content: bytes) -> None:
        """Some bytes of a streamed answer."""
        self.write(b"%x\r\n%s\r\n" % (len(content), content))

    def end_stream(self) -> None:
        """The end of a streamed answer, as HTTP tells it."""
        self.write(b"0\r\n\r\n")

    def write(self, content: bytes) -> None:
        """Bytes as they are.

        Raises:
            ClientLeftError: The client closed the connection, or the server was killed.
        """
        if self._stopping.is_set() or self._is_left():
            raise ClientLeftError
        try:
            self._handler.wfile.write(content)
        except OSError:
            raise ClientLeftError from None

    def wait(self, seconds: float = LONG_S) -> None:
        """Say nothing for a time, but notice it when the client leaves."""
        for _ in range(max(1, round(seconds / POLL_S))) if seconds else ():
            if self._is_left():
                raise ClientLeftError
            if self._stopping.wait(min(POLL_S, seconds)):
                return

    def without_end(self) -> Iterator[None]:
        """Steps of a fault that never ends but with the server."""
        while not self._stopping.is_set():
            yield

    def hang_up(self) -> None:
        """Close the connection without a word."""
        self._handler.close_connection = True

    def reset(self) -> None:
        """Reset the connection."""
        self._handler.close_connection = True
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._handler.connection.close()

    def _begin(self, status: int, headers: Mapping[str, str]) -> None:
        self._handler.send_response(status)
        for name, value in headers.items():
            self._handler.send_header(name, value)
        try:
            self._handler.end_headers()
        except OSError:
            raise ClientLeftError from None

    def _is_left(self) -> bool:
        connection = self._handler.connection
        try:
            readable, _, _ = select.select([connection], [], [], 0)
            return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
        except (OSError, ValueError):
            return True
