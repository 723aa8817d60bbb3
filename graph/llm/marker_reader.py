"""From characters to text and markers: brackets are held back until it is clear what they are."""

from graph.llm.evidence_markers import KnownMarkers, Mark

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
