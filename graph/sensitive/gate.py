"""The gate: no sensitive claim is shown that a primary source does not make in the same words.

After Solution 4 of "Building Trust in AI Responses" (Axoverna): high-stakes statements are looked up word for word in
the sources before they are shown; here only primary sources count, and what is not found is withheld, not flagged.
"""

from collections.abc import Mapping, Sequence
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
from ingestion.stems import stem

ALIKE = 5
"""First letters by which words are taken for forms of one: `water` and `waterproof`."""
REPORTING = frozenset(map(stem, "review reviewer customer people buyer owner".split()))
SAYING = frozenset(map(stem, "say said think report mention complain".split()))
"""Stems of who reports, and of what they do then."""


class SensitiveGate:
    """A question as the gate sees it, for sentences that are shown one by one; `gated` judges whole drafts.

    Args:
        question: What is asked, with the sources that are looked up for it.
        classes: The classes that are looked for.

    Attributes:
        asked: The clauses that ask for sensitive claims; where there are any, the answer is judged as a whole.
        others: Tokens of the other clauses.
    """

    def __init__(self, question: Question, classes: Mapping[str, SensitiveClass]) -> None:
        self.question, self.evidence = question, question.sources
        self.classes = {name: rules for name, rules in classes.items() if rules.on}
        clauses = [] if instructs(question.query) else _clauses(question)
        found = {text: None if _asks_reports(text) else asked_in(text, self.classes) for text in clauses}
        self.asked = tuple(asked for asked in found.values() if asked)
        self.others = frozenset(tokens(" ".join(text for text, asked in found.items() if asked is None)))

    def issue(self, sentence: Sentence) -> str | None:
        """Which sensitive claim of a sentence no primary source makes, for a person of the shop; None where none."""
        reason = self._unstated(sentence)
        return reason and _issue(reason, sentence)

    def reason(self, sentence: Sentence) -> str | None:
        """Why a sentence that states something may not be shown; None where it may."""
        if unstated := self._unstated(sentence):
            return unstated
        asked = self.strict(sentence)
        if asked is None:
            return None
        cited = [self.evidence[span.evidence_id] for span in sentence.spans if span.evidence_id in self.evidence]
        settled = self.others or not asked.worded or asked.specific <= self._said(sentence)
        if settled and any(item.primary for item in cited):
            return None
        return f"{asked.claims[0].title}: no primary source settles “{self.told(asked)}”"

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

    def unanswered(self, sentences: Sequence[Sentence]) -> list[AskedClaim]:
        """The clauses asking for sensitive claims that none of some sentences cites anything on."""
        said = [self._said(sentence) for sentence in sentences]
        return [asked for asked in self.asked if not any(map(asked.is_about, said))]

    def confirms(self, verdict: Sentence, sentence: Sentence) -> bool:
        """Whether a yes or no is borne out; only where a clause asks for what primary sources alone can settle."""
        asked = self.strict(sentence)
        sources = primary(self.evidence.values(), sentence.product_id)
        return asked is None or not asked.worded or confirmed(asked, sources, yes=verdict.text == YesNo.YES)

    def _unstated(self, sentence: Sentence) -> str | None:
        """Which sensitive claim of a sentence no primary source makes."""
        sources = primary(self.evidence.values(), sentence.product_id)
        claims = claims_in(without_names(sentence.text, self.question), self.classes)
        lacking = next((claim for claim in claims if not stated(claim, sources)), None)
        return f"{lacking.title}: no primary source says “{lacking.text}”" if lacking else None

    def _said(self, sentence: Sentence) -> set[str]:
        """Tokens of a sentence, of what it cites and of what that stands under."""
        shown = [(self.evidence[one.evidence_id], one) for one in sentence.spans if one.evidence_id in self.evidence]
        heads = [f"{item.title} {item.section or ''}" for item, _ in shown]
        texts = [sentence.text, *heads, *(item.text[span.start : span.end] for item, span in shown)]
        return {token for text in texts for token in tokens(without_names(text, self.question))}


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
    gate = SensitiveGate(question, classes)
    held: list[tuple[str, str]] = []
    unsure: list[str] = []
    blocks = [kept for block in draft.blocks if (kept := _passed(block, gate, held)).sentences]
    passed = draft.model_copy(update={"blocks": blocks})
    if draft.outcome in ("clear", "no_answer"):
        passed, unsure = _settled(passed, gate, verifier, emptied=bool(held) and not passed.facts)
    issues = list(dict.fromkeys([*passed.issues, *(issue for _, issue in held), *unsure]))
    return passed.model_copy(update={"issues": issues}), [text for text, _ in held]


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


def _passed(block: Block, gate: SensitiveGate, held: list[tuple[str, str]]) -> Block:
    """A block with what may be shown; a verdict goes with the sentence it leads to.

    Args:
        block: As it was drafted.
        gate: Judges.
        held: Takes what is not shown, each beside what a person of the shop is told of it.
    """
    kept: list[Sentence] = []
    verdict: Sentence | None = None
    for sentence in block.sentences:
        if not sentence.factual:
            kept += [verdict] if verdict else []
            verdict = sentence if sentence.text in tuple(YesNo) else None
            kept += [] if verdict else [sentence]
            continue
        if reason := gate.reason(sentence):
            held.append((sentence.text, _issue(reason, sentence)))
            kept += [remark(NOT_STATED)] if block.kind == "table" else []
        else:
            kept += [verdict] if verdict and gate.confirms(verdict, sentence) else []
            kept.append(sentence)
        verdict = None
    # A lead-in goes when nothing it leads to is left.
    lost = block.facts and not any(one.factual for one in kept)
    return block.model_copy(update={"sentences": [one for one in kept if not (lost and one.text.endswith(":"))]})


def _issue(reason: str, sentence: Sentence) -> str:
    return f"{reason}; withheld: {sentence.text}"


def _settled(draft: Draft, gate: SensitiveGate, verifier: Verifier, *, emptied: bool) -> tuple[Draft, list[str]]:
    """Say what is not confirmed: in place of the answer where nothing is left of it, else at its end.

    Returns:
        The draft, and what a person of the shop is told of what is not confirmed.
    """
    question, product = gate.question, at_hand(gate.question)
    open_ = gate.unanswered(draft.facts) if product else []
    if draft.outcome == "clear" and not emptied and not any(asked.strict for asked in open_):
        # Nothing forbids what was told; yet a limit in the maker's words is better than what is none.
        return (limit_stated(draft, open_, question, verifier) if open_ and not gate.others else draft), []
    if (open_ and not gate.others and len(open_) == len(gate.asked)) or emptied:
        draft = unconfirmed(draft, open_, question, verifier)
        open_ = open_ if draft.outcome == "no_answer" else []
    elif draft.outcome == "clear" and open_ and not draft.missing:
        missing = [asked.text for asked in open_]
        gaps = paragraph(*(remark(unsettled(text, product, question)) for text in missing))
        draft = draft.model_copy(update={"blocks": [*draft.blocks, gaps], "missing": missing})
    return draft, [f"{asked.claims[0].title}: asked and not confirmed: {gate.told(asked)}" for asked in open_]
