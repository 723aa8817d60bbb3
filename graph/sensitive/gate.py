"""The gate: no sensitive claim is shown that a primary source does not make in the same words.

After Solution 4 of "Building Trust in AI Responses" (Axoverna): high-stakes statements are looked up word for word in
the sources before they are shown; here only primary sources count, and what is not found is withheld, not flagged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from graph.answering.absence import unsettled
from graph.answering.candidate import paragraph, remark
from graph.answering.comparison import NOT_STATED
from graph.draft import Block, Draft, Sentence, YesNo
from graph.language.injection import instructs
from graph.language.terms import words
from graph.options.sensitive import SensitiveClass
from graph.parts import Question, Verifier
from graph.sensitive.claims import AskedClaim, asked_in, claims_in, tokens, without_names
from graph.sensitive.statements import at_hand, primary, stated
from graph.sensitive.unconfirmed import confirmed, limit_stated, unconfirmed
from ingestion.evidence import Evidence
from ingestion.stems import stem

ALIKE = 5
"""First letters by which words are taken for forms of one: `water` and `waterproof`."""
REPORTING = frozenset(map(stem, "review reviewer customer people buyer owner".split()))
SAYING = frozenset(map(stem, "say said think report mention complain".split()))
"""Stems of who reports, and of what they do then."""


@dataclass(slots=True)
class Withheld:
    """What the gate did.

    Attributes:
        sentences: The sentences that are not shown.
        issues: What a person of the shop should look at, with class and severity.
    """

    sentences: list[str] = field(default_factory=list)
    issues: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Case:
    """A question as the gate sees it: the clauses that ask for sensitive claims, and the tokens of the others."""

    question: Question
    classes: Mapping[str, SensitiveClass]
    evidence: Mapping[str, Evidence]
    asked: tuple[AskedClaim, ...]
    others: frozenset[str]

    def bare(self, text: str) -> str:
        """A text without the names of products, which claim nothing."""
        return without_names(text, self.question)

    def told(self, asked: AskedClaim) -> str:
        """A clause as a review tells it: with the product's name where it is the whole question."""
        return asked.text if len(self.asked) > 1 or self.others else self.question.standalone_query

    def strict(self, sentence: Sentence) -> AskedClaim | None:
        """The clause asking for what only primary sources settle that a sentence is about."""
        strict = [asked for asked in self.asked if asked.strict]
        if not strict:
            return None
        said = self._said(sentence)
        about = next((asked for asked in strict if asked.is_about(said)), None)
        # What is about none of the other questions was meant to answer this one.
        beside = {token[:ALIKE] for token in said} & {token[:ALIKE] for token in self.others}
        return about or (None if beside else strict[0])

    def on_topic(self, sentence: Sentence, asked: AskedClaim) -> bool:
        """Whether what a sentence cites is about what was asked."""
        return asked.is_about(self._said(sentence))

    def settles(self, sentence: Sentence, asked: AskedClaim) -> bool:
        """Whether what a sentence cites speaks of all that was asked, where only the source's own words will do."""
        return not asked.worded or asked.specific <= self._said(sentence)

    def secondary(self, sentence: Sentence) -> bool:
        """Whether a sentence rests on reports and advertisements alone."""
        cited = (self.evidence.get(span.evidence_id) for span in sentence.spans)
        return not any(item is not None and item.primary for item in cited)

    def _said(self, sentence: Sentence) -> set[str]:
        shown = [
            (self.evidence[span.evidence_id], span) for span in sentence.spans if span.evidence_id in self.evidence
        ]
        heads = [f"{item.title} {item.section or ''}" for item, _ in shown]
        texts = [sentence.text, *heads, *(item.text[span.start : span.end] for item, span in shown)]
        return {token for text in texts for token in tokens(self.bare(text))}


class SensitiveGate:
    """The gate of one question for sentences that are shown one by one.

    Args:
        question: What is asked, with the sources that are looked up for it.
        classes: The classes that are looked for.
    """

    def __init__(self, question: Question, classes: Mapping[str, SensitiveClass]) -> None:
        self._case = _case(question, classes)

    @property
    def asked(self) -> bool:
        """Whether the question asks for a sensitive claim, so that the answer is judged as a whole."""
        return bool(self._case.asked)

    def passes(self, sentence: Sentence) -> bool:
        """Whether a sentence may be shown."""
        return not sentence.factual or _reason(sentence, self._case) is None

    def issue(self, sentence: Sentence) -> str | None:
        """Which sensitive claim of a sentence no primary source makes, for a person of the shop; None where none."""
        reason = _unstated(sentence, self._case) if sentence.factual else None
        return reason and _issue(reason, sentence)


def gated(
    draft: Draft, question: Question, classes: Mapping[str, SensitiveClass], verifier: Verifier
) -> tuple[Draft, list[str]]:
    """Withhold the sensitive sentences that no primary source bears out; answer neither yes nor no without one.

    Args:
        draft: An admitted draft.
        question: What it answers.
        classes: The classes that are looked for.
        verifier: Checks what is told instead.

    Returns:
        The draft with its issues, and the sentences that were withheld.
    """
    case = _case(question, classes)
    held = Withheld()
    blocks = [kept for block in draft.blocks if (kept := _passed(block, case, held)).sentences]
    gated_draft = draft.model_copy(update={"blocks": blocks, "issues": [*draft.issues]})
    if draft.outcome in ("clear", "no_answer"):
        gated_draft = _settled(gated_draft, case, held, verifier)
    issues = list(dict.fromkeys([*gated_draft.issues, *held.issues]))
    return gated_draft.model_copy(update={"issues": issues}), held.sentences


def _case(question: Question, classes: Mapping[str, SensitiveClass]) -> _Case:
    looked_for = {name: rules for name, rules in classes.items() if rules.on}
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    asked: list[AskedClaim] = []
    others: list[str] = []
    for text in [] if instructs(question.query) else _clauses(question):
        found = None if _asks_reports(text) else asked_in(text, looked_for)
        asked += [found] if found else []
        others += [] if found else [text]
    return _Case(question, looked_for, evidence, tuple(asked), frozenset(tokens(" ".join(others))))


def _asks_reports(text: str) -> bool:
    """Whether a clause asks for what customers report, not for whether it is so."""
    said = words(text)
    stems = set(map(stem, said))
    reviews = (behind == "reviews" and before in {"in", "from", "any", "the"} for before, behind in pairwise(said))
    return bool(REPORTING & stems and SAYING & stems) or any(reviews)


def _clauses(question: Question) -> list[str]:
    """The clauses of a question and the parts of a coordination, without the names of products."""
    parsed = question.parsed
    return [without_names(asked.text, question) for asked in parsed.parts or parsed.questions]


def _passed(block: Block, case: _Case, held: Withheld) -> Block:
    """A block with what may be shown; a verdict goes with the sentence it leads to."""
    kept: list[Sentence] = []
    verdict: Sentence | None = None
    for sentence in block.sentences:
        if not sentence.factual:
            kept += [verdict] if verdict else []
            verdict = sentence if sentence.text in tuple(YesNo) else None
            kept += [] if verdict else [sentence]
            continue
        reason = _reason(sentence, case)
        if reason:
            held.sentences.append(sentence.text)
            held.issues.append(_issue(reason, sentence))
            kept += [remark(NOT_STATED)] if block.kind == "table" else []
        else:
            kept += [verdict] if verdict and _decided(verdict, sentence, case) else []
            kept.append(sentence)
        verdict = None
    return block.model_copy(update={"sentences": _led(kept, block)})


def _led(kept: list[Sentence], block: Block) -> list[Sentence]:
    """A lead-in goes when nothing it leads to is left."""
    lost = not any(one.factual for one in kept) and any(one.factual for one in block.sentences)
    return [one for one in kept if not (lost and one.text.endswith(":"))]


def _reason(sentence: Sentence, case: _Case) -> str | None:
    """Why a sentence may not be shown; None where it may."""
    if unstated := _unstated(sentence, case):
        return unstated
    asked = case.strict(sentence)
    beside = case.others or asked is None or case.settles(sentence, asked)
    if asked is not None and (case.secondary(sentence) or not beside):
        return f"{asked.claims[0].title}: no primary source settles “{case.told(asked)}”"
    return None


def _unstated(sentence: Sentence, case: _Case) -> str | None:
    """Which sensitive claim of a sentence no primary source makes."""
    sources = primary(case.evidence.values(), sentence.product_id)
    claims = claims_in(case.bare(sentence.text), case.classes)
    lacking = next((claim for claim in claims if not stated(claim, sources)), None)
    return f"{lacking.title}: no primary source says “{lacking.text}”" if lacking else None


def _issue(reason: str, sentence: Sentence) -> str:
    return f"{reason}; withheld: {sentence.text}"


def _decided(verdict: Sentence, sentence: Sentence, case: _Case) -> bool:
    """Whether a yes or no is borne out; only where a clause asks for what primary sources alone can settle."""
    asked = case.strict(sentence)
    if asked is None or not asked.worded:
        return True
    sources = primary(case.evidence.values(), sentence.product_id)
    return confirmed(asked, sources, yes=verdict.text == YesNo.YES)


def _settled(draft: Draft, case: _Case, held: Withheld, verifier: Verifier) -> Draft:
    """Say what is not confirmed: in place of the answer where nothing is left of it, else at its end."""
    factual = [sentence for block in draft.blocks for sentence in block.sentences if sentence.factual]
    product = at_hand(case.question)
    open_ = [asked for asked in case.asked if product and not any(case.on_topic(one, asked) for one in factual)]
    emptied = bool(held.sentences) and not factual
    if draft.outcome == "clear" and not emptied and not any(asked.strict for asked in open_):
        # Nothing forbids what was told; yet a limit in the maker's words is better than what is none.
        return limit_stated(draft, open_, case.question, verifier) if open_ and not case.others else draft
    if (open_ and not case.others and len(open_) == len(case.asked)) or emptied:
        draft = unconfirmed(draft, open_, case.question, case.classes, verifier)
        open_ = open_ if draft.outcome == "no_answer" else []
    elif draft.outcome == "clear" and not draft.missing:
        draft = _with_gaps(draft, [asked.text for asked in open_], case)
    held.issues += [f"{asked.claims[0].title}: asked and not confirmed: {case.told(asked)}" for asked in open_]
    return draft


def _with_gaps(draft: Draft, missing: Sequence[str], case: _Case) -> Draft:
    """An answer to the other clauses with what it lacks."""
    if not missing:
        return draft
    gaps = paragraph(*(remark(unsettled(text, at_hand(case.question), case.question)) for text in missing))
    return draft.model_copy(update={"blocks": [*draft.blocks, gaps], "missing": [*draft.missing, *missing]})
