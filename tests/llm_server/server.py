"""A scripted OpenAI-compatible server on loopback: meaningful answers and every fault, without a model.

    def answer(body: Body) -> Script:
        return Script("clear\\nIt weighs 1.9 kg [spec:kestrel-2].")

    with LlmServer(answer) as server:
        options = LlmOptions(base_url=server.url, model=server.model)
        ...
        assert server.requests[0]["max_completion_tokens"] == 512

It serves `/v1/models` and `/v1/chat/completions`, streamed and not, and tells of its tokenizer what it is told. It
refuses models that it does not serve and, where it has a key, requests without it. It does not hold answers to a
grammar or a schema: the script says what it says. A token is a word piece (see `script.py`); usage tells how many of a
prompt's tokens were cached, counted from the prompts it has seen (see `prefix_cache.py`).
"""

import json
import socket
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.llm_server.exchange import LONG_S, ClientLeftError, Exchange
from tests.llm_server.prefix_cache import PrefixCache
from tests.llm_server.replies import refuse, reply
from tests.llm_server.script import Script

Body = dict[str, Any]
Answer = Callable[[Body], Script]

MODEL_LENGTH = 8192


class LlmServer:
    """Answers each request by a script; a context manager.

    Args:
        answer: From a request's body to what is said; called in the thread of the request.
        model: The model it serves.
        api_key: The bearer token it wants; None for none.
        port: Where it listens; 0 for any free port.

    Attributes:
        requests: The body of every request, in order.
        headers: And its headers.
        finished: The bodies of the requests that were answered to the end.
        left: The bodies of the requests that the client gave up before their answer ended.
        cache: Its prefix cache.
        length: Tokens it reads at most, as it says; None where it does not say.
        caching: Whether it keeps prefixes.
        details: Whether it says how many tokens came from the cache.
        tokenizer_info: What it tells of its tokenizer, and the status; 404 as from a server that tells nothing.
    """

    def __init__(self, answer: Answer, *, model: str = "scripted", api_key: str | None = None, port: int = 0) -> None:
        self.answer, self.model, self.api_key = answer, model, api_key
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.finished: list[Body] = []
        self.left: list[Body] = []
        self.cache = PrefixCache()
        self.length: int | None = MODEL_LENGTH
        self.caching = self.details = True
        self.tokenizer_info: tuple[Body, int] = ({"detail": "Not Found"}, 404)
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._open: set[socket.socket] = set()
        self._port = port

    @property
    def url(self) -> str:
        """The base URL, the same after `kill` and `start`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._stopping.is_set():
            self.kill()

    def start(self) -> None:
        """Serve, with an empty cache; after `kill`, on the same port."""
        self._stopping.clear()
        self.cache.clear()
        self._listener = _Listener(("127.0.0.1", self._port), _handler_of(self))
        self._port = self._listener.server_address[1]
        self._thread = threading.Thread(
            target=self._listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    def kill(self) -> None:
        """Stop at once: connections are shut in mid-answer, and nothing listens any more."""
        self._stopping.set()
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def wait_until_left(self, count: int = 1) -> bool:
        """Wait until clients gave up this many requests; false if they do not."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.left) >= count, LONG_S)

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        exchange = Exchange(handler, self._stopping)
        content = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        if (handler.command, handler.path) == ("GET", "/health"):
            exchange.say(b"", "text/plain")
        elif self.api_key and handler.headers.get("Authorization") != f"Bearer {self.api_key}":
            refuse(exchange, 401, "Unauthorized")
        elif (handler.command, handler.path) == ("GET", "/v1/models"):
            card = {"id": self.model, "object": "model", "owned_by": "vllm", "max_model_len": self.length}
            exchange.say_json({"object": "list", "data": [card]})
        elif (handler.command, handler.path) == ("GET", "/tokenizer_info"):
            exchange.say_json(*self.tokenizer_info)
        elif (handler.command, handler.path) == ("POST", "/v1/chat/completions"):
            self._complete(exchange, json.loads(content), dict(handler.headers.items()))
        else:
            exchange.say_json({"detail": "Not Found"}, 404)

    def _complete(self, exchange: Exchange, body: Body, headers: dict[str, str]) -> None:
        with self._changed:
            self.requests.append(body)
            self.headers.append(headers)
        if body["model"] != self.model:
            refuse(exchange, 404, f"The model `{body['model']}` does not exist.")
            return
        if not self.caching:
            self.cache.clear()
        prompt, cached = self.cache.count(body["messages"])
        counts = (prompt, cached if self.details else None)
        try:
            reply(exchange, body, self.answer(body), counts)
            self.finished.append(body)
        except ClientLeftError:
            exchange.hang_up()
            with self._changed:
                self.left.append(body)
                self._changed.notify_all()

    def opened(self, connection: socket.socket) -> None:
        """A client connected."""
        self._open.add(connection)

    def closed(self, connection: socket.socket) -> None:
        """A connection ended."""
        self._open.discard(connection)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep silent where a connection was shut; tell everything else."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler_of(server: LlmServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            server.opened(self.connection)

        def finish(self) -> None:
            server.closed(self.connection)
            super().finish()

        def do_GET(self) -> None:
            self.answer()

        def do_POST(self) -> None:
            self.answer()

        def answer(self) -> None:
            try:
                server.handle(self)
            except ClientLeftError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature of the base
            """Keep silent."""

    return Handler
