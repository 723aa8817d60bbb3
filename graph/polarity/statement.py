"""A piece of evidence as it is weighed: what is said, and the question another customer got it in answer to."""

import re
from dataclasses import dataclass

from graph.language.notation import plain_value

_ANSWER = re.compile(r"^\s*Answer:\s*")
_ASKED, _ANSWERED = re.compile(r"\bQuestion:"), re.compile(r"\bAnswer:")
_IDIOMS = re.compile(
    r"(?i)\b(?:no (?:problems?|issues?|trouble|complaints?|doubt|matter)|not only|(?:can|could)(?:no|['’]?n['’]?)t"
    r" (?:go wrong|be happier|complain|ask for)"
    r"|never (?:had|an?|any) (?:any |a )?(?:problems?|issues?|trouble|failed|fails)"
    r"|no[- ](?:fuss|brainer|mess|slip|tear|fail)|non[- ])\b"
)
"""Negations that deny nothing of the product."""
_CLAUSES = re.compile(
    r"(?<=[.!?;])\s+|\.{2,}\s*|,\s+|;\s*|\bbut\b|\bhowever\b|\balthough\b|\beven though\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """Evidence, read.

    Attributes:
        said: What it says, in plain words.
        earlier: The customer question it answered; empty for anything but Q&A.
        clauses: Its clauses, in order.
    """

    said: str
    earlier: str
    clauses: tuple[str, ...]


def read_statement(text: str, source_type: str | None) -> Statement:
    """Read evidence of a kind."""
    earlier, raw = (exchange_of(text) if source_type == "qa" else None) or ("", text)
    said = _IDIOMS.sub(" well ", plain_value(_ANSWER.sub("", raw)))
    clauses = tuple(part.strip() for part in _CLAUSES.split(said) if part and part.strip())
    return Statement(said, " ".join(earlier.split()), clauses or (said,))


def exchange_of(text: str) -> tuple[str, str] | None:
    """The question and the answer of a Q&A, whichever stands first; None where it names no question."""
    asked = _ASKED.search(text)
    if asked is None:
        return None
    before, behind = text[: asked.start()], text[asked.end() :]
    if not before.strip() and (found := _ANSWERED.search(behind)):
        return behind[: found.start()].strip(), behind[found.end() :].lstrip()
    return behind.lstrip(), before.rstrip()
