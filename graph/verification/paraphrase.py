"""Paraphrase: further checks of what a language model writes in its own words, beside those of every sentence.

A sentence built from its sources keeps their conditions and their words by construction; a fluent one may lose them
while all of its words and figures stand there.
"""

from collections.abc import Callable, Mapping, Sequence

from graph.draft import Sentence
from graph.parts import Verdict, Verifier
from graph.verification.additions import (
    added_words,
    falsely_included,
    mixed_sources,
    promises,
    siblings_taken,
    strange_contacts,
    unfound_ranks,
)
from graph.verification.attribution import misquoted, multiplied_voices, unattributed_opinions
from graph.verification.case import Case
from graph.verification.conditions import displaced, dropped_conditions, turned_dates, widened
from graph.verification.limits import exchanged_days, halved_ranges, unlimited_figures
from ingestion.evidence import Evidence, Product

CHECKS: Mapping[str, Callable[[Case], tuple[str, ...]]] = {
    "opinion": unattributed_opinions,
    "voices": multiplied_voices,
    "quotation": misquoted,
    "condition": dropped_conditions,
    "widened": widened,
    "displaced": displaced,
    "turned": turned_dates,
    "limit": unlimited_figures,
    "range": halved_ranges,
    "days": exchanged_days,
    "contact": strange_contacts,
    "promise": promises,
    "rank": unfound_ranks,
    "included": falsely_included,
    "added": added_words,
    "mixed": mixed_sources,
    "sibling": siblings_taken,
}
"""What a paraphrase must keep, by the name under which a verdict tells that it did not."""


class ParaphraseVerifier:
    """Accepts what another verifier accepts and these checks let pass; safe to share.

    Args:
        verifier: Judges first.
    """

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verdict:
        """Judge one sentence."""
        return self.verify_all([(sentence, product)], evidence)[0]

    def verify_all(
        self, sentences: Sequence[tuple[Sentence, Product | None]], evidence: Mapping[str, Evidence]
    ) -> list[Verdict]:
        """Judge sentences beside their products."""
        verdicts = self._verifier.verify_all(sentences, evidence)
        return [
            _kept(verdict, Case(sentence, evidence, product)) if verdict.accepted and sentence.factual else verdict
            for (sentence, product), verdict in zip(sentences, verdicts, strict=True)
        ]


def _kept(verdict: Verdict, case: Case) -> Verdict:
    found = {name: failing for name, check in CHECKS.items() if (failing := check(case))}
    if not found:
        return verdict
    words = tuple(dict.fromkeys(word for failing in found.values() for word in failing))
    return Verdict(support=0.0, accepted=False, failing=words, reasons=tuple(found))
