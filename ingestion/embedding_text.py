"""What is embedded for an evidence: its text behind the words that say what it is about, within the model's window."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.chunk import CountTokens
from ingestion.evidence import Evidence

_MAX_KEYWORD_TOKENS = 40
"""Tokens kept free for keywords; more of them are embedded where the text is short."""


@dataclass(frozen=True, slots=True)
class EmbeddingWindow:
    """The room that the model's window has for a text and its metadata.

    Title and section stand first, then description and keywords, then the text. Half of the window is the text's own;
    what has no room is left out of the metadata, keywords first, never of the text.

    Attributes:
        count_tokens: Tokens of a text, as the model counts them.
        tokens: The window's length without the model's special tokens.
        metadata: Whether there is any beside the text.
    """

    count_tokens: CountTokens
    tokens: int
    metadata: bool = True

    @property
    def least_budget(self) -> int:
        """Tokens of a text that the window holds with any metadata."""
        return self.tokens - self.tokens // 2

    def text_budget(self, title: str, section: Sequence[str], keywords: Sequence[str]) -> int:
        """Most tokens of a text that the window holds with this metadata."""
        if not self.metadata:
            return self.tokens
        place = self.count_tokens(_place(title, " > ".join(section)))
        named = min(self.count_tokens(", ".join(keywords)), _MAX_KEYWORD_TOKENS)
        return max(self.least_budget, self.tokens - place - named)

    def embedded(self, evidence: Evidence, text: str) -> str:
        """What is embedded for a text of an evidence that is within its budget."""
        room = self.tokens - self.count_tokens(text) if self.metadata else 0
        place = self.cut(_place(evidence.title, evidence.section), room)
        keywords = self.cut(", ".join(evidence.keywords), room - self.count_tokens(place))
        return "\n".join(part for part in (place, keywords, text) if part)

    def cut(self, text: str, room: int) -> str:
        """The whole words of a text that there is room for."""
        if self.count_tokens(text) <= room:
            return text
        kept: list[str] = []
        for word in text.split():
            room -= self.count_tokens(word)
            if room < 0:
                break
            kept.append(word)
        return " ".join(kept)


def _place(title: str, section: str | None) -> str:
    return f"{title} > {section}" if section else title
