"""What makes an answer to a question about a shop right."""

import re
from dataclasses import dataclass
from typing import Protocol

from evals.folding import contains, without_markers
from graph.language.sentences import NO, YES
from graph.language.terms import terms
from graph.turn import Citation, Turn

_POLAR = re.compile(r"(?i)\A\W*(?:(yes)|(no))\b")


class Label(Protocol):
    """Tells right answers from wrong ones."""

    @property
    def answerable(self) -> bool:
        """Whether the shop's information answers."""
        ...

    def is_right(self, turn: Turn) -> bool:
        """Whether what was answered, by a turn that does answer, is right."""
        ...


@dataclass(frozen=True, slots=True)
class HoldsValue:
    """Right is the value of an attribute, with evidence about that product, or the line that says it.

    A value that is yes or no is told by a yes or a no where that was asked for.

    Attributes:
        product_id: The product that must be cited.
        name: The attribute.
        value: Its value.
        polar: Whether yes is right; None where the question wants neither yes nor no.
    """

    product_id: str
    name: str
    value: str
    polar: bool | None = None
    answerable: bool = True

    def is_right(self, turn: Turn) -> bool:
        """Whether the value is told of the product, behind no wrong yes or no."""
        own = [citation for citation in turn.citations if citation.product_id == self.product_id]
        said = _POLAR.match(turn.answer)
        affirmed = None if said is None else said[1] is not None
        if not own or (affirmed is not None and self.polar is not None and affirmed != self.polar):
            return False
        if any(contains(citation.quote, f"{self.name}: {self.value}") for citation in own):
            return True
        if self.value.lower() in YES | NO:
            return affirmed is not None and affirmed == self.polar
        return contains(without_markers(turn.answer), self.value)


@dataclass(frozen=True, slots=True)
class CitesRule:
    """Right is what begins with a rule of a kind, for that product or for more than one.

    Attributes:
        source_type: The kind of the rule.
        product_id: The product it must hold for.
    """

    source_type: str
    product_id: str
    answerable: bool = True

    def is_right(self, turn: Turn) -> bool:
        """Whether the first citation is such a rule."""
        return any(
            citation.source_type == self.source_type and citation.product_id in (self.product_id, None)
            for citation in turn.citations[:1]
        )


@dataclass(frozen=True, slots=True)
class TellsOf:
    """Right is what begins with a rule or an article of the whole shop, or with another that speaks of the same.

    Attributes:
        evidence_id: The rule or article, without the number of its part.
        title: What it is called; a source speaks of the same that holds all its words.
    """

    evidence_id: str
    title: str
    answerable: bool = True

    def is_right(self, turn: Turn) -> bool:
        """Whether the first citation is that source, or holds the words of its title."""
        return any(self._fits(citation) for citation in turn.citations[:1])

    def _fits(self, citation: Citation) -> bool:
        if citation.evidence_id.partition("#")[0] == self.evidence_id:
            return True
        held = terms(f"{citation.title} {citation.section or ''} {citation.quote}")
        return citation.product_id is None and set(terms(self.title)).issubset(held)


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing answers: no answer is right."""

    answerable: bool = False

    def is_right(self, turn: Turn) -> bool:
        """It is not, whatever was answered."""
        del turn
        return False
