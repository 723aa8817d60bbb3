"""Binding: what a model says of whole sources becomes claims on the very words that bear them out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph.answering.candidate import span
from graph.draft import Claim, Sentence, Span
from graph.language.injection import instructs
from graph.language.terms import terms
from graph.parts import Question
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans

MOST_SPANS = 3
"""Most stretches of one source behind one claim."""
MIXED = 2
"""From as many entries on, a name and a value of different entries could be mixed."""
_ENTRY = re.compile(r"[^:\n]{2,60}: \S[^\n]*")
_CLAUSES = re.compile(r"(?=[,;] )|(?= (?:and|but|while|with|plus) )")

Pieces = Sequence[tuple[str, Sequence[str]]]
"""Pieces of a sentence, each with the ids of the sources that stand at its end; joined, they are the sentence."""


@dataclass(frozen=True, slots=True)
class Binder:
    """Finds the words behind a model's claims.

    Attributes:
        evidence: What the model was given, by id.
        products: The products that the question speaks of, by id.
    """

    evidence: Mapping[str, Evidence]
    products: Mapping[str, Product]

    @classmethod
    def of(cls, question: Question) -> "Binder":
        """The binder of a question."""
        spoken_of = (*question.products, *question.related, *question.context)
        return cls(
            {item.evidence_id: item for item, _ in question.evidence}, {product.id: product for product in spoken_of}
        )

    def bound(self, pieces: Pieces) -> list[Sentence]:
        """A sentence with its spans; a piece for each product where it speaks of several, each on its own sources."""
        groups: list[list[tuple[str, Sequence[str]]]] = []
        about: str | None = None
        for text, ids in pieces:
            named = self._about(text, ids)
            if not groups or (named is not None and about is not None and named != about):
                groups.append([])
            groups[-1].append((text, ids))
            about = named or about
        return [self._sentence(group) for group in groups]

    def _sentence(self, pieces: Pieces) -> Sentence:
        text = "".join(said for said, _ in pieces)
        claims = [claim for said, ids in pieces for claim in self._claims(said, ids)]
        about = [named for said, ids in pieces if (named := self._about(said, ids))]
        only = next(iter(self.products)) if len(self.products) == 1 else None
        return Sentence(claims=claims, product_id=self._named(text) or next(iter(about), only))

    def _about(self, text: str, ids: Sequence[str]) -> str | None:
        """The product a piece is about: the one its sources are about, else the one it names."""
        sources = [self.evidence[key].product_id for key in ids if key in self.evidence]
        return next(filter(None, sources), None) or self._named(text)

    def _named(self, text: str) -> str | None:
        """The product that a text names, the longest name first."""
        folded = text.casefold()
        named = [product for product in self.products.values() if product.name.casefold() in folded]
        return max(named, key=lambda product: len(product.name)).id if named else None

    def _claims(self, text: str, ids: Sequence[str]) -> list[Claim]:
        """A piece as one claim; where several entries of lists bear it out, a claim for each clause on its own entry.

        An entry is a name and its value: a clause that took the name of one and the value of another would find both.
        """
        spans = list(self._spans(text, ids))
        if sum(is_entry(self.quote(where)) for where in spans) < MIXED:
            return [Claim(text=text, spans=spans)]
        claims: list[Claim] = []
        for clause in filter(None, _CLAUSES.split(text)):
            own = [where for key in ids if (item := self.evidence.get(key)) for where in behind(clause, item, most=1)]
            if claims and not (set(terms(clause)) and own):
                claims[-1] = claims[-1].model_copy(update={"text": claims[-1].text + clause})
            else:
                claims.append(Claim(text=clause, spans=own))
        return claims

    def quote(self, where: Span) -> str:
        """The words of a span."""
        return self.evidence[where.evidence_id].text[where.start : where.end]

    def _spans(self, text: str, ids: Sequence[str]) -> Iterator[Span]:
        for key in ids:
            if (item := self.evidence.get(key)) is not None:
                yield from behind(text, item)


def is_entry(text: str) -> bool:
    """Whether a text is an entry of a list: a name, a colon and its value."""
    return _ENTRY.fullmatch(text.strip()) is not None


def behind(text: str, item: Evidence, most: int = MOST_SPANS) -> list[Span]:
    """The sentences of a source that hold most of a claim's words, in its order; its first one where none holds any."""
    told = [(start, end) for start, end in sentence_spans(item.text) if not instructs(item.text[start:end])]
    held = {place: frozenset(terms(item.text[start:end])) for place, (start, end) in enumerate(told)}
    open_ = set(terms(text))
    chosen: list[int] = []
    while held and open_ and len(chosen) < most:
        best = max(held, key=lambda place: (len(held[place] & open_), -len(held[place]), -place))
        if not held[best] & open_:
            break
        chosen.append(best)
        open_ -= held.pop(best)
    return [span(item, *told[place]) for place in sorted(chosen or ([0] if told else []))]
