"""One sentence and all that may support it, read once for all checks; and what a check is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from graph.answering.matching import rows_of
from graph.draft import Sentence, Span
from graph.language.negation import NEGATIONS
from graph.parts import Verdict
from graph.turn import Derived
from graph.verification.claim import Claim, read
from ingestion.evidence import Evidence, Product

SAME_MATTER = 0.8
"""Share of the words of a sentence from which on a source that has them speaks of the same."""


@dataclass(frozen=True)
class Case:
    """A sentence whose citations resolve.

    Attributes:
        sentence: What is judged.
        evidence: At least what it cites, by id.
        product: The product it speaks of.
    """

    sentence: Sentence
    evidence: Mapping[str, Evidence]
    product: Product | None

    @cached_property
    def said(self) -> Claim:
        """What the sentence says."""
        return read(self.sentence.text)

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        """The cited words, a text for each span."""
        return tuple(dict.fromkeys(map(self.quote, self.sentence.spans)))

    @cached_property
    def cited(self) -> Claim:
        """What the cited words say, a line or more for each span."""
        return read("\n".join(self.quotes))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the product."""
        if self.product is None:
            return ()
        brand, names = self.product.brand, (self.product.name, *self.product.aliases)
        return (*names, brand, *(f"{brand} {name}" for name in names)) if brand else names

    @cached_property
    def above(self) -> Claim:
        """What stands above the cited words: the product's names, titles, sections and the heads of tables."""
        titles = [text for item in self.items for text in (item.title, item.section or "")]
        heads = [_heads(self.evidence[span.evidence_id], span.start) for span in self.sentence.spans]
        return read("\n".join(dict.fromkeys(filter(None, [*self.names, *titles, *heads]))))

    @cached_property
    def told(self) -> Claim:
        """All that a sentence may say: the cited words and what stands above them."""
        return read(f"{self.cited.text}\n{self.above.text}")

    @cached_property
    def items(self) -> tuple[Evidence, ...]:
        """What is cited, each once."""
        return tuple(self.evidence[key] for key in dict.fromkeys(span.evidence_id for span in self.sentence.spans))

    @cached_property
    def derived(self) -> tuple[Derived, ...]:
        """What was computed for it."""
        return tuple(span.derived for span in self.sentence.spans if span.derived)

    def quote(self, span: Span) -> str:
        """The words of a span."""
        return self.evidence[span.evidence_id].text[span.start : span.end]

    def stands(self, text: str) -> bool:
        """Whether words stand side by side in a cited span, and no negation beside them is cut off."""
        run = read(text).run
        for quote in (read(quote).run for quote in self.quotes) if run.strip() else ():
            before, found, after = quote.partition(run)
            if found and not NEGATIONS & {*before.split()[-1:], *after.split()[:1]}:
                return True
        return False


def _heads(item: Evidence, start: int) -> str:
    """The heads of the table that a cited row belongs to."""
    return next((" ".join(row.heads) for row in rows_of(item) if row.start == start), "")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a sentence is refused for.

    Attributes:
        verdict: What it is refused for.
        finds: Tells the words that fail; none where a sentence passes.
        paraphrases: Whether only what a fluent writer says in its own words is held to it: a sentence built from its
            sources keeps their conditions and their words by construction.
    """

    verdict: Verdict
    finds: Callable[[Case], tuple[str, ...]]
    paraphrases: bool = False
