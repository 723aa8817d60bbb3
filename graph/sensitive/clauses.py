"""Clauses: what a quotation says beside a sensitive claim, so that the claim alone is withheld."""

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from graph.options.sensitive import SensitiveClass
from graph.sensitive.claims import claims_in
from graph.sensitive.wording import tokens

_QUOTED = re.compile(r"“(?P<said>[^“”]+)”")
_END = re.compile(r"(?<=[.;!?])\s+|(?<=[;:,])\s+|(?<!\s)\s+(?:[–—-]\s+|(?=\())|(?<=\))\s+")
_OPEN = re.compile(r"(?i)\A\W*(?:but|except|unless|if|when|only|however|although|though|which|who|that)\b")
"""Opens a clause that limits the one before it, which says another thing without it."""
_FEWEST = 2


def clauses_without(
    text: str, bare: Callable[[str], str], classes: Mapping[str, SensitiveClass], asked: AbstractSet[str]
) -> str | None:
    """A sentence whose quotation keeps only the clause that speaks of what was asked and claims nothing sensitive.

    Args:
        text: The sentence, with one quotation in it.
        bare: A text without names of products.
        classes: The classes that are looked for.
        asked: Tokens of the question.

    Returns:
        The sentence with one clause, in the source's words; None where no clause stands by itself.
    """
    quotation = _QUOTED.search(text)
    if quotation is None:
        return None
    clauses = [clause.strip() for clause in _END.split(quotation["said"]) if clause and clause.strip()]
    limited = [_OPEN.match(clause) is not None for clause in clauses]
    if len(clauses) < _FEWEST or any(limited):
        return None
    about = (clause for clause in clauses if not asked.isdisjoint(tokens(bare(clause))))
    kept = list(islice((clause for clause in about if not claims_in(bare(clause), classes)), 2))
    if len(kept) != 1:
        return None
    return text[: quotation.start("said")] + kept[0].strip(" ,;:()") + text[quotation.end("said") :]
