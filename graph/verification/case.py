"""One sentence and all that may support it, read once for all checks; and what a check is."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from graph.answering.matching import rows_of
from graph.draft import Sentence, Span
from graph.language.wording import Wording, read
from graph.parts import Verdict
from graph.turn import Derived
from ingestion.evidence import Evidence, Product, lines


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
    def said(self) -> Wording:
        """The sentence, read."""
        return read(self.sentence.text)

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        """The cited words, a text for each span."""
        return tuple(dict.fromkeys(map(self.quote, self.sentence.spans)))

    @cached_property
    def cited(self) -> str:
        """All cited words, a line for each span."""
        return "\n".join(self.quotes)

    @cached_property
    def items(self) -> tuple[Evidence, ...]:
        """What is cited, each once."""
        return tuple(self.evidence[key] for key in dict.fromkeys(span.evidence_id for span in self.sentence.spans))

    @cached_property
    def named(self) -> str:
        """What stands above the cited words: titles, sections and the heads of tables."""
        heads = (_heads(self.evidence[span.evidence_id], span.start) for span in self.sentence.spans)
        titles = (f"{item.title}\n{item.section or ''}" for item in self.items)
        return "\n".join(dict.fromkeys([*titles, *heads]))

    @cached_property
    def names(self) -> str:
        """The names of the product, a line for each."""
        if self.product is None:
            return ""
        brand, names = self.product.brand, [self.product.name, *self.product.aliases]
        return "\n".join([*names, *((brand, *(f"{brand} {name}" for name in names)) if brand else ())])

    @cached_property
    def above(self) -> tuple[Wording, ...]:
        """What stands above the cited words, and the product's names, read."""
        return tuple(read(text) for text in (*self.named.split("\n"), *self.names.split("\n")) if text)

    @cached_property
    def texts(self) -> tuple[Wording, ...]:
        """All that was cited and what stands above it, read."""
        return (*map(read, self.quotes), *self.above)

    @cached_property
    def derived(self) -> tuple[Derived, ...]:
        """What was computed for it."""
        return tuple(span.derived for span in self.sentence.spans if span.derived)

    def quote(self, span: Span) -> str:
        """The words of a span."""
        return self.evidence[span.evidence_id].text[span.start : span.end]


_CLAUSES = re.compile(r"(?=[,;] )|(?= (?:and|but|while|with|plus) )")
_LONGEST_NAME = 60
"""Characters of an entry's name; before a later colon stands a sentence."""


def clauses_of(text: str) -> list[str]:
    """The clauses of a sentence; joined, they are the sentence."""
    return [clause for clause in _CLAUSES.split(text) if clause]


def is_entry(text: str) -> bool:
    """Whether a text is an entry of a list: a name, a colon and its value."""
    name, colon, value = text.strip().partition(": ")
    named = 1 < len(name) <= _LONGEST_NAME and ":" not in name
    return bool(colon) and named and bool(value.strip()) and "\n" not in text.strip()


def entries_of(item: Evidence) -> list[tuple[Span, str, str]]:
    """The entries of a list: where each stands, its name and its value."""
    stated = ((start, end, item.text[start:end].partition(": ")) for start, end in lines(item.text))
    return [
        (Span(evidence_id=item.evidence_id, start=start, end=end), name, value)
        for start, end, (name, _, value) in stated
        if value.strip() and len(name) <= _LONGEST_NAME
    ]


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
