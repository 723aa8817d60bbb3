"""Markers: how a model cites, and how its citations are read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from ingestion.source_types import SOURCE_TYPES

_UNSAFE = frozenset('[](){}【】,;|*`"\\<>')
"""What would end a marker, part two of them, or be read as Markdown; ids keep everything else but odd white space."""
_INVENTED = re.compile(r"\A(?:\^?\d{1,3}(?:\s*[-–]\s*\d{1,3})?|[a-z_]+:(?!//)\S+)", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|(?<!\s)\s+(?:and|&)\s+")


def marker_of(evidence_id: str) -> str:
    """Write the marker of an evidence: `[spec:kestrel-2]`.

    Ids percent-encode `%`, so further percent-encoding of what a marker cannot hold stays unique and can be undone.
    """
    return f"[{''.join(_written(character) for character in evidence_id)}]"


def plain(text: str) -> str:
    """A text without Markdown's bold and code marks."""
    return text.translate(_MARKDOWN)


_MARKDOWN = str.maketrans("", "", "*`")


def _written(character: str) -> str:
    if character not in _UNSAFE and character.isprintable():
        return character
    return quote(character, safe="", errors="surrogatepass")


def _loose(marker: str) -> str:
    """A marker as a careless writer may mean it: no case, no spacing, encoded or not."""
    return re.sub(r"\s+", "", unquote(marker)).casefold()


@dataclass(frozen=True, slots=True)
class Mark:
    """What stood between a pair of brackets.

    Attributes:
        ids: Evidence of this request.
        invented: What has the form of a marker and is none of this request.
    """

    ids: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()


class KnownMarkers:
    """The markers of one request."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = {marker_of(one)[1:-1]: one for one in ids}
        meant: dict[str, list[str]] = {}
        for marker, one in self._ids.items():
            meant.setdefault(_loose(marker), []).append(one)
        self._meant = {key: found[0] for key, found in meant.items() if len(found) == 1}
        self.longest = max(map(len, self._ids), default=0)

    def read(self, content: str, *, rounded: bool = False) -> Mark | None:
        """Read what stands between brackets.

        Args:
            content: The words between them: one marker or several, parted by commas or spaces.
            rounded: Whether the brackets are `()`, where only what begins with a source type is a marker.

        Returns:
            Its markers, or None when it is text.
        """
        content = plain(content)
        whole = self._find(content)
        if whole is not None:
            return Mark((whole,))
        parts = [found for part in _BETWEEN.split(content) for found in self._parts(part.strip())]
        found = [self._find(part) for part in parts]
        if not parts or not (any(found) or all(_is_marker(part, rounded=rounded) for part in parts)):
            return None
        unknown = [part for part, one in zip(parts, found, strict=True) if one is None]
        return Mark(tuple(dict.fromkeys(one for one in found if one is not None)), tuple(dict.fromkeys(unknown)))

    def is_cut_off(self, content: str, *, rounded: bool = False) -> bool:
        """Whether text behind an opening bracket that nothing closes is the beginning of a marker."""
        last = _BETWEEN.split(content)[-1].strip()
        begun = bool(last or not rounded) and any(marker.startswith(last) for marker in self._ids)
        return begun or self.read(content, rounded=rounded) is not None

    def may_be_round(self, content: str) -> bool:
        """Whether text behind `(` may still become a marker."""
        kind, colon, _ = content.strip().casefold().partition(":")
        return kind in SOURCE_TYPES if colon else any(one.startswith(kind) for one in SOURCE_TYPES)

    def _find(self, marker: str) -> str | None:
        return self._ids.get(marker) or self._meant.get(_loose(marker))

    def _parts(self, part: str) -> list[str]:
        """A part as it is or, where each of its words is a marker, its words."""
        if not part:
            return []
        words = part.split()
        apart = self._find(part) is None and all(self._find(word) is not None for word in words)
        return words if apart else [part]


def _is_marker(part: str, *, rounded: bool) -> bool:
    """Whether a part has the form of a marker, of whatever evidence."""
    kind, _, rest = part.partition(":")
    typed = kind.casefold() in SOURCE_TYPES and bool(rest[:1].strip())
    return typed or (not rounded and _INVENTED.fullmatch(part) is not None)


_CLOSING = {"[": "]", "【": "】", "(": ")"}
_LEAST_HELD = 200
"""Characters behind a bracket that are always waited for, so that a list of markers of any usual length fits."""


class MarkerReader:
    """Reads one line character by character, without bold and code marks.

    A part of a marker is never given out as text.
    """

    def __init__(self, known: KnownMarkers) -> None:
        self._known = known
        self._most_held = max(_LEAST_HELD, 8 * known.longest)
        self._held = ""
        self._star = False

    @property
    def held(self) -> int:
        """Number of characters that are held back."""
        return len(self._held)

    def take(self, character: str) -> list[str | Mark]:
        """Read on; returns single characters and markers that are certain."""
        if self._held:
            return self._bracketed(character)
        if character in _CLOSING:
            before = self._starred()
            self._held = character
            return before
        return self._plain(character)

    def flush(self) -> list[str | Mark]:
        """End the line; a marker that was cut off says nothing."""
        held, self._held = self._held, ""
        if held and self._known.is_cut_off(held[1:], rounded=held[0] == "("):
            return [Mark()]
        return [*self._text(held), *self._starred()]

    def _bracketed(self, character: str) -> list[str | Mark]:
        opening, content = self._held[0], self._held[1:]
        if character == _CLOSING[opening]:
            self._held = ""
            mark = self._known.read(content, rounded=opening == "(")
            return self._text(f"{opening}{content}{character}") if mark is None else [mark]
        if character in "[【" or (character == "(" and opening == "("):
            self._held = character
            broken = ":" in content and self._known.is_cut_off(content, rounded=opening == "(")
            return [Mark()] if broken else [*self._text(f"{opening}{content}"), *self._starred()]
        self._held += character
        if len(self._held) <= self._most_held and (opening != "(" or self._known.may_be_round(self._held[1:])):
            return []
        held, self._held = self._held, ""
        return self._text(held)

    def _text(self, text: str) -> list[str | Mark]:
        return [token for character in text for token in self._plain(character)]

    def _plain(self, character: str) -> list[str | Mark]:
        """One character of text; `**` and backticks are Markdown's and say nothing."""
        if character == "`":
            return []
        if character == "*":
            self._star = not self._star
            return []
        return [*self._starred(), character]

    def _starred(self) -> list[str | Mark]:
        """A star that stood alone."""
        star, self._star = self._star, False
        return ["*"] if star else []
