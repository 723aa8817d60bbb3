"""Choice: the best answer to each clause, among all that the evidence offers."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from graph.answering.absence import missing_phrase
from graph.answering.candidate import Candidate, paragraph
from graph.answering.facts import MEANT, NAMED, find_facts, find_facts_by_meaning, with_verdict
from graph.answering.prose import (
    DOCUMENTS,
    MOST,
    find_overview,
    find_prose,
    told_together,
    without_rows_elsewhere,
    wordings_of,
)
from graph.answering.reach import is_beyond_reach
from graph.answering.reviews import contradiction, find_opinions
from graph.answering.steps import find_steps
from graph.answering.variants import added_by_offer, beside_price, find_offers, find_variants
from graph.draft import Sentence, YesNo
from graph.intents import first_kinds
from graph.language.families import covered_terms
from graph.language.lexicon import PRICE
from graph.language.terms import terms
from graph.parts import Models, Question, Reader, Statement
from graph.trained import EVEN, Logistic, log_odds
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, Product, concerns
from ingestion.source_types import POLICIES
from ingestion.statements import as_read

MODEL_PATH = Path(__file__).with_name("ranker.json")
COMMAND = "footnote train ranker"

STRUCTURED = (
    "facts",
    "facts by meaning",
    "steps",
    "offers",
    "overview",
    "variants",
    "opinions",
)
"""Finders other than that of prose."""
GRADED = ("facts", "facts by meaning", "steps")
"""Those that are not equally sure of all that they find."""
NOTHING = "nothing"
"""The feature of what is weighed beside all candidates: that none of them answers."""
NAMES = (
    "read to answer",
    "nearness",
    "behind the nearest",
    "rank",
    "intent answered best by its kind",
    "of the product",
    "of the product, a rule",
    "rule",
    "document",
    "review",
    "stock",
    "holds the words asked for",
    "of the customer's place",
    "rule of the customer's place, asked for",
    "for members",
    "yes or no, without the words",
    "figure asked for",
    "length",
    "row of a table",
    "steps, a way asked for",
    NOTHING,
    *(f"found as {name}" for name in STRUCTURED),
    *(f"sureness as {name}" for name in GRADED),
)
"""What is looked at; see `described`."""
UNREAD = 0.05
"""So much farther than the farthest that was read is what was not."""
READ = 40
"""Statements that are looked at; of what comes farther, nothing answers."""
READ_CLOSELY = 12
"""Statements that are read against the question, the nearest ones."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """What candidates for an answer to one clause are weighed by.

    Attributes:
        asked: The clause.
        question: The question it is a part of.
        read: All statements that may be told, nearest first.
        reader: Reads whether a candidate answers.
    """

    asked: ParsedClause
    question: Question
    read: Sequence[Statement]
    reader: Reader

    def described(self, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Candidates as the ranker sees them, and behind them that none answers.

        Returns:
            Shape `(len(candidates) + 1, len(NAMES))`.
        """
        near: dict[str, list[tuple[int, Statement]]] = defaultdict(list)
        for place, one in enumerate(self.read[:READ]):
            near[one.evidence.evidence_id].append((place, one))
        rows = [self._described(candidate, near) for candidate in candidates]
        for row, odds in zip(rows, self._read_odds(candidates, [row["nearness"] for row in rows]), strict=True):
            row["read to answer"] = odds
        rows.append({NOTHING: 1.0})
        return np.array([[row.get(name, 0.0) for name in NAMES] for row in rows], dtype=np.float64)

    def _read_odds(self, candidates: Sequence[Candidate], nearness: Sequence[float]) -> list[float]:
        """Log odds that each candidate answers, as the nearest are read; of what comes farther, the least.

        What is asked for by its name, or made from many (steps, reviews, offers), has its own sureness, and 0 here.
        """
        single = {place: one.statement for place, one in enumerate(candidates) if one.statement is not None}
        nearest = sorted(single, key=lambda place: -nearness[place])[:READ_CLOSELY]
        stated = [as_read(single[place].evidence, single[place].text) for place in nearest]
        wordings = self._wordings
        judged = self.reader.judge([(wording, text) for text in stated for wording in wordings])
        answers = np.array([one.answers for one in judged]).reshape(len(stated), len(wordings))
        read = [log_odds(float(best)) for best in answers.max(axis=1)]
        odds = dict.fromkeys(single, min(read, default=0.0)) | dict(zip(nearest, read, strict=True))
        return [odds.get(place, 0.0) for place in range(len(candidates))]

    @property
    def _wordings(self) -> tuple[str, ...]:
        """The question alone; where the message asks no other, also with what is said beside it, which may mislead."""
        whole = [self.question.standalone_query] if len(self.question.parsed.clauses) == 1 else []
        return tuple(dict.fromkeys([*whole, self.asked.question]))

    def _described(self, candidate: Candidate, near: Mapping[str, Sequence[tuple[int, Statement]]]) -> dict[str, float]:
        items = {item.evidence_id: item for item, _ in self.question.evidence}
        spans = [
            span for block in candidate.blocks for sentence in block.sentences for span in sentence.spans
            if span.evidence_id in items
        ]  # fmt: skip
        told = [
            (place, one)
            for span in spans
            for place, one in near.get(span.evidence_id, ())
            if one.start < span.end and span.start < one.end
        ]
        best = self.read[0].score if self.read else 0.0
        farthest = self.read[:READ][-1].score - UNREAD if self.read else 0.0
        nearness = max((one.score for _, one in told), default=farthest)
        place = min((place for place, _ in told), default=READ)
        if candidate.finder == NAMED:
            # What is called by its name in other words than the question's comes as near as what has its words.
            nearness, place = best, 0
        item = next((items[key] for key in sorted(candidate.evidence_ids) if key in items), None)
        texts = [items[span.evidence_id].text[span.start : span.end] for span in spans]
        return {
            "nearness": nearness,
            "behind the nearest": nearness - best,
            "rank": -math.log1p(place),
            **self._of_kind(candidate.source_type, item),
            **self._of_words(texts, item, candidate.finder),
            f"found as {candidate.finder}": 1.0,
            f"sureness as {candidate.finder}": candidate.score,
        }

    def _of_kind(self, kind: str, item: Evidence | None) -> dict[str, float]:
        distribution = self.question.distribution
        first = {name: first_kinds(name) for name in distribution}
        at_hand = (*self.question.products, *self.question.context)
        own = item is not None and any(item.product_id == one.id or concerns(item, one) for one in at_hand)
        rule = kind in POLICIES
        known = self.question.user.region is not None or bool(self.question.places)
        place = (1.0 if known else -1.0) if item is not None and item.region else 0.0
        best = sum(share / (1 + first[name].index(kind)) for name, share in distribution.items() if kind in first[name])
        return {
            "intent answered best by its kind": best,
            "of the product": float(own),
            "of the product, a rule": float(own and rule),
            "rule": float(rule),
            "document": float(kind in DOCUMENTS),
            "review": float(kind == "review"),
            "stock": float(kind == "stock"),
            "of the customer's place": place,
            "rule of the customer's place, asked for": max(0.0, place) * best,
            "for members": float(item is not None and item.membership is not None),
        }

    def _of_words(self, texts: Sequence[str], item: Evidence | None, finder: str) -> dict[str, float]:
        whole = " ".join(texts)
        named = f"{item.title} {item.section or ''}" if item else ""
        wanted = self.asked.specific
        figure = any(map(str.isdigit, whole))
        held = len(wanted & set(terms(f"{named} {whole}"))) / len(wanted) if wanted else 0.0
        return {
            "holds the words asked for": held,
            "yes or no, without the words": float(self.asked.yes_no and bool(wanted) and not held),
            "figure asked for": float(figure and self.asked.quantity),
            "length": math.log1p(len(whole) / 100),
            "row of a table": float(any(" | " in text for text in texts)),
            "steps, a way asked for": float(finder == "steps" and Form.STEPS in self.asked.forms),
        }


Ranker = Callable[[Weighing, Sequence[Candidate]], list[float]]
"""Tells of each candidate how likely it answers, in log odds against that none does."""


def shipped_ranker(weighing: Weighing, candidates: Sequence[Candidate]) -> list[float]:
    """The ranker with the weights that come with this package."""
    *odds, none = _weights().log_odds(weighing.described(candidates)).tolist()
    return [one - none for one in odds]


@cache
def _weights() -> Logistic:
    return Logistic.load(MODEL_PATH, NAMES, COMMAND)


MARGIN = 0.15
"""The other audience's article is about the same topic when it is found this close to the first."""
SAME_TOPIC = 0.5


def role_tie(question: Question, chosen: Candidate) -> bool:
    """Whether a seller would be told something else by an article that is about the same and found as near."""
    articles = [(item, score) for item, score in question.evidence if item.source_type == "help_article"]
    told, best = next(((one, its) for one, its in articles if one.evidence_id in chosen.evidence_ids), (None, 0.0))
    if question.user.role is not None or told is None or told.audience != "buyer":
        return False
    mine = set(terms(told.title))
    others = [set(terms(one.title)) for one, its in articles if one.audience == "seller" and its >= best - MARGIN]
    return any(len(mine & other) >= SAME_TOPIC * min(len(mine), len(other)) for other in others)


def for_buyers(evidence: tuple[tuple[Evidence, float], ...], role: str | None) -> tuple[tuple[Evidence, float], ...]:
    """What may be told to someone of unknown role first: everything but what is for sellers alone."""
    if role is not None:
        return evidence
    return tuple(pair for pair in evidence if pair[0].audience != "seller")


def parts_left_open(
    asked: ParsedClause, parts: Sequence[ParsedClause], whole: Candidate | None, question: Question
) -> Sequence[ParsedClause]:
    """The parts of a coordination that the answer to the whole says nothing of.

    Only a yes or no and a stated attribute answer just what they name; a procedure or a rule is about its whole matter.

    Args:
        asked: The clause.
        parts: The parts it asks for together; none where it is no coordination.
        whole: What answers the clause as a whole.
        question: The question, with its evidence.

    Returns:
        All parts where nothing answers the whole; none where it leaves none open.
    """
    if whole is None:
        return parts
    if not (asked.yes_no or whole.attributes):
        return ()
    said = _said(whole, question)
    return [part for part in parts if part.specific and not part.specific <= said]


def _said(whole: Candidate, question: Question) -> frozenset[str]:
    """Terms of what an answer tells, of the text it cites, and by which its attributes are asked for."""
    texts = {item.evidence_id: item.text for item, _ in question.evidence}
    sentences = [sentence for block in whole.blocks for sentence in block.sentences if sentence.factual]
    cited = (texts.get(span.evidence_id, "")[span.start : span.end] for one in sentences for span in one.spans)
    told = frozenset(terms(" ".join([*(one.text for one in sentences), *cited])))
    return told.union(*(covered_terms(name, "") for name in whole.attributes))


EXACT = frozenset({NAMED, "offers"})
"""Finders of what a clause asks for by its name, of one product."""
LEAST: Mapping[str, float] = {"prose": -1.5, "steps": -1.5, MEANT: 1.5}
"""Log odds from which on what comes near is told, against that nothing answers, by what found it: where people type as
they like, what is right has less than in questions made from data."""
BESIDE, RULE_BESIDE = 1.4, 2.0
"""By how much less likely, in log odds, a statement may answer that is told beside the best; a rule beside a rule."""


def best_candidate(
    asked: ParsedClause, product: Product | None, question: Question, *, models: Models, ranker: Ranker
) -> Candidate | None:
    """The best answer to one clause; None when nothing in the evidence answers it."""
    if is_beyond_reach(asked, question):
        return None
    heard = replace(question, evidence=for_buyers(question.evidence, question.user.role))
    found = _candidates(asked, product, heard, models, ranker)
    if not found and heard.evidence != question.evidence:
        heard = question
        found = _candidates(asked, product, heard, models, ranker)
    best = _best(asked, found, heard, models)
    if best is None or (best.statement and not best.denied and _has_unnamed(asked, best, question)):
        return None
    if product is None:
        return best
    if best.finder != "offers" and "Price" in best.attributes:
        return replace(best, blocks=(*best.blocks, *map(paragraph, beside_price(product, heard.evidence))))
    return _with_customers(asked, best, product, heard)


def _has_unnamed(asked: ParsedClause, best: Candidate, question: Question) -> bool:
    """Whether a clause asks for what no evidence names.

    That a thing comes with a product none says then, however near it comes; that a product does something may be said
    in other words, where they likelier answer than not.
    """
    unsure = Form.OFFERED in asked.forms or best.score < EVEN
    return asked.yes_no and Form.EXISTENCE in asked.forms and unsure and bool(missing_phrase(asked, question))


def _candidates(
    asked: ParsedClause, product: Product | None, question: Question, models: Models, ranker: Ranker
) -> list[tuple[Candidate, float]]:
    """What may answer a clause, each with how likely it does, likeliest first."""
    read = _nearest(asked, product, question, models)
    # "Blender price" asks for no other price.
    priced = product is None and (asked.money or PRICE in asked.terms) and question.catalog.category
    kind = frozenset(terms(question.catalog.category[-1])) if priced else frozenset[str]()
    found = [*_structured(asked, product, question, models), *find_prose(asked, read, question, kind)]
    if product is not None and not any(one.finder in EXACT for one in found):
        found += find_facts_by_meaning(product, read[:READ])
    odds = ranker(Weighing(asked, question, read, models.reader), found) if found else []
    return sorted(zip(found, odds, strict=True), key=lambda pair: -pair[1])


def _nearest(asked: ParsedClause, product: Product | None, question: Question, models: Models) -> Sequence[Statement]:
    """All statements that may be told of a product, or of any, nearest first."""
    at_hand = product or next(iter(question.context), None)
    about = [item for item, _ in question.evidence if product is None or item.product_id in (None, product.id)]
    near = models.finder.nearest(wordings_of(asked, at_hand, question), about, question.before)
    return without_rows_elsewhere(near, question)


def probability_of(facts: Sequence[Sentence], question: Question, *, models: Models, ranker: Ranker) -> float:
    """How probable it is that what somebody else states answers a question, as the ranker reads what it cites."""
    asked, product = question.parsed.whole, next(iter(question.products), None)
    items = {item.evidence_id: item for item, _ in question.evidence}
    spans = (span for fact in facts for span in fact.spans if span.evidence_id in items)
    cited = next((Statement(items[span.evidence_id], span.start, span.end, 0.0) for span in spans), None)
    kind = cited.evidence.source_type if cited else ""
    stated = Candidate(blocks=(paragraph(*facts),), score=0.0, source_type=kind, statement=cited)
    (odds,) = ranker(Weighing(asked, question, _nearest(asked, product, question, models), models.reader), [stated])
    return float(expit(odds))


def _structured(asked: ParsedClause, product: Product | None, question: Question, models: Models) -> list[Candidate]:
    """What is more than a quoted statement: facts in sentences, steps in order, counted reviews."""
    evidence = [pair for pair in question.evidence if pair[1] > 0]
    found: dict[str, Candidate | None] = {"steps": find_steps(asked, [item for item, _ in evidence], models, question)}
    if product is not None:
        # "How do I wash it" asks what to do, not what it is; a price may be that of variants alone.
        by_variant = asked.money and product.price is None and bool(product.variants)
        factual = Form.PROCEDURE not in asked.forms and not by_variant
        fact = find_facts(asked, product, evidence, models) if factual else None
        told = "opinion" in question.intents[:1] and not (asked.yes_no and fact)
        found |= {
            NAMED: fact,
            "offers": find_offers(asked, product, evidence),
            "overview": find_overview(asked, product, evidence),
            "variants": find_variants(asked, product, question),
            "opinions": find_opinions(asked, product, evidence) if told else None,
        }
    return [replace(one, finder=name) for name, one in found.items() if one is not None]


def _best(
    asked: ParsedClause, ranked: Sequence[tuple[Candidate, float]], question: Question, models: Models
) -> Candidate | None:
    """The likeliest; a statement with others that answer nearly as likely, and only if it likely answers at all."""
    ranked = [(one, its) for one, its in ranked if its >= LEAST.get(one.finder, -math.inf)]
    if not ranked:
        return None
    if overview := next((one for one, _ in ranked if one.finder == "overview"), None):
        return overview  # found only where nothing in particular is asked for
    first, odds = ranked[0]
    exact = next((one for one, _ in ranked if one.finder in EXACT), None)
    if exact and first.statement and first.statement.evidence.product_id is None:
        # What is asked for by its name is told before what is said of more than this product.
        return exact
    if first.statement is None:
        return first
    first = replace(first, score=float(expit(odds)))
    if first.finder == MEANT:
        # An attribute of another name answers whether something is so only if it decides it.
        return with_verdict(asked, first, models.reader) or _best(asked, ranked[1:], question, models)
    told = [first]
    for other, its in ranked[1:]:
        # What an article says otherwise is not said in the same breath as a rule.
        rule = first.source_type in POLICIES
        fits = its >= odds - (RULE_BESIDE if rule else BESIDE) and (other.source_type in POLICIES or not rule)
        if other.finder == first.finder and fits and _sentences([*told, other]) <= MOST and not _repeats(other, told):
            told.append(other)
    return told_together(asked, told, question, models.reader)


def _sentences(candidates: Sequence[Candidate]) -> int:
    return sum(len(block.sentences) for one in candidates for block in one.blocks)


def _repeats(other: Candidate, told: Sequence[Candidate]) -> bool:
    """Whether a quoted statement says nothing that the others do not say."""
    said = {term for one in told if one.statement for term in terms(one.statement.text)}
    return other.statement is not None and said.issuperset(terms(other.statement.text))


def _with_customers(asked: ParsedClause, chosen: Candidate, product: Product, question: Question) -> Candidate:
    """Let customers speak where they contradict what the seller says; neither yes nor no is said then."""
    if chosen.source_type not in ("spec", "feature", "description", "size_chart", "datasheet"):
        return chosen
    if chosen.denied and (added := added_by_offer(asked, product, question.evidence)):
        return replace(chosen, blocks=(*chosen.blocks, paragraph(*added)))
    if "opinion" in question.intents[:1]:
        voices = find_opinions(asked, product, question.evidence)
        return replace(chosen, blocks=(*chosen.blocks, *voices.blocks)) if voices else chosen
    reviews = [e for e, _ in question.evidence if e.source_type == "review" and e.product_id == product.id]
    decided = asked.yes_no or chosen.source_type == "size_chart"
    if not decided or not (others := contradiction(asked, reviews, product, denied=chosen.denied)):
        return chosen
    told = [
        block if chosen.settled else paragraph(*(one for one in block.sentences if one.text not in tuple(YesNo)))
        for block in chosen.blocks
    ]
    return replace(chosen, blocks=(*told, *others))
