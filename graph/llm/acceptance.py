"""Acceptance: which sentences of a model may be shown, and what each is taken to cite.

Nothing here trusts the model: a sentence passes the same verifier as a local one, a yes or no must be what its sources
say, a procedure is shown whole or not at all, and a sensitive claim needs a primary source.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graph.answering.candidate import remark, span
from graph.answering.facts import verdict_of
from graph.draft import Block, Draft, Dropped, Segment, Sentence, Span, YesNo
from graph.language.injection import instructs
from graph.language.terms import terms
from graph.parts import Question, Reader, Verdict, Verifier
from graph.sensitive.gate import SensitiveGate
from graph.understanding.bounds import decided_by_all
from graph.understanding.parsed_question import ParsedClause
from graph.verification.admission import admit_sentences
from graph.verification.claim import read
from graph.verification.coverage import FRAME
from graph.verification.verifier import ParaphraseVerifier
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans
from ingestion.statements import as_read

MOST_SPANS = 3
"""Most stretches of one source behind one segment."""

Pieces = Sequence[tuple[str, Sequence[str]]]
"""Pieces of a sentence, each with the ids of the sources that stand at its end; joined, they are the sentence."""


class Binder:
    """Finds the words behind a model's segments, in the evidence that it was given for a question."""

    def __init__(self, question: Question) -> None:
        self.evidence, self.products = question.sources, question.spoken_of

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
        segments = [Segment(text=said, spans=list(self._spans(said, ids))) for said, ids in pieces]
        about = [named for said, ids in pieces if (named := self._about(said, ids))]
        only = next(iter(self.products)) if len(self.products) == 1 else None
        return Sentence(segments=segments, product_id=self._named(text) or next(iter(about), only))

    def _about(self, text: str, ids: Sequence[str]) -> str | None:
        """The product a piece is about: the one its sources are about, else the one it names."""
        sources = [self.evidence[key].product_id for key in ids if key in self.evidence]
        return next(filter(None, sources), None) or self._named(text)

    def _named(self, text: str) -> str | None:
        """The product that a text names, the longest name first."""
        folded = text.casefold()
        named = [product for product in self.products.values() if product.name.casefold() in folded]
        return max(named, key=lambda product: len(product.name)).id if named else None

    def quote(self, where: Span) -> str:
        """The words of a span."""
        return self.evidence[where.evidence_id].text[where.start : where.end]

    def _spans(self, text: str, ids: Sequence[str]) -> Iterator[Span]:
        """What bears a piece out; of a list of entries, the one entry behind each of its clauses."""
        for item in (self.evidence[key] for key in ids if key in self.evidence):
            found = behind(text, item)
            if all(read(self.quote(where)).attribute for where in found):
                clauses = (clause for clause in read(text).clauses if terms(clause))
                found = [where for clause in clauses for where in behind(clause, item, most=1)] or found
            yield from (where for place, where in enumerate(found) if where not in found[:place])


def behind(text: str, item: Evidence, most: int = MOST_SPANS) -> list[Span]:
    """The sentences of a source that hold most words of a segment, in its order; its first where none holds any."""
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


_BARE = {YesNo.YES: YesNo.YES.rstrip("."), YesNo.NO: YesNo.NO.rstrip(".")}
VERDICT = re.compile(rf"(?i)({'|'.join(_BARE.values())})[.,!:]?\s*")


@dataclass(slots=True)
class Acceptance:
    """Decides on each sentence of one answer; `dropped` is what was not shown, and why."""

    question: Question
    verifier: Verifier
    gate: SensitiveGate
    reader: Reader
    dropped: list[Dropped] = field(default_factory=list)
    _said: set[tuple[tuple[str, str | None], ...]] = field(default_factory=set)
    _binder: Binder = field(init=False)

    def __post_init__(self) -> None:
        """Words of a model's own are held to more than those of a source."""
        self.verifier = ParaphraseVerifier(self.verifier)
        self._binder = Binder(self.question)

    def accepted(self, pieces: Pieces, *, quoting: bool = True) -> list[Sentence]:
        """What is shown of a sentence: itself, a quotation in its place, or nothing; nothing is said twice.

        Args:
            pieces: The sentence as the model wrote it.
            quoting: Whether its source's own words may take its place.
        """
        written = "".join(text for text, _ in pieces)
        if written.rstrip().endswith("?"):  # It states nothing, whatever source holds it.
            self.dropped.append(Dropped(text=written, reasons=[Verdict.QUESTION]))
            return []
        bound = self._binder.bound(pieces)
        kept = [self._admitted(sentence, quoting=quoting and len(bound) == 1) for sentence in bound]
        said = tuple((sentence.text, sentence.product_id) for sentence in bound)
        if not all(kept) or said in self._said:
            return []
        self._said.add(said)
        return [sentence for sentence in kept if sentence is not None]

    def lead(self, text: str) -> list[Sentence]:
        """What may lead to the next sentence: a yes or no, or words of the question that state nothing."""
        if VERDICT.fullmatch(text):
            return [remark(YesNo.of(text.lower().startswith(_BARE[YesNo.YES].lower())))]
        spoken_of = " ".join(product.name for product in (*self.question.products, *self.question.context))
        known = FRAME.union(terms(self.question.standalone_query), terms(spoken_of))
        return [remark(text)] if set(terms(text)) <= known and not self.question.unreached else []

    def borne_out(self, lead: Sequence[Sentence], after: Sequence[Sentence]) -> list[Sentence]:
        """A lead without a yes or no that the sentence after it does not say to the question."""
        product = next(iter(self.question.products or self.question.context), None)
        asked = self.question.parsed.naming([product.name] if product else []).whole
        return [
            one
            for one in lead
            if not VERDICT.fullmatch(one.text) or any(self._says(asked, one.text, sentence) for sentence in after)
        ]

    def _admitted(self, sentence: Sentence, *, quoting: bool) -> Sentence | None:
        """A sentence under its own citations or right ones, or what its sources say in their own words.

        In a cell or a step no quotation can stand in its place.
        """
        block = Block(kind="paragraph" if quoting else "steps", sentences=[sentence])
        draft = Draft(outcome="clear", blocks=[block], confidence=0.0)
        admitted, dropped = admit_sentences(draft, self._binder.evidence, self._binder.products, self.verifier)
        self.dropped += dropped
        shown = next(iter(admitted.facts), None)
        if shown is not None and all(self._binder.quote(where).rstrip().endswith("?") for where in shown.spans):
            # What bears it out is nothing but what somebody asked.
            self.dropped.append(Dropped(text=shown.text, reasons=[Verdict.CITATION]))
            return None
        if shown is not None and not self.gate.passes(shown):
            self.dropped.append(Dropped(text=shown.text, reasons=[Verdict.SENSITIVE], issue=self.gate.issue(shown)))
            return None
        if (shown is None or shown.text != sentence.text) and (issue := self.gate.issue(sentence)):
            # What was not borne out either is all the more to be looked at where it was sensitive.
            self.dropped[-1] = self.dropped[-1].model_copy(update={"issue": issue})
        return shown

    def _says(self, asked: ParsedClause, verdict: str, sentence: Sentence) -> bool:
        """Whether what a sentence cites decides a question with this yes or no."""
        quotes = [(self._binder.evidence[where.evidence_id], self._binder.quote(where)) for where in sentence.spans]
        if asked.constraint and asked.constraint.compares:
            found = {decided_by_all(asked.constraint, [text for _, text in quotes])}
        else:
            found = {verdict_of(asked, as_read(item, text), self.reader) for item, text in quotes}
        return found - {None} == {verdict}
