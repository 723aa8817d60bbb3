"""The gate: no sensitive claim is shown that a primary source does not make in the same words.

After Solution 4 of "Building Trust in AI Responses" (Axoverna): high-stakes statements are looked up word for word in
the sources before they are shown; here only primary sources count, and what is not found is withheld, not flagged.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice, pairwise

from graph.answering.absence import ASK_TEAM, NEXT_STEP, nearest_known, unsettled
from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.comparison import NOT_STATED
from graph.answering.matching import attribute_lines, spoken_of_product
from graph.answering.prose import sentence_of
from graph.draft import Block, Draft, Sentence, YesNo
from graph.language.injection import instructs
from graph.language.locale import reply, word_class
from graph.language.sentences import capitalised, the
from graph.language.terms import words
from graph.options import SensitiveClass
from graph.parts import Question, Verifier
from graph.sensitive.claims import (
    STRUCTURED,
    AskedClaim,
    asked_in,
    at_hand,
    claims_in,
    primary,
    stated,
    tokens,
    without_names,
)
from graph.turn import Suggestion
from graph.understanding.clauses import split_clauses
from ingestion.compose import HEADS
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TABLE
from ingestion.spans import sentence_spans
from ingestion.stems import stem

FACTS = 2
"""How many are told."""


def known_facts(asked: Sequence[AskedClaim], question: Question) -> tuple[list[Sentence], list[Sentence]]:
    """What the product's own primary sources say, as sentences not yet verified.

    Returns:
        Statements about exactly what was asked; and attributes of the same topic and sentences that name what it is
        about, the closest first; where there is none, those that make a claim of the same class.
    """
    product = at_hand(question)
    classes = {claim.kind: claim.rules for one in asked for claim in one.claims}
    direct: list[Sentence] = []
    near: list[tuple[int, Sentence]] = []
    for item, _ in question.evidence if product else ():
        if product is None or not item.primary or item.product_id != product.id:
            continue
        structured = item.source_type in STRUCTURED
        for sentence, text in _said(item, product):
            said = set(tokens(text))
            about = [one for one in asked if one.is_about(said)]
            if any(_is_answer(one, said, structured=structured) for one in about):
                direct.append(sentence)
            elif any(structured or one.specific & said for one in about):
                near.append((max(len(one.topic & said) for one in about), sentence))
            elif structured and claims_in(text, classes):
                near.append((0, sentence))
    closest = [pair for pair in near if pair[0]] or near
    return direct, [sentence for _, sentence in sorted(closest, key=lambda pair: -pair[0])]


def supported(sentences: Sequence[Sentence], question: Question, verifier: Verifier) -> list[Sentence]:
    """The first few sentences that the verifier accepts, with their support."""
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    product = at_hand(question)
    known = (one for one in sentences if all(where.evidence_id in evidence for where in one.spans))
    judged = ((one, verifier.verify(one, evidence, product)) for one in known)
    accepted = (one.model_copy(update={"support": verdict.support}) for one, verdict in judged if verdict.accepted)
    return list(islice(accepted, FACTS))


def _is_answer(asked: AskedClaim, said: AbstractSet[str], *, structured: bool) -> bool:
    """Whether a statement on it holds all that was asked for; a limit or an age is answered by a figure."""
    if asked.named and asked.specific <= said:
        return True
    measured = structured and any(token[0].isdigit() and token[-1].isalpha() for token in asked.specific)
    limits = measured or all(claim.rules.holds for claim in asked.claims)
    return limits and any(token[0].isdigit() for token in said)


def _said(item: Evidence, product: Product) -> Iterator[tuple[Sentence, str]]:
    """Each attribute or sentence of a source as it is shown, and its own words."""
    rows = attribute_lines(item) if item.source_type in STRUCTURED else []
    label = SOURCE_TABLE[item.source_type].label
    for name, value, start, end in rows:
        if name not in HEADS:
            line = f"{name}: {value}"
            shown = reply("attribute_says", label=capitalised(label), product=the(product.name), line=line)
            yield cited(shown, span(item, start, end), product_id=product.id), line
    lines = {row[2:] for row in rows}
    for start, end in sentence_spans(item.text):
        if (start, end) not in lines:
            yield sentence_of(item, start, end), spoken_of_product(item, item.text[start:end])


def confirmed(asked: AskedClaim, sources: Sequence[Evidence], *, yes: bool) -> bool:
    """Whether the sources give this answer to each claim that is asked for.

    A question that denies ("is it not safe?") is never confirmed: its yes and its no can be read both ways.
    """
    return all(not claim.denied and stated(claim, sources, denied=not yes) for claim in asked.claims)


CONFIDENCE, DIRECT = 0.3, 0.7
"""How sure a refusal is to be what was wanted, and a fact in the question's own words."""


def unconfirmed(draft: Draft, asked: Sequence[AskedClaim], question: Question, verifier: Verifier) -> Draft:
    """A refusal with the nearest thing a primary source does say, and a next step.

    Where a source's own words are about exactly what was asked, they are the answer, without a yes or no.
    """
    direct, near = (supported(facts, question, verifier) for facts in known_facts(asked, question))
    if direct:
        return _stating(direct, draft)
    near = near or supported(nearest_known(replace(question, intents=())), question, verifier)
    # The user's own words, where they ask nothing else.
    alone = len(split_clauses(question.query)) == 1
    texts = list(dict.fromkeys(question.query if alone else one.text for one in asked)) or [""]
    gaps = [remark(unsettled(text, at_hand(question), question)) for text in texts]
    return Draft(
        outcome="no_answer",
        blocks=[paragraph(*gaps, *near, remark(NEXT_STEP))],
        confidence=CONFIDENCE,
        missing=[text or question.standalone_query for text in texts],
        followups=[ASK_TEAM],
        suggestions=[Suggestion(product_id=one.id, name=one.name) for one in question.related],
        issues=draft.issues,
    )


def limit_stated(draft: Draft, asked: Sequence[AskedClaim], question: Question, verifier: Verifier) -> Draft:
    """The limit as a primary source states it, where one does; else the draft as it is."""
    shown = supported(known_facts(asked, question)[0], question, verifier)
    return _stating(shown, draft) if shown else draft


def _stating(shown: Sequence[Sentence], draft: Draft) -> Draft:
    return Draft(outcome="clear", blocks=[paragraph(*shown)], confidence=DIRECT, issues=draft.issues)


ALIKE = 5
"""First letters by which words are taken for forms of one: `water` and `waterproof`."""
REPORTING = frozenset(map(stem, word_class("reporters")))
SAYING = frozenset(map(stem, word_class("reporting")))
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
        claims = claims_in(without_names(_unquoted(sentence, sources), self.question), self.classes)
        lacking = next((claim for claim in claims if not stated(claim, sources)), None)
        return f"{lacking.title}: no primary source says “{lacking.text}”" if lacking else None

    def _said(self, sentence: Sentence) -> set[str]:
        """Tokens of a sentence, of what it cites and of what that stands under."""
        shown = [(self.evidence[one.evidence_id], one) for one in sentence.spans if one.evidence_id in self.evidence]
        heads = [f"{item.title} {item.section or ''}" for item, _ in shown]
        texts = [sentence.text, *heads, *(item.text[span.start : span.end] for item, span in shown)]
        return {token for text in texts for token in tokens(without_names(text, self.question))}


def _unquoted(sentence: Sentence, sources: Sequence[Evidence]) -> str:
    """A sentence without what it cites of primary sources and tells in quotation marks, word for word."""
    texts = {item.evidence_id: item.text for item in sources}
    said = sentence.text
    for where in sentence.spans:
        said = said.replace(f"“{texts.get(where.evidence_id, '')[where.start : where.end].rstrip('.')}”", " ")
    return said


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
    passed = draft.left_with(blocks)
    emptied = bool(held) and not passed.facts
    if draft.outcome in ("clear", "no_answer") or emptied:
        passed, unsure = _settled(passed, gate, verifier, emptied=emptied)
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
