"""The prompts: files like code, read once, hashed into the audit row."""

import hashlib
from functools import cache
from pathlib import Path

from graph.draft import YesNo

_FOLDER = Path(__file__).parent


@cache
def prompt_text(name: str) -> str:
    """The text of `NAME.md`, a path from here without suffix, with the words for yes and no that answers open with."""
    text = _FOLDER.joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
    return text.replace("{yes}", YesNo.YES).replace("{no}", YesNo.NO)


def static_prompt() -> str:
    """Persona and rules: what every request begins with, byte for byte."""
    return prompt_text("persona")


@cache
def notes(intent: str) -> str:
    """How questions of an intent are answered, with an example; empty for an intent of a shop's own."""
    return prompt_text(f"intents/{intent}") if _FOLDER.joinpath(f"intents/{intent}.md").is_file() else ""


@cache
def prompt_hash() -> str:
    """Names all prompt files as they are."""
    files = {path.relative_to(_FOLDER).as_posix(): path for path in _FOLDER.rglob("*.md")}
    found = [(name, files[name].read_text(encoding="utf-8")) for name in sorted(files)]
    return hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in found).encode()).hexdigest()[:12]
