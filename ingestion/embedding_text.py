"""What is embedded for an evidence: its text with the words that say where it stands."""

from ingestion.chunking import CountTokens, chunk_blocks
from ingestion.evidence import Evidence
from ingestion.readers.blocks import Block

WINDOW_TOKENS = 254
"""The model's window of 256 without its two special tokens."""
_MIN_TEXT_TOKENS = 128
_MAX_KEYWORD_TOKENS = 40


def embedding_texts(evidence: Evidence, count_tokens: CountTokens) -> list[str]:
    """The texts whose mean stands for an evidence: one, or several where it does not fit into the model's window.

    Title and section come first; keywords last, where a full window cuts them off before it cuts the text.
    """
    section = tuple(evidence.section.split(" > ")) if evidence.section else ()
    budget = text_budget(evidence.title, section, _keywords(evidence), count_tokens)
    chunks = chunk_blocks([Block("list", evidence.text)], lambda _section: budget, count_tokens)
    place = _place(evidence.title, evidence.section)
    return ["\n".join(part for part in (place, chunk.text, _keywords(evidence)) if part) for chunk in chunks]


def text_budget(title: str, section: tuple[str, ...], keywords: str, count_tokens: CountTokens) -> int:
    """Most tokens that a chunk's text may have, so that the window holds it with its title, section and keywords."""
    beside = count_tokens(_place(title, " > ".join(section))) + min(count_tokens(keywords), _MAX_KEYWORD_TOKENS)
    return max(_MIN_TEXT_TOKENS, WINDOW_TOKENS - beside)


def _place(title: str, section: str | None) -> str:
    return f"{title} > {section}" if section else title


def _keywords(evidence: Evidence) -> str:
    return ", ".join(evidence.keywords)
