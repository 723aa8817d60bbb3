"""The prompts: files like code, read once, hashed into the audit row."""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from graph.draft import YesNo


@cache
def prompt_text(name: str) -> str:
    """The text of `NAME.md`, a path from here without suffix, with the words for yes and no that answers open with."""
    text = _folder().joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
    return text.replace("{yes}", YesNo.YES).replace("{no}", YesNo.NO)


def static_prompt() -> str:
    """Persona and rules: what every request begins with, byte for byte."""
    return prompt_text("persona")


@cache
def notes(intent: str) -> str:
    """How questions of an intent are answered, with an example; empty for an intent of a shop's own."""
    return prompt_text(f"intents/{intent}") if _folder().joinpath(f"intents/{intent}.md").is_file() else ""


@cache
def prompt_hash() -> str:
    """Names all prompt files as they are."""
    found = sorted(_prompts(_folder()), key=lambda prompt: prompt[0])
    return hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in found).encode()).hexdigest()[:12]


def _folder() -> Traversable:
    return files("graph.llm.prompts")


def _prompts(folder: Traversable, above: str = "") -> list[tuple[str, str]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _prompts(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".md"):
            found.append((f"{above}{entry.name}", entry.read_text(encoding="utf-8")))
    return found
