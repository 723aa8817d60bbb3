"""Markers: how a model cites, and how its citations are read."""

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

from ingestion.source_types import SOURCE_TYPES

_UNSAFE = frozenset('[](){}【】,;|*`"\\<>')
"""What would end a marker, part two of them, or be read as Markdown; ids keep everything else but odd white space."""
_INVENTED = re.compile(r"\A(?:\^?\d{1,3}(?:\s*[-–]\s*\d{1,3})?|[a-z_]+:(?!//)\S+)", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|(?<!\s)\s+(?:and|&)\s+")
_BRACKETED = re.compile(r"[\[【](?P<square>[^\[\]【】]*)(?:[\]】]|(?=[\[【])|\Z)|\((?P<round>[^()\[\]【】]*)(?:\)|\Z)")
"""Brackets, also those that another one or the end of the line breaks off."""
MARK = "\ue000"
"""Stands for a marker in a text that is read: a private character, which is not printable, so that no answer has it."""


def marker_of(evidence_id: str) -> str:
    """Write the marker of an evidence: `[spec:kestrel-2]`.

    Ids percent-encode `%`, so further percent-encoding of what a marker cannot hold stays unique and can be undone.
    """
    return f"[{''.join(_written(character) for character in evidence_id)}]"


def _written(character: str) -> str:
    if character not in _UNSAFE and character.isprintable():
        return character
    return quote(character, safe="", errors="surrogatepass")


def _loose(marker: str) -> str:
    """A marker as a careless writer may mean it: no case, no spacing, encoded or not."""
    return "".join(unquote(marker).split()).casefold()


class KnownMarkers:
    """The markers of one request."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = {marker_of(one)[1:-1]: one for one in ids}
        meant: dict[str, list[str]] = {}
        for marker, one in self._ids.items():
            meant.setdefault(_loose(marker), []).append(one)
        self._meant = {key: found[0] for key, found in meant.items() if len(found) == 1}

    def marked(self, text: str) -> tuple[str, list[tuple[str, ...]]]:
        """A text with `MARK` for each marker, whole or cut off, and what each cites; an invented one cites nothing."""
        cited: list[tuple[str, ...]] = []

        def read(found: re.Match[str]) -> str:
            rounded = found["square"] is None
            content = found["round"] if rounded else found["square"]
            closed = found[0][-1] in "]】)"
            ids = self.read(content, rounded=rounded) if closed else self._cut_off(content, rounded=rounded)
            cited.extend([] if ids is None else [ids])
            return found[0] if ids is None else MARK

        return _BRACKETED.sub(read, text), cited

    def read(self, content: str, *, rounded: bool = False) -> tuple[str, ...] | None:
        """Read what stands between brackets.

        Args:
            content: The words between them: one marker or several, parted by commas or spaces.
            rounded: Whether the brackets are `()`, where only what begins with a source type is a marker.

        Returns:
            The evidence it cites, none for markers that are none of this request; None when it is text.
        """
        whole = self._find(content)
        if whole is not None:
            return (whole,)
        parts = [found for part in _BETWEEN.split(content) for found in self._parts(part.strip())]
        found = [one for one in map(self._find, parts) if one is not None]
        if not found and not (parts and all(_is_marker(part, rounded=rounded) for part in parts)):
            return None
        return tuple(dict.fromkeys(found))

    def _cut_off(self, content: str, *, rounded: bool) -> tuple[str, ...] | None:
        """Nothing is cited by the beginning of a marker; None when it is text."""
        last = _BETWEEN.split(content)[-1].strip()
        begun = bool(last or not rounded) and any(marker.startswith(last) for marker in self._ids)
        return () if begun or self.read(content, rounded=rounded) is not None else None

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
