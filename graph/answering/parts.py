"""Parts of a coordination ("5G and NFC"): which of them an answer to the whole leaves open."""

import re
from collections.abc import Sequence

from graph.answering.candidate import Candidate
from graph.answering.parsed_clause import ParsedClause, analyse
from graph.intents.clauses import coordinates
from graph.language.families import covered_terms
from graph.language.names import LONGEST
from graph.language.terms import terms
from graph.parts import Question

_ELLIPTIC = re.compile(
    r"(?i)\A\W*(?:(?:for|since|until|from|to|at|in|by|about|and|or)\s*)?"
    r"(?:how (?:long|much|many|often|far|soon|fast)|when|where|why|which|who|what)\W*"
)
"""Asks more of what was asked before it ("and for how long?"), which alone it does not name."""
MOST_BESIDE = 8
"""Names between the first and the last of a row."""


def parts_of(asked: ParsedClause, text: str, names: tuple[str, ...]) -> list[ParsedClause]:
    """The parts that a clause asks for together; none where it is no coordination, or one leans on another.

    Args:
        asked: The clause.
        text: It as it is split: no name in it holds an "and" of its own.
        names: Names of the products it is about.
    """
    parts = coordinates(text)
    return [] if any(map(_ELLIPTIC.fullmatch, parts)) else [analyse(part, names, asked.text) for part in parts]


def together(text: str, names: Sequence[str]) -> str:
    """A question with a pronoun for names that stand side by side ("the Nova and the Nova Mini")."""
    known = {name.casefold(): re.escape(name[:LONGEST]) for name in names if name}
    longest_first = "|".join(sorted(known.values(), key=len, reverse=True))
    name = rf"(?:the )?(?:{longest_first})(?!\w)"
    row = rf"(?i)(?<!\w){name}(?:\s*,\s*{name}){{0,{MOST_BESIDE}}},?\s+and\s+{name}"
    return re.sub(row, "they", text) if longest_first else text


def parts_left_open(
    asked: ParsedClause, parts: Sequence[ParsedClause], whole: Candidate | None, question: Question
) -> Sequence[ParsedClause]:
    """The parts of a coordination that the answer to the whole says nothing of.

    Only a yes or no and a stated attribute answer just what they name; a procedure or a rule is about its whole matter.

    Args:
        asked: The clause.
        parts: The parts it asks for together; none where it is no coordination.
        whole: What answers the clause as a whole.
        question: The question, with its evidence.

    Returns:
        All parts where nothing answers the whole; none where it leaves none open.
    """
    if whole is None:
        return parts
    if not (asked.yes_no or whole.attributes):
        return ()
    said = _said(whole, question)
    return [part for part in parts if part.specific and not part.specific <= said]


def _said(whole: Candidate, question: Question) -> frozenset[str]:
    """Terms of what an answer tells, of the text it cites, and by which its attributes are asked for."""
    texts = {item.evidence_id: item.text for item, _ in question.evidence}
    sentences = [sentence for block in whole.blocks for sentence in block.sentences if sentence.factual]
    cited = (texts.get(span.evidence_id, "")[span.start : span.end] for one in sentences for span in one.spans)
    told = frozenset(terms(" ".join([*(one.text for one in sentences), *cited])))
    return told.union(*(covered_terms(name, "") for name in whole.attributes))
