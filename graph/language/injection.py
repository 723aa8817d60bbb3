"""Instructions where only questions and evidence belong: they are neither followed nor repeated."""

import re

INSTRUCTION = re.compile(
    r"(?i)\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(rules?|instructions?|prompts?|guidelines?|everything)\b"
    r"|\b(system|developer) prompt\b|\byou are now\b|\bpretend (to be|that|you)\b|\bact as (an?|if)\b|\bjailbreak\b"
)


def instructs(text: str) -> bool:
    """Whether a text tells the assistant how to behave."""
    return bool(INSTRUCTION.search(text))
