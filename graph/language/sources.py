"""Kinds of evidence in words: what they are called, how they are asked for, how they are quoted."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from graph.language.sentences import ended
from graph.language.terms import stem

_QUOTES = str.maketrans({"“": "‘", "”": "’", '"': "'", "[": "(", "]": ")"})

CORE = 3


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One source type in words.

    Attributes:
        label: What a sentence calls it.
        cues: Stems of the words by which it is asked for.
        core: The first of them, by which a document shows that it is about this.
        quote: The sentence around a quotation; empty where the shop speaks for itself.
    """

    label: str
    cues: frozenset[str]
    core: frozenset[str]
    quote: str


@lru_cache(maxsize=1)
def source_kinds() -> dict[str, SourceKind]:
    """All source types, read once."""
    raw = tomllib.loads(files("graph.language").joinpath("sources.toml").read_text(encoding="utf-8"))
    return {
        name: SourceKind(
            label=entry["label"],
            cues=frozenset(map(stem, entry["cues"])),
            core=frozenset(map(stem, entry["cues"][:CORE])),
            quote=entry["quote"],
        )
        for name, entry in raw.items()
    }


def quoted(source_type: str, text: str) -> str:
    """What a source says, in a sentence that says who says it.

    Square brackets become round ones, so that nothing a source says can be read as a marker.
    """
    frame = source_kinds()[source_type].quote
    flat = " ".join(text.split())
    if not frame:
        return ended(flat.replace("[", "(").replace("]", ")"))
    return ended(frame.format(text=flat.translate(_QUOTES)))
