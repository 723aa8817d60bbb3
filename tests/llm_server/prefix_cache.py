"""A prefix cache that keeps no tensors: how many tokens of a prompt a server like vLLM would not compute again."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from tests.llm_server.script import WORD_PIECE

BLOCK = 16
"""Tokens that are cached together."""


class PrefixCache:
    """Remembers the prompts it has seen, in whole blocks from the front, as vLLM does."""

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._lock = threading.Lock()

    def count(self, messages: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
        """The tokens of a prompt, and how many of these were cached; from now on all its blocks are.

        The last token is never taken from the cache, as its computation yields the first one of the answer.
        """
        tokens = WORD_PIECE.findall("".join(f"<{message['role']}>\n{message['content']}\n" for message in messages))
        cached, chain, unbroken = 0, 0, True
        with self._lock:
            for start in range(0, len(tokens) - BLOCK + 1, BLOCK):
                chain = hash((chain, *tokens[start : start + BLOCK]))
                unbroken = unbroken and chain in self._known and start + BLOCK < len(tokens)
                cached += BLOCK * unbroken
                self._known.add(chain)
        return len(tokens), cached

    def clear(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._known.clear()
