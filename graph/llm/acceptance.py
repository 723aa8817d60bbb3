"""Acceptance: what a model wrote becomes what may be shown, or nothing.

Nothing here trusts the model: a sentence passes the same verifier as a local one, a yes or no must be what its sources
say, a procedure is shown whole or not at all, and a sensitive claim needs a primary source.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graph.answering.bounds import decided_by_all
from graph.answering.candidate import remark
from graph.answering.parsed_clause import ParsedClause, analyse
from graph.answering.yes_no import verdict_of
from graph.draft import Block, Draft, Sentence, Span
from graph.language.terms import terms
from graph.llm.binding import MIXED, Binder, Pieces, is_entry
from graph.parts import Dropped, Question, Reader, Verifier
from graph.sensitive.gate import SensitiveGate
from graph.verification.admission import admit_sentences
from graph.verification.coverage import FRAME
from graph.verification.paraphrase import ParaphraseVerifier
from ingestion.evidence import Evidence, Product
from ingestion.statements import as_read

QUESTION_MARKS = ("?", "？", "؟")  # noqa: RUF001 - other scripts' marks are meant
"""What ends with one states nothing, whatever source holds it."""
VERDICT = re.compile(r"(?i)(yes|no)[.,!:]?\s*")


@dataclass(slots=True)
class Acceptance:
    """Decides on each sentence of one answer.

    Attributes:
        question: What is answered.
        verifier: Judges sentences by their own citations.
        gate: Withholds sensitive claims.
        reader: Tells whether what is cited says yes or no.
        dropped: What was not shown, and why.
    """

    question: Question
    verifier: Verifier
    gate: SensitiveGate
    reader: Reader
    dropped: list[Dropped] = field(default_factory=list)
    _said: set[tuple[tuple[str, str | None], ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Words of a model's own are held to more than those of a source."""
        self.verifier = ParaphraseVerifier(self.verifier)

    def accepted(self, pieces: Pieces, *, quoting: bool = True) -> list[Sentence]:
        """What is shown of a sentence: itself, a quotation in its place, or nothing; nothing is said twice.

        Args:
            pieces: The sentence as the model wrote it.
            quoting: Whether its source's own words may take its place.
        """
        written = "".join(text for text, _ in pieces)
        if written.rstrip().endswith(QUESTION_MARKS):
            self.dropped.append(Dropped(text=written, reasons=["question"]))
            return []
        bound = Binder.of(self.question).bound(pieces)
        kept = [self._admitted(sentence, quoting=quoting and len(bound) == 1) for sentence in bound]
        said = tuple((sentence.text, sentence.product_id) for sentence in bound)
        if not all(kept) or said in self._said:
            return []
        self._said.add(said)
        return [sentence for sentence in kept if sentence is not None]

    def lead(self, text: str) -> list[Sentence]:
        """What may lead to the next sentence: a yes or no, or words of the question that state nothing."""
        if VERDICT.fullmatch(text):
            return [remark("Yes." if text.lower().startswith("yes") else "No.")]
        spoken_of = " ".join(product.name for product in (*self.question.products, *self.question.context))
        known = FRAME.union(terms(self.question.standalone_query), terms(spoken_of))
        return [remark(text)] if set(terms(text)) <= known and not self.question.unreached else []

    def borne_out(self, lead: Sequence[Sentence], after: Sequence[Sentence]) -> list[Sentence]:
        """A lead without a yes or no that the sentence after it does not say to the question."""
        product = next(iter(self.question.products or self.question.context), None)
        asked = analyse(self.question.standalone_query, (product.name,) if product else ())
        return [
            one
            for one in lead
            if not VERDICT.fullmatch(one.text) or any(self._says(asked, one.text, sentence) for sentence in after)
        ]

    @property
    def products(self) -> Mapping[str, Product]:
        """The products the question speaks of, by id."""
        return Binder.of(self.question).products

    @property
    def evidence(self) -> Mapping[str, Evidence]:
        """What the model was given, by id."""
        return {item.evidence_id: item for item, _ in self.question.evidence}

    def _admitted(self, sentence: Sentence, *, quoting: bool) -> Sentence | None:
        shown = self._mended(sentence) if quoting else self._verified(sentence)
        if shown is not None and (self._only_asked(shown) or not self._unmixed(shown)):
            self.dropped.append(Dropped(text=shown.text, reasons=["citation"]))
            return None
        if shown is not None and not self.gate.passes(shown):
            self.dropped.append(Dropped(text=shown.text, reasons=["sensitive"], issue=self.gate.issue(shown)))
            return None
        if (shown is None or shown.text != sentence.text) and (issue := self.gate.issue(sentence)):
            # What was not borne out either is all the more to be looked at where it was sensitive.
            self.dropped[-1] = self.dropped[-1].model_copy(update={"issue": issue})
        return shown

    def _mended(self, sentence: Sentence) -> Sentence | None:
        """A sentence under its own citations or right ones, or what its sources say in their own words."""
        draft = Draft(outcome="clear", blocks=[Block(sentences=[sentence])], confidence=0.0)
        admitted, dropped = admit_sentences(draft, self.evidence, self.products, self.verifier)
        self.dropped += dropped
        return next((one for block in admitted.blocks for one in block.sentences if one.factual), None)

    def _verified(self, sentence: Sentence) -> Sentence | None:
        """A sentence under its own citations alone: in a cell or a step nothing can stand in its place."""
        verdict = self.verifier.verify(sentence, self.evidence, self.products.get(sentence.product_id or ""))
        if verdict.accepted:
            return sentence.model_copy(update={"support": verdict.support})
        lost = Dropped(text=sentence.text, failing=list(verdict.failing), reasons=list(verdict.reasons))
        self.dropped.append(lost)
        return None

    def _unmixed(self, sentence: Sentence) -> bool:
        """Whether each clause that rests on an entry of its own is borne out by that entry alone."""
        resting = [claim for claim in sentence.claims if claim.spans]
        if len(resting) < MIXED or not any(is_entry(self._quote(claim.spans[0])) for claim in resting):
            return True
        alone = [sentence.model_copy(update={"claims": [claim]}) for claim in resting]
        about = self.products.get(sentence.product_id or "")
        verdicts = self.verifier.verify_all([(one, about) for one in alone], self.evidence)
        return all(verdict.accepted for verdict in verdicts)

    def _only_asked(self, sentence: Sentence) -> bool:
        """Whether what bears a sentence out is nothing but what somebody asked."""
        return all(self._quote(where).rstrip().endswith("?") for where in sentence.spans)

    def _quote(self, where: Span) -> str:
        return self.evidence[where.evidence_id].text[where.start : where.end]

    def _says(self, asked: ParsedClause, verdict: str, sentence: Sentence) -> bool:
        """Whether what a sentence cites decides a question with this yes or no."""
        sources = [(self.evidence[span.evidence_id], span) for span in sentence.spans]
        quotes = [(item, item.text[span.start : span.end]) for item, span in sources]
        if asked.claim and asked.claim.relation != "holds":
            found = {decided_by_all(asked.claim, [text for _, text in quotes])}
        else:
            found = {verdict_of(asked, as_read(item, text), self.reader) for item, text in quotes}
        return found - {None} == {verdict}
