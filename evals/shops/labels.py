"""What makes an answer to a question about a shop right."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from evals.metrics.texts import contains, without_markers
from graph.language.sentences import NO, YES
from graph.language.terms import terms
from graph.turn import Citation

_POLAR = re.compile(r"(?i)\A\W*(?:(yes)|(no))\b")


class Answered(Protocol):
    """What was answered, as a turn has it."""

    @property
    def answer(self) -> str:
        """Its text."""
        ...

    @property
    def citations(self) -> Sequence[Citation]:
        """Its sources, in order."""
        ...


class Label(ABC):
    """Tells right answers from wrong ones.

    Attributes:
        answerable: Whether the shop's information answers.
    """

    answerable: ClassVar[bool] = True

    @abstractmethod
    def is_right(self, turn: Answered) -> bool:
        """Whether what was answered, by a turn that does answer, is right."""


@dataclass(frozen=True, slots=True)
class HoldsValue(Label):
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

    def is_right(self, turn: Answered) -> bool:
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
class _BeginsWith(Label):
    """Right is what begins with a source that fits, whatever follows."""

    def is_right(self, turn: Answered) -> bool:
        """Whether the first citation fits."""
        return any(self._fits(citation) for citation in turn.citations[:1])

    @abstractmethod
    def _fits(self, citation: Citation) -> bool: ...


@dataclass(frozen=True, slots=True)
class CitesRule(_BeginsWith):
    """Right is what begins with a rule of a kind, for that product or for more than one.

    Attributes:
        source_type: The kind of the rule.
        product_id: The product it must hold for.
    """

    source_type: str
    product_id: str

    def _fits(self, citation: Citation) -> bool:
        return citation.source_type == self.source_type and citation.product_id in (self.product_id, None)


@dataclass(frozen=True, slots=True)
class TellsOf(_BeginsWith):
    """Right is what begins with a rule or an article of the whole shop, or with another that speaks of the same.

    Attributes:
        evidence_id: The rule or article, without the number of its part.
        title: What it is called; a source speaks of the same that holds all its words.
    """

    evidence_id: str
    title: str

    def _fits(self, citation: Citation) -> bool:
        if citation.evidence_id.partition("#")[0] == self.evidence_id:
            return True
        held = terms(f"{citation.title} {citation.section or ''} {citation.quote}")
        return citation.product_id is None and set(terms(self.title)).issubset(held)


@dataclass(frozen=True, slots=True)
class TellsVariant(_BeginsWith):
    """Right is what the shop says of one form of a product, in its variants or stock, whatever it says of the others.

    Attributes:
        product_id: The product.
        values: What tells the form from the others.
    """

    product_id: str
    values: tuple[str, ...]

    def _fits(self, citation: Citation) -> bool:
        told = citation.source_type in {"variant", "stock"} and citation.product_id == self.product_id
        return told and all(contains(citation.quote, value) for value in self.values)


@dataclass(frozen=True, slots=True)
class TellsSteps(Label):
    """Right is what tells several steps of an article.

    Attributes:
        evidence_id: The article, without the number of its part.
    """

    evidence_id: str

    def is_right(self, turn: Answered) -> bool:
        """Whether several quotations are of the article, and the first is."""
        own = [one.evidence_id.partition("#")[0] == self.evidence_id for one in turn.citations]
        return own[:1] == [True] and sum(own) > 1


@dataclass(frozen=True, slots=True)
class TellsReviews(Label):
    """Right is what rests on several reviews of a product, and on nothing else.

    Attributes:
        product_id: The product.
    """

    product_id: str

    def is_right(self, turn: Answered) -> bool:
        """Whether several reviews of the product are cited, and nothing else."""
        told = {(one.source_type, one.product_id) for one in turn.citations}
        several = len({one.evidence_id for one in turn.citations}) > 1
        return several and told == {("review", self.product_id)}


@dataclass(frozen=True, slots=True)
class Nothing(Label):
    """Nothing answers: no answer is right."""

    answerable: ClassVar[bool] = False

    def is_right(self, turn: Answered) -> bool:
        """It is not, whatever was answered."""
        del turn
        return False
