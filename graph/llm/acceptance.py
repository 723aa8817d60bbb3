"""Acceptance: which sentences of a model may be shown, and what each is taken to cite.

Nothing here trusts the model: a sentence passes the same verifier as a local one, a yes or no must be what its sources
say, a procedure is shown whole or not at all, and a sensitive claim needs a primary source.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from graph.answering.candidate import remark, span
from graph.answering.facts import verdict_of
from graph.draft import Block, Draft, Dropped, Segment, Sentence, Span, YesNo
from graph.language.injection import instructs
from graph.language.terms import clauses_of, terms
from graph.llm.markers import DraftedSegment, Segments
from graph.llm.sentence_stream import DraftedSentence
from graph.parts import Question, Reader, Verdict, Verifier
from graph.sensitive.gate import SensitiveGate
from graph.understanding.parsed_question import ParsedClause, decided_by_all
from graph.verification.admission import admit_sentences
from graph.verification.claim import read
from graph.verification.coverage import FRAME
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans
from ingestion.statements import as_read

MOST_SPANS = 3
"""Most stretches of one source behind one segment."""


def bound(pieces: Segments, question: Question) -> Sentence:
    """A sentence with the words behind its pieces: about the product that it names, else that of its sources."""
    sources, text = question.sources, "".join(said for said, _ in pieces)
    named = [product for product in question.spoken_of.values() if product.name.casefold() in text.casefold()]
    longest = sorted(named, key=lambda product: -len(product.name))
    about = [product.id for product in longest]
    about += [sources[key].product_id or "" for _, ids in pieces for key in ids if key in sources]
    about += question.spoken_of if len(question.spoken_of) == 1 else []
    segments = [Segment(text=said, spans=list(_spans(said, ids, sources))) for said, ids in pieces]
    return Sentence(segments=segments, product_id=next(filter(None, about), None))


def _spans(text: str, ids: Sequence[str], sources: Mapping[str, Evidence]) -> Iterator[Span]:
    """What bears a piece out; of a list of entries, the one entry behind each of its clauses."""
    for item in (sources[key] for key in ids if key in sources):
        found = behind(text, item)
        if all(read(item.text[where.start : where.end]).attribute for where in found):
            clauses = (clause for clause in clauses_of(text) if terms(clause))
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
    """Decides on each sentence of one answer.

    Attributes:
        question: What is answered.
        verifier: Holds sentences to their sources, words of a writer's own to more than those of a source.
        gate: Withholds sensitive claims.
        reader: Tells whether sources say yes or no.
        dropped: What was not shown, and why.
    """

    question: Question
    verifier: Verifier
    gate: SensitiveGate
    reader: Reader
    dropped: list[Dropped] = field(default_factory=list)
    _said: set[tuple[str, str | None]] = field(default_factory=set)

    def accepted(self, pieces: Segments, *, quoting: bool = True) -> Sentence | None:
        """What is shown of a sentence: itself, a quotation in its place, or nothing; nothing is said twice.

        Args:
            pieces: The sentence as the model wrote it.
            quoting: Whether its source's own words may take its place.
        """
        sentence = bound(pieces, self.question)
        if sentence.text.rstrip().endswith("?"):  # It states nothing, whatever source holds it.
            self.dropped.append(Dropped(text=sentence.text, reasons=[Verdict.QUESTION]))
            return None
        shown, said = self._admitted(sentence, quoting=quoting), (sentence.text, sentence.product_id)
        if shown is None or said in self._said:
            return None
        self._said.add(said)
        return shown

    def lead(self, text: str) -> list[Sentence]:
        """What may lead to the next sentence: a yes or no, or words of the question that state nothing."""
        if VERDICT.fullmatch(text):
            return [remark(YesNo.of(text.lower().startswith(_BARE[YesNo.YES].lower())))]
        spoken_of = " ".join(product.name for product in (*self.question.products, *self.question.context))
        known = FRAME.union(terms(self.question.standalone_query), terms(spoken_of))
        return [remark(text)] if set(terms(text)) <= known and not self.question.unreached else []

    def borne_out(self, lead: Sequence[Sentence], after: Sentence) -> list[Sentence]:
        """A lead without a yes or no that the sentence after it does not say to the question."""
        product = next(iter(self.question.products or self.question.context), None)
        asked = self.question.parsed.naming([product.name] if product else []).whole
        return [one for one in lead if not VERDICT.fullmatch(one.text) or self._says(asked, one.text, after)]

    def _admitted(self, sentence: Sentence, *, quoting: bool) -> Sentence | None:
        """A sentence under its own citations or right ones, or what its sources say in their own words.

        In a step no quotation can stand in its place.
        """
        block = Block(kind="paragraph" if quoting else "steps", sentences=[sentence])
        draft = Draft(outcome="clear", blocks=[block], confidence=0.0)
        admitted, dropped = admit_sentences(draft, self.question.sources, self.question.spoken_of, self.verifier)
        self.dropped += dropped
        shown = next(iter(admitted.facts), None)
        if shown is not None and all(text.rstrip().endswith("?") for _, text in self._quotes(shown)):
            # What bears it out is nothing but what somebody asked.
            self.dropped.append(Dropped(text=shown.text, reasons=[Verdict.CITATION]))
            return None
        if shown is not None and self.gate.reason(shown):
            self.dropped.append(Dropped(text=shown.text, reasons=[Verdict.SENSITIVE], issue=self.gate.issue(shown)))
            return None
        if (shown is None or shown.text != sentence.text) and (issue := self.gate.issue(sentence)):
            # What was not borne out either is all the more to be looked at where it was sensitive.
            self.dropped[-1] = self.dropped[-1].model_copy(update={"issue": issue})
        return shown

    def _says(self, asked: ParsedClause, verdict: str, sentence: Sentence) -> bool:
        """Whether what a sentence cites decides a question with this yes or no."""
        quotes = self._quotes(sentence)
        if asked.constraint and asked.constraint.compares:
            found = {decided_by_all(asked.constraint, [text for _, text in quotes])}
        else:
            found = {verdict_of(asked, as_read(item, text), self.reader) for item, text in quotes}
        return found - {None} == {verdict}

    def _quotes(self, sentence: Sentence) -> list[tuple[Evidence, str]]:
        """What a sentence cites, each source beside its words."""
        cited = [(self.question.sources[where.evidence_id], where) for where in sentence.spans]
        return [(item, item.text[where.start : where.end]) for item, where in cited]


Show = Callable[[Sequence[Block]], None]


@dataclass(slots=True)
class AnswerBlocks:
    """What was read of an answer: accepted sentences in their blocks.

    Attributes:
        acceptance: Decides on each.
        show: Told all that may be shown whenever that has grown, and at the end.
        blocks: What may be shown so far.
        refused: How many sentences were not accepted.
    """

    acceptance: Acceptance
    show: Show
    blocks: list[Block] = field(default_factory=list)
    refused: int = 0
    _lead: list[Sentence] = field(default_factory=list)
    _steps: list[DraftedSentence] = field(default_factory=list)
    _opens: bool = True

    @property
    def stated(self) -> int:
        """How many factual sentences may be shown."""
        return sum(len(block.facts) for block in self.blocks)

    def take(self, sentences: Iterable[DraftedSentence]) -> None:
        """Take what was read next, a procedure once it is whole."""
        for said in sentences:
            before = self.stated
            if said.kind == "steps":
                self._add_step(said)
            else:
                self._close_steps()
                self._add_sentence(said)
            if self.stated > before:
                self.show(self.blocks)

    def close(self) -> None:
        """The answer is over."""
        self._close_steps()
        self._lead = []
        if self.stated:
            self.show(self.blocks)

    def _add_sentence(self, said: DraftedSentence) -> None:
        self._opens |= said.first and said.kind == "paragraph"
        verdict, pieces = _opening_of(said.segments)
        leads = said.text.rstrip().endswith(":") and not said.ids
        if verdict or leads:
            self._lead = self.acceptance.lead(verdict or said.text)
        if leads or not pieces:
            return
        lead, self._lead = self._lead, []
        if accepted := self.acceptance.accepted(pieces):
            self._append([*self.acceptance.borne_out(lead, accepted), accepted], said.kind)
        else:
            self.refused += 1

    def _add_step(self, said: DraftedSentence) -> None:
        if self._steps and not said.first:
            before = self._steps.pop()
            said = replace(before, segments=(*before.segments, DraftedSegment(" "), *said.segments))
        self._steps.append(said)

    def _append(self, sentences: list[Sentence], kind: str) -> None:
        """Add to the last block or open one."""
        last = self.blocks[-1] if self.blocks else None
        if last is not None and last.kind == kind and not self._opens:
            self.blocks[-1] = last.model_copy(update={"sentences": [*last.sentences, *sentences]})
        else:
            self.blocks.append(Block.model_validate({"kind": kind, "sentences": sentences}))
        self._opens = False

    def _close_steps(self) -> None:
        """A step that is not borne out takes its procedure with it: a part of one can mislead."""
        steps, self._steps = self._steps, []
        if not steps:
            return
        judged = [self.acceptance.accepted(step.segments, quoting=False) for step in steps]
        accepted = [step for step in judged if step is not None]
        self.refused += len(steps) - len(accepted)
        lead, self._lead = self._lead, []
        if len(accepted) == len(steps) and _in_order(accepted):
            if lead:
                self._append(lead, "paragraph")
            self._opens = True
            self._append(accepted, "steps")
        self._opens = True


def _in_order(steps: list[Sentence]) -> bool:
    """Whether the steps of each source follow one another as there."""
    places = [(span.evidence_id, span.start) for step in steps for span in step.spans[:1]]
    return all(one[0] != next_[0] or one[1] <= next_[1] for one, next_ in pairwise(places))


def _opening_of(segments: Segments) -> tuple[str, Segments]:
    """The yes or no that a sentence opens with, and the rest of it; all of one without."""
    first, *rest = segments
    opening = VERDICT.match(first.text)
    text = first.text[opening.end() :] if opening else ""
    if opening is None or (text and not opening[0].rstrip().endswith((",", ".", "!", ":"))):
        return "", (first, *rest)
    begun = [DraftedSegment(text[:1].upper() + text[1:], first.ids)] if text else []
    return opening[1], (*begun, *rest)
