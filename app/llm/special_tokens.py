"""The special tokens of a served model's tokenizer: no message may hold one, and an answer ends at one.

They are read from its files where those are at hand, else from the server: vLLM tells them at `/tokenizer_info` where
it was started with `--enable-tokenizer-info-endpoint`, as `footnote vllm` recommends. Another is asked once. What
nearly all chat templates' tokens have in common is kept out of prompts anyway (`graph/language/control_tokens.py`).
"""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from app.errors import SettingsError
from app.llm.options import LlmOptions

logger = logging.getLogger(__name__)

FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
_ONE = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token", "mask_token")
_SEVERAL = ("additional_special_tokens", "extra_special_tokens")
_NOT_READY = frozenset({502, 503, 504})
"""What a router says while the servers behind it start."""
_MARKS = "<>[]|｜"  # noqa: RUF001 - a full-width bar is meant


class UnreadableTokenizerError(SettingsError):
    """The files of a tokenizer cannot be read."""

    def __init__(self, place: Path, reason: str) -> None:
        super().__init__(
            f"llm.tokenizer: {place} {reason}. Name the folder of the served model that holds tokenizer.json, or leave "
            "it out."
        )


class _NotReadyError(Exception):
    """The server cannot tell now, and may later."""


class SpecialTokens:
    """What a served model's tokenizer reads as its own; asked for until there is an answer."""

    def __init__(self, options: LlmOptions) -> None:
        """Read the files that settings name, or those of a model that is a folder here.

        Raises:
            UnreadableTokenizerError: The settings name files that cannot be read.
        """
        self._options = options
        self._tokens = _read(options.tokenizer) if options.tokenizer else None
        folder = Path(options.model or "")
        if self._tokens is None and any((folder / name).is_file() for name in FILES):
            self._tokens = _read(folder)

    @property
    def known(self) -> frozenset[str]:
        """Those that are known so far."""
        return self._tokens or frozenset()

    async def ask(self) -> frozenset[str]:
        """Those that the server tells, where no file did; none as long as it cannot tell.

        Raises:
            httpx2.ConnectError: The server cannot be reached.
            httpx2.ConnectTimeout: Nor within its limit.
        """
        if self._tokens is None:
            try:
                self._tokens = special_tokens(await self._told())
            except _NotReadyError:
                return frozenset()
        return self._tokens

    async def _told(self) -> object:
        options = self._options
        key = options.api_key.get_secret_value() if options.api_key else None
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        address = f"{(options.base_url or '').removesuffix('/v1')}/tokenizer_info"
        try:
            async with (
                asyncio.timeout(2 * options.connect_s),
                httpx2.AsyncClient(timeout=options.connect_s, headers=headers, trust_env=False) as client,
            ):
                response = await client.get(address)
            if response.status_code in _NOT_READY:
                raise _NotReadyError
            return response.json() if response.is_success else None
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise
        except (TimeoutError, httpx2.HTTPError, ValueError, RecursionError) as error:
            logger.info("%s tells nothing of its tokenizer: %s", address, error)
            return None


def special_tokens(told: object) -> frozenset[str]:
    """The special tokens that a tokenizer's file or a server's answer names, of whatever form."""
    # One character is no mark of a template, and white space is in every text.
    return frozenset(token for token in _named(told) if len(token) > 1 and not token.isspace())


def _named(told: Any) -> Iterator[str]:  # noqa: ANN401 - parsed JSON
    if not isinstance(told, dict):
        return
    for one in (*_items(told.get("added_tokens_decoder")), *_items(told.get("added_tokens"))):
        if isinstance(one, dict):
            yield from _items(one.get("content")) if one.get("special") else ()
        elif any(mark in str(one) for mark in _MARKS):
            # vLLM leaves out whether it is special; a word that was added to a vocabulary is none.
            yield from _items(one)
    for name in (*_ONE, *_SEVERAL):
        for one in _items(told.get(name)):
            yield from _items(one.get("content") if isinstance(one, dict) else one)


def _items(value: object) -> Iterator[Any]:
    """What a value holds: of a mapping that is no token by itself, a list, or a text alone."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, str | dict))
    elif isinstance(value, dict):
        yield from [value] if "content" in value else _items(list(value.values()))


def _read(place: Path) -> frozenset[str]:
    files = [place / name for name in FILES if (place / name).is_file()] if place.is_dir() else [place]
    if not files:
        raise UnreadableTokenizerError(place, "holds no file of a tokenizer")
    try:
        return frozenset().union(*(special_tokens(json.loads(file.read_text(encoding="utf-8"))) for file in files))
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableTokenizerError(place, f"cannot be read ({error})") from error
