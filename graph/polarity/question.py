"""A yes/no question as a claim and its denial, and which questions can be answered so at all."""

import re

from graph.language.names import name_pattern

_OR_NOT = re.compile(r"(?i)(?:,\s*|(?<!\s)\s*)\bor (?:not|no)\b")
_EITHER = re.compile(r"(?i)\bor\b(?!\s+(?:so|more|older|up|over)\b)")
_NEGATED = re.compile(r"(?i)\b(?:not|without|never)\b|n['’]t\b")
_OPENING = re.compile(r"(?i)^(?:(?:and|so|but|or|also|ok|okay|hi|hello|hey|please|then|well|thanks)\b[,.!]?\s*)+")
_ASKS = re.compile(
    r"(?i)^(?P<verb>is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|might|must)\s+"
    r"(?P<subject>(?:the|an?|my|your|these|those)\s+[\w-]+|[\w-]+)\s+(?P<rest>.+)$",
    re.DOTALL,
)
_EMPTY_VERBS = frozenset({"do", "does", "did"})


def can_be_settled(question: str) -> bool:
    """Whether yes or no alone would answer it: it leaves no choice and denies nothing itself."""
    asked = _OR_NOT.sub("", question)
    return not _EITHER.search(asked) and not _NEGATED.search(asked)


def without_name(question: str, name: str) -> str:
    """A question about "it" in place of the product it names, for the name is not what is asked."""
    named = name_pattern(name, r"\b(?:the |this |my |an? )?") if name.strip() else None
    return named.sub("it", question) if named else question


def claim_and_denial(question: str) -> tuple[str, str]:
    """What a yes would say, and what a no would: "is it loud?" asks for "it is loud." and "it is not loud."."""
    asked = _OPENING.sub("", question.strip()).rstrip("? ")
    found = _ASKS.match(asked)
    if not found:
        return f"{asked}.", f"it is not true that {asked}."
    subject, verb, rest = found["subject"], found["verb"], found["rest"]
    said = f"{subject} {rest}." if verb.lower() in _EMPTY_VERBS else f"{subject} {verb} {rest}."
    return said, f"{subject} {verb} not {rest}."
