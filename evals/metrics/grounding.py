"""How answers are grounded and cited: the metrics of the Cite Before You Speak paper, section 3, by a judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.metrics.served_judge import Judge
from evals.report import Metric, mean_metric
from graph.turn import ShownSentence, Turn
from ingestion.evidence import Evidence


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


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer, judged.

    Attributes:
        answered: Whether it answers at all.
        sentences: Its sentences, in order.
        cited: How many pieces of evidence it cites.
        given: How many there were.
    """

    answered: bool
    sentences: tuple[JudgedSentence, ...]
    cited: int
    given: int

    @property
    def grounded(self) -> bool:
        """Whether all that it states and that can be judged is supported."""
        return all(sentence.grounded or sentence.computed for sentence in self.sentences if sentence.factual)


def judge_answer(turn: Turn, evidence: Sequence[Evidence], judge: Judge, *, answered: bool) -> JudgedAnswer:
    """Judge every sentence of a turn against the evidence of its row."""
    texts = {item.evidence_id: f"{item.title}\n{item.text}" for item in evidence}
    sentences = tuple(_judged(sentence, turn, texts, judge) for sentence in turn.sentences)
    return JudgedAnswer(answered, sentences, len({one.evidence_id for one in turn.citations}), len(evidence))


def _judged(sentence: ShownSentence, turn: Turn, texts: Mapping[str, str], judge: Judge) -> JudgedSentence:
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


def grounding_metrics(answers: Sequence[JudgedAnswer]) -> Mapping[str, Metric]:
    """`cgr`, `ccr`, `psr`, `scr`, `scr_all` over sentences and citations of all answers, `eur` over those that answer.

    The claims of the Claim Grounding Rate are the factual sentences. Computed ones are not judged: `cgr`, `ccr` and
    `psr` leave them out. `scr` is the Sentence with Citation Rate of factual sentences, `scr_all` the paper's, over all
    sentences.
    """
    sentences = [sentence for answer in answers for sentence in answer.sentences]
    factual = [sentence for sentence in sentences if sentence.factual]
    cited = [sentence for sentence in sentences if sentence.citations and not sentence.computed]
    return {
        "cgr": mean_metric([sentence.grounded for sentence in factual if not sentence.computed]),
        "ccr": mean_metric([right for sentence in cited for right in sentence.citations.values()]),
        "psr": mean_metric([all(sentence.citations.values()) for sentence in cited]),
        "scr": mean_metric([bool(sentence.citations) for sentence in factual]),
        "scr_all": mean_metric([bool(sentence.citations) for sentence in sentences]),
        "eur": mean_metric([answer.cited / answer.given for answer in answers if answer.answered and answer.given]),
    }
