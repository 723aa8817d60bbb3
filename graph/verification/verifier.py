"""The verifier: a sentence may say only what its own citations say."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from numpy import float32
from numpy.typing import NDArray

from graph.draft import Sentence
from graph.language.terms import terms, words
from graph.parts import Verdict
from graph.verification.case import Case
from graph.verification.coverage import is_verbatim, lost_negation, states_entries, uncovered, unfound_negation
from graph.verification.figures import unfound_dates, unfound_figures, wrongly_computed
from graph.verification.names import in_scope, resolves, unknown_marks, unknown_names
from graph.verification.ranking import misnamed_entries, wrongly_ranked
from ingestion.evidence import Evidence, Product

THRESHOLD = 0.5
"""A sentence is supported from this probability on: probabilities are calibrated, so it is then the likelier."""
LEAST_COVERAGE = 0.7
"""Of a sentence that tells what was computed, this share of the words must be covered; the model cannot count."""
CHECKS: Mapping[str, Callable[[Case], tuple[str, ...]]] = {
    "figures": unfound_figures,
    "dates": unfound_dates,
    "names": unknown_names,
    "marks": unknown_marks,
    "negation": unfound_negation,
    "denied": lost_negation,
    "computed": wrongly_computed,
    "entries": misnamed_entries,
    "ranked": wrongly_ranked,
}
"""What must be found in the cited spans, by the name under which a verdict tells that it was not."""
CITATION, SCOPE, SUPPORT = "citation", "scope", "support"


class Support(Protocol):
    """Tells how probable it is that evidence supports claims."""

    def probabilities(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> NDArray[float32]:
        """For each claim beside its evidence, the probability that it is supported."""
        ...


class SentenceVerifier:
    """Judges sentences by their own citations, whoever drafted them; safe to share.

    A citation must resolve and be about the same product; figures, dates, names, marks and negations must be found in
    the cited spans; and the sentence must be the span's own words, or covered by them, or supported by the support
    model at its calibrated threshold.
    """

    def __init__(self, support: Support) -> None:
        self._support = support

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verdict:
        """Judge one sentence; one without factual content passes, one without citations does not."""
        return self.verify_all([(sentence, product)], evidence)[0]

    def verify_all(
        self, sentences: Sequence[tuple[Sentence, Product | None]], evidence: Mapping[str, Evidence]
    ) -> list[Verdict]:
        """Judge sentences beside their products; what the model must read, it reads at once."""
        verdicts = [_settled(sentence, evidence) for sentence, _ in sentences]
        cases = {
            place: Case(sentence, evidence, product)
            for place, (sentence, product) in enumerate(sentences)
            if verdicts[place] is None
        }
        supports = self._supports(cases)
        return [
            verdict if verdict is not None else _judged(cases[place], supports[place])
            for place, verdict in enumerate(verdicts)
        ]

    def _supports(self, cases: Mapping[int, Case]) -> dict[int, float]:
        """How well each sentence is supported; the model is asked only of those that the words alone do not settle."""
        known = {place: _lexical(case) for place, case in cases.items()}
        asked = [place for place, support in known.items() if support is None]
        pairs = [(cases[place].said.text, _shown(cases[place])) for place in asked]
        found: list[float] = self._support.probabilities(pairs).tolist() if pairs else []
        settled = {place: support for place, support in known.items() if support is not None}
        return settled | dict(zip(asked, found, strict=True))


def _settled(sentence: Sentence, evidence: Mapping[str, Evidence]) -> Verdict | None:
    """The verdict on a sentence whose words need not be read; None for the others."""
    if not sentence.factual:
        return Verdict(support=1.0, accepted=True)
    said = tuple(words(sentence.text))
    if not resolves(sentence, evidence):
        return Verdict(support=0.0, accepted=False, failing=said, reasons=(CITATION,))
    if not in_scope(sentence, evidence):
        return Verdict(support=0.0, accepted=False, failing=said, reasons=(SCOPE,))
    return None


def _lexical(case: Case) -> float | None:
    """Support by words alone; None where it takes the model."""
    if is_verbatim(case) or states_entries(case):
        return 1.0
    return uncovered(case)[1] if case.derived else None


def _shown(case: Case) -> list[str]:
    """What the model reads: the cited words of each evidence, under the names that stand above where these count."""
    told = set(terms(case.said.text)) - set(terms(case.cited))
    above = [
        line for line in dict.fromkeys([*case.names.split("\n"), *case.named.split("\n")]) if told & set(terms(line))
    ]
    return ["\n".join([*above, quote]) for quote in case.quotes]


def _judged(case: Case, support: float) -> Verdict:
    found = {name: check(case) for name, check in CHECKS.items()}
    failing = [word for words_of in found.values() for word in words_of]
    reasons = [name for name, words_of in found.items() if words_of]
    supported = support >= (LEAST_COVERAGE if case.derived else THRESHOLD)
    if not supported:
        reasons.append(SUPPORT)
        failing += uncovered(case)[0] or words(case.said.text)
    if failing:
        support = min(support, support * THRESHOLD)
    return Verdict(round(support, 4), not failing, tuple(dict.fromkeys(failing)), tuple(reasons))
