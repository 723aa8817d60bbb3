"""Statements: what primary sources say of a claim."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from string import ascii_letters

from graph.answering.matching import attribute_lines
from graph.language.injection import without_instructions
from graph.language.sentences import NO, opening_of
from graph.language.terms import words_of
from graph.parts import KnowledgeBase, Question
from graph.sensitive.claims import CLAUSE_END, SensitiveClaim, listed, negated, tokens
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans

OWN_KINDS = frozenset({"spec", "datasheet", "manual"})
"""Kinds that hold for every user and at any time."""


def at_hand(question: Question) -> Product | None:
    """The one product a question is about; None where it is about several, or none."""
    products = question.products or question.context
    return products[0] if len(products) == 1 else None


def with_own_sources(question: Question, knowledge: KnowledgeBase) -> Question:
    """A question with all that the makers say of its products: a claim is looked up there, too."""
    known = {item.evidence_id for item, _ in question.evidence}
    own = [
        item
        for product in (question.products or question.context)
        for item in knowledge.product_evidence(product.id, OWN_KINDS)
        if item.evidence_id not in known
    ]
    return replace(question, evidence=(*question.evidence, *((item, 0.0) for item in without_instructions(own))))


ITEM = re.compile(r"[,;]\s|\s(?:and|&|but)\s")
REFUSING = frozenset({"not", "never", "don't", "cannot"})
STRUCTURED = frozenset({"spec", "datasheet", "variant"})
"""Kinds in which a line `Name: value` is an attribute, and nothing else."""
SLACK = 4
"""Words that may stand between those of a claim."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of a primary source: an item of an attribute's value, or a clause.

    Attributes:
        named: Tokens of the attribute's name; none for a clause.
        said: Tokens of the item or clause.
        denied: Whether the item or clause says no.
        refused: Whether the value says no to what its name says ("BPA-free: No").
    """

    named: tuple[str, ...]
    said: tuple[str, ...]
    denied: bool
    refused: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """All its tokens, in order."""
        return (*self.named, *self.said)

    def denies(self, claim: SensitiveClaim) -> bool:
        """Whether it says no to a claim; a value says no to its name by its first word only."""
        return self.refused if set(claim.tokens) <= set(self.named) else self.denied


def primary(evidence: Iterable[Evidence], product_id: str | None) -> list[Evidence]:
    """The primary sources that hold for a product: its own, and those about none."""
    return [item for item in evidence if item.primary and item.product_id in (product_id, None)]


def stated(claim: SensitiveClaim, evidence: Iterable[Evidence], *, denied: bool | None = None) -> bool:
    """Whether a primary source makes a claim in the same words, and says yes or no to it as the claim does.

    Args:
        claim: The claim.
        evidence: Primary sources.
        denied: What the source must say of it; as the claim does when None.
    """
    wanted = claim.denied if denied is None else denied
    return any(
        _holds(statement, claim) and statement.denies(claim) == wanted
        for item in evidence
        for statement in statements(item.text, item.source_type)
    )


@lru_cache(maxsize=2048)
def statements(text: str, source_type: str) -> tuple[Statement, ...]:
    """All statements of a source."""
    item = Evidence(evidence_id="", source_type=source_type, text=text, title="", row_id="")
    rows = attribute_lines(item)
    lines = {row[2:] for row in rows} if source_type in STRUCTURED else set()
    clauses = (text[slice(*at)] for at in sentence_spans(text) if at not in lines)
    prose = [
        Statement((), said, negated(clause))
        for sentence in clauses
        for clause in CLAUSE_END.split(f"{sentence} ")
        if (said := tokens(clause))
    ]
    return (*(one for name, value, *_ in rows for one in _of_attribute(name, value)), *prose)


def _of_attribute(name: str, value: str) -> Iterator[Statement]:
    named = tokens(name)
    opening = [word.text for word in words_of(value)[:2]]
    refused = opening_of(value) in NO or not REFUSING.isdisjoint(opening[:1]) or opening == ["do", "not"]
    for place, item in enumerate(ITEM.split(value)):
        own, colon, rest = item.rpartition(":")
        denied = negated(item) or negated(name) or (refused and place == 0)
        yield Statement(tokens(own) if colon else named, tokens(rest), denied, refused != negated(name))


def _holds(statement: Statement, claim: SensitiveClaim) -> bool:
    said, status = statement.tokens, listed("status")
    if claim.designation:
        width = len(claim.tokens)
        return any(said[at : at + width] == claim.tokens for at in range(len(said) - width + 1))
    earned, own = status.intersection(claim.tokens), status.intersection(statement.said)
    if earned and own and not earned <= own:
        return False
    figures = [token for token in claim.tokens if token[0].isdigit()]
    if claim.rules.figures and figures:
        return _all_in(figures, said) and _same_limit(claim, frozenset(said))
    return _together(claim.tokens, statement)


def _together(wanted: tuple[str, ...], statement: Statement) -> bool:
    """Whether all words stand close to each other; an attribute's name belongs to each of its items."""
    rest = tuple(token for token in wanted if token not in statement.named)
    said = statement.said
    width = len(rest) + SLACK
    return not rest or any(_all_in(rest, said[at : at + width]) for at in range(max(1, len(said) - width + 1)))


def _all_in(wanted: Iterable[str], said: tuple[str, ...]) -> bool:
    """Whether all tokens stand in a statement; a bare figure is met by the same figure with its unit."""
    bare = {token.rstrip(ascii_letters) for token in said if token[0].isdigit()}
    return all(token in said or token in bare for token in wanted)


def _same_limit(claim: SensitiveClaim, said: frozenset[str]) -> bool:
    """Whether a limit goes the same way and limits the same thing; a mere measure is no limit."""
    claimed = frozenset(token for token in claim.tokens if not token[0].isdigit())
    upper, lower = listed("upper"), listed("lower")
    ways = [bool(claimed & upper), bool(claimed & lower)]
    other = [bool(said & upper), bool(said & lower)]
    if (ways[0] and other[1] and not other[0]) or (ways[1] and other[0] and not other[1]):
        return False
    if not claim.held_by(said):
        return False
    things = claimed - upper - lower - listed("generic")
    return bool(things & said) or ways == other != [False, False]
