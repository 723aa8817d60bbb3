"""Metrics of `eval answers`: the four scenarios, how answers are grounded and cited, and how sure they are.

The scenarios are those of the Contextually Aware Product QA paper, section 5.2.5. S1: the evidence answers and so does
the turn. S2: it does not, and the turn says so. S3: it does not, yet the turn answers. S4: it does, yet the turn says
it does not. How answers are grounded and cited is after the Cite Before You Speak paper, section 3, by a judge.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from evals.metrics.classification import auroc_metric, calibration_metric
from evals.metrics.judges import LexicalJudge
from evals.metrics.texts import token_f1, without_markers
from evals.report import Metric, mean_metric, pooled_metric, ratio_metric
from evals.row_turns import Reply, RowEvidence, RowProduct, RowQuestion, evidence_of
from evals.rows import Row
from graph.turn import ShownSentence, Turn
from ingestion.evidence import Evidence

_POLAR = re.compile(r"(?i)\A\W*(?:(yes|yeah|yep)|(no|nope))\b")
_NEGATION = re.compile(r"(?i)\b(not|no|never|cannot|without)\b|n['’]t\b")


Scenario = Literal["s1", "s2", "s3", "s4"]
SCENARIOS: tuple[Scenario, ...] = ("s1", "s2", "s3", "s4")


@dataclass(frozen=True, slots=True)
class Case:
    """A question that was answered or refused.

    Attributes:
        answerable: Whether the evidence answers it.
        answered: Whether the turn did.
        good: Whether the answer rests on the right evidence; counts in S1 alone.
        grounded: Whether all that it states is supported.
        complete: Whether it leaves no part of the question open.
        intent: What kind of question it is, where the data says.
    """

    answerable: bool
    answered: bool
    good: bool
    grounded: bool
    complete: bool
    intent: str | None = None

    @property
    def scenario(self) -> Scenario:
        """Where it stands."""
        if self.answerable:
            return "s1" if self.answered else "s4"
        return "s3" if self.answered else "s2"

    @property
    def right(self) -> bool:
        """A good answer, or a refusal where nothing answers."""
        return self.good if self.scenario == "s1" else self.scenario == "s2"

    @property
    def hallucinated(self) -> bool:
        """An answer that is not good, or one that nothing could support."""
        return self.answered and not self.right


def scenario_metrics(cases: Sequence[Case]) -> dict[str, Metric]:
    """Shares of the scenarios, what the paper makes of them, and the four that it gives for each intent."""
    first = [case for case in cases if case.scenario == "s1"]
    metrics: dict[str, Metric] = {name: mean_metric([case.scenario == name for case in cases]) for name in SCENARIOS}
    metrics |= _overall(cases)
    metrics |= {
        "accuracy": mean_metric([case.right for case in cases]),
        "grounded_accuracy": mean_metric([case.grounded for case in first]),
        "completeness": mean_metric([case.complete for case in first]),
        "refusal_rate": mean_metric([not case.answered for case in cases if not case.answerable]),
    }
    for intent in sorted({case.intent for case in cases if case.intent}):
        own = _overall([case for case in cases if case.intent == intent])
        metrics |= {f"intent.{intent}.{name}": metric for name, metric in own.items()}
    return metrics


def _overall(cases: Sequence[Case]) -> Mapping[str, Metric]:
    return {
        "ccov": mean_metric([case.answerable for case in cases]),
        "precision": mean_metric([case.right for case in cases if case.answered]),
        "recall": mean_metric([case.right for case in cases if case.answerable]),
        "hallucination_rate": mean_metric([case.hallucinated for case in cases]),
    }


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of an answer.

    Attributes:
        text: Its words.
        factual: Whether it states something of the product or the shop.
        computed: Whether it tells a count, a mean or a conversion, which no source says and no judge of words can find.
        grounded: Whether some evidence of the row, or all that it cites together, supports it.
        citations: For each evidence it cites, by id, whether that alone supports it.
    """

    text: str
    factual: bool
    computed: bool
    grounded: bool
    citations: Mapping[str, bool]


def judge_answer(turn: Turn, evidence: Sequence[Evidence], judge: LexicalJudge) -> tuple[JudgedSentence, ...]:
    """Judge every sentence of a turn against the evidence of its row."""
    texts = {item.evidence_id: f"{item.title}\n{item.text}" for item in evidence}
    return tuple(_judged(sentence, turn, texts, judge) for sentence in turn.sentences)


def _judged(sentence: ShownSentence, turn: Turn, texts: Mapping[str, str], judge: LexicalJudge) -> JudgedSentence:
    cited = [citation for citation in turn.citations if citation.marker in sentence.citations]
    names = " ".join(product.name for product in turn.products)
    own = {citation.evidence_id: texts[citation.evidence_id] for citation in cited}
    alone = {key: judge.supports(sentence.text, [text], names) for key, text in own.items()}
    whole = [list(own.values()), *([text] for text in texts.values())]
    return JudgedSentence(
        text=sentence.text,
        factual=sentence.factual,
        computed=any(citation.derived for citation in cited),
        grounded=any(alone.values()) or any(judge.supports(sentence.text, one, names) for one in whole),
        citations=alone,
    )


class Answerable(Row):
    """A question, the evidence to answer it from, and whether that is possible.

    Attributes:
        answerable: Whether the evidence answers it.
        gold_evidence: Ids of what answers it.
        partial: Whether the evidence only helps; such a row is scored apart.
        partial_evidence: Ids of what helps.
        answers: What people answered.
    """

    id: str
    question: str
    product: RowProduct | None = None
    evidence: list[RowEvidence]
    answerable: bool
    gold_evidence: list[str]
    partial: bool = False
    partial_evidence: list[str] = Field(default_factory=list)
    intent: str | None = None
    answers: list[str] = Field(default_factory=list)

    @property
    def asked(self) -> RowQuestion:
        """Its question, as the first turn on its product's page."""
        return RowQuestion(self.question, self.evidence, self.product)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a row.

    Attributes:
        cited: Ids, as the row has them, of the evidence cited, by first appearance.
        sentences: Its sentences with their citations, judged.
    """

    row: Answerable
    reply: Reply
    cited: tuple[str, ...]
    sentences: tuple[JudgedSentence, ...]

    @property
    def turn(self) -> Turn:
        """The turn."""
        return self.reply.turn

    @property
    def answered(self) -> bool:
        """Whether the turn answers."""
        return is_answered(self.turn)

    @property
    def good(self) -> bool:
        """Whether the first citation answers the question and the others at least help."""
        gold = set(self.row.gold_evidence)
        return (
            self.cited[:1] != ()
            and self.cited[0] in gold
            and gold.union(self.row.partial_evidence).issuperset(self.cited)
        )

    @property
    def case(self) -> Case:
        """How it counts in the scenarios."""
        return Case(
            answerable=self.row.answerable,
            answered=self.answered,
            good=self.good,
            grounded=all(one.grounded or one.computed for one in self.sentences if one.factual),
            complete=self.turn.outcome == "clear" and not self.reply.missing,
            intent=self.row.intent,
        )


def is_answered(turn: Turn) -> bool:
    """Whether a turn answers: it is clear, or asks back beside something cited."""
    return turn.outcome == "clear" or (turn.outcome == "ambiguous" and bool(turn.citations))


def judged(judge: LexicalJudge, row: Answerable, reply: Reply) -> Result:
    """What came of a row's question, judged."""
    evidence = evidence_of(row.evidence, row.product)
    ids = {item.evidence_id: item.row_id for item in evidence}
    cited = dict.fromkeys(ids[citation.evidence_id] for citation in reply.turn.citations)
    return Result(row, reply, tuple(cited), judge_answer(reply.turn, evidence, judge))


def grounding_metrics(results: Sequence[Result]) -> dict[str, Metric]:
    """`cgr`, `ccr`, `psr`, `scr`, `scr_all` over sentences and citations of all answers, `eur` over those that answer.

    The claims of the Claim Grounding Rate are the factual sentences. Computed ones are not judged: `cgr`, `ccr` and
    `psr` leave them out. `scr` is the Sentence with Citation Rate of factual sentences, `scr_all` the paper's, over all
    sentences. Sentences of an answer stand and fall together, so intervals are over answers.
    """
    factual = [[sentence for sentence in result.sentences if sentence.factual] for result in results]
    cited = [[one for one in result.sentences if one.citations and not one.computed] for result in results]
    used = [
        len({one.evidence_id for one in result.turn.citations}) / len(result.row.evidence)
        for result in results
        if result.answered and result.row.evidence
    ]
    return {
        "cgr": pooled_metric([[one.grounded for one in own if not one.computed] for own in factual]),
        "ccr": pooled_metric([[right for one in own for right in one.citations.values()] for own in cited]),
        "psr": pooled_metric([[all(one.citations.values()) for one in own] for own in cited]),
        "scr": pooled_metric([[bool(one.citations) for one in own] for own in factual]),
        "scr_all": pooled_metric([[bool(one.citations) for one in result.sentences] for result in results]),
        "eur": mean_metric(used),
    }


def answer_metrics(results: Sequence[Result]) -> dict[str, Metric]:
    """All metrics of `eval answers`; `evals.components.answers.evaluate` says what they are over."""
    scored = [result for result in results if not result.row.partial]
    answerable = [result for result in scored if result.row.answerable]
    metrics = scenario_metrics([result.case for result in scored])
    metrics |= _citations([result for result in answerable if result.answered])
    metrics |= grounding_metrics(scored)
    metrics |= {
        "answered_with_citation": mean_metric([result.answered and bool(result.cited) for result in answerable]),
        "token_f1": mean_metric([_token_f1(result) for result in answerable if result.row.answers]),
        "polarity_accuracy": mean_metric(_polarities([result for result in answerable if result.answered])),
    }
    metrics |= _confidence(scored)
    partial = [result for result in results if result.row.partial]
    return metrics | (
        {"partial.answered_rate": mean_metric([result.answered for result in partial])} if partial else {}
    )


def _citations(first: Sequence[Result]) -> dict[str, Metric]:
    """Precision and recall of the evidence cited, pooled over S1."""
    met = [len(set(result.row.gold_evidence).intersection(result.cited)) for result in first]
    return {
        "cited_precision": ratio_metric(met, [len(result.cited) for result in first]),
        "cited_recall": ratio_metric(met, [len(set(result.row.gold_evidence)) for result in first]),
    }


def _token_f1(result: Result) -> float:
    return token_f1(without_markers(result.turn.answer), result.row.answers) if result.answered else 0.0


def _polarities(answered: Sequence[Result]) -> list[bool]:
    """Whether each answer says yes or no as its references do, where these agree."""
    said = []
    for result in answered:
        wanted = {polarity for polarity in map(_polarity, result.row.answers) if polarity is not None}
        if len(wanted) == 1:
            text = result.turn.answer
            own = _polarity(text)
            said.append(wanted == {own if own is not None else not _NEGATION.search(text)})
    return said


def _polarity(text: str) -> bool | None:
    """Whether a text begins with yes or with no; None where with neither."""
    begins = _POLAR.match(text)
    return None if begins is None else begins[1] is not None


def _confidence(scored: Sequence[Result]) -> dict[str, Metric]:
    answered = [result for result in scored if result.answered]
    right = [result.case.right for result in answered]
    scores = [result.turn.confidence.score for result in answered]
    return {
        "answerable_auroc": auroc_metric(
            [result.row.answerable for result in scored], [result.turn.confidence.score for result in scored]
        ),
        "confidence_auroc": auroc_metric(right, scores),
        "confidence_ece": calibration_metric(scores, right),
    }
