"""The verifier: a sentence may say only what its own citations say.

What is checked stands in the lists at the ends of this folder's other modules.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graph.budget import check_budget
from graph.draft import Sentence
from graph.parts import Encoder, Reader, Verdict, Verification, Verifier
from graph.trained import EVEN
from graph.verification import coverage, figures, names, speakers
from graph.verification.claim import Case, Check, nearest_sentences, read, sentences_of
from graph.verification.coverage import is_verbatim, is_whole, states_entries, uncovered
from graph.verification.names import in_scope, resolves
from ingestion.evidence import Evidence, Product
from ingestion.statements import as_read

LEAST_COVERAGE = 0.7
"""Of a sentence that tells what was computed, this share of the words must be covered; the model cannot count."""
SURE = 0.95
"""How probable it must be that what is cited bears out a writer's own words."""
CHECKS = (*figures.CHECKS, *names.CHECKS, *coverage.CHECKS, *speakers.CHECKS)
"""What every sentence is held to, and what paraphrases are held to beside it."""
Sentences = Sequence[tuple[Sentence, Product | None]]
"""Sentences, each beside the product it speaks of."""


WINDOW = 75
"""Words that fit the reader's window beside a claim."""
COMPARED = 64
"""Sentences of long evidence that are compared with a claim: those that share the most words with it."""


def window(ranked: Sequence[str], evidence: Sequence[str]) -> str:
    """The first of some sentences, as many as the reader takes at once, as they stand in the evidence."""
    chosen, left = set[str](), WINDOW
    for one in ranked:
        if (size := len(one.split())) <= left:
            chosen.add(one)
            left -= size
    return " ".join(one for text in evidence for one in sentences_of(text) if one in chosen)


class SupportModel:
    """Judges sentences by their evidence; safe to share.

    What is said of a product should be among the evidence's words with the product's name, such as the title of the
    source above the cited line. Of evidence that is longer than the reader takes at once, it reads the sentences that
    the encoder finds nearest.

    Args:
        reader: Reads a claim beside as much of the evidence as it takes at once.
        encoder: Tells which sentences of long evidence come near to a claim.
    """

    def __init__(self, reader: Reader, encoder: Encoder) -> None:
        self._reader, self._encoder = reader, encoder

    def probabilities(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> NDArray[np.float32]:
        """How probable it is that the evidence beside each claim, all of it together, supports it; 0 without any."""
        check_budget()
        found = np.zeros(len(pairs), dtype=np.float32)
        said = [
            place
            for place, (claim, evidence) in enumerate(pairs)
            if claim.strip() and any(text.strip() for text in evidence)
        ]
        shown = [(pairs[place][0], self._shown(*pairs[place])) for place in said]
        found[said] = [one.supported for one in self._reader.judge(shown)]
        return found

    def _shown(self, claim: str, evidence: Sequence[str]) -> str:
        """What the reader reads of evidence: all of it, or its sentences that come nearest to the claim."""
        whole = " ".join(evidence)
        if len(whole.split()) <= WINDOW:
            return whole
        sentences = nearest_sentences(read(claim), evidence)[:COMPARED]
        asked, *vectors = self._encoder.encode([claim, *sentences])
        order = sorted(range(len(sentences)), key=lambda place: -float(vectors[place] @ asked))
        return window([sentences[place] for place in order], evidence)


class SentenceVerifier(Verifier):
    """Judges sentences by their own citations, whoever drafted them; safe to share.

    A citation must resolve and be about the same product; nothing may fail a check; and the sentence must be the span's
    own words, or an entry of its told, or supported by the support model at its calibrated threshold. A writer's own
    words must be a whole sentence of it or surely supported. One without factual content passes, one without citations
    does not.

    Args:
        support: Reads what the words alone do not settle.
        paraphrases: Whether the sentences are a writer's own words, which are held to more than those of a source.
    """

    def __init__(self, support: SupportModel, *, paraphrases: bool = False) -> None:
        self._support, self._paraphrases = support, paraphrases
        self._checks = tuple(check for check in CHECKS if paraphrases or not check.paraphrases)

    def verify_all(self, sentences: Sentences, evidence: Mapping[str, Evidence]) -> list[Verification]:
        """Judge sentences beside their products; what the model must read, it reads at once."""
        settled = [_settled(sentence, evidence) for sentence, _ in sentences]
        cases = {
            place: Case(sentence, evidence, product)
            for place, (sentence, product) in enumerate(sentences)
            if settled[place] is None
        }
        supports = self._supports(cases)
        least = SURE if self._paraphrases else EVEN
        return [known or _judged(cases[at], supports[at], self._checks, least) for at, known in enumerate(settled)]

    def _supports(self, cases: Mapping[int, Case]) -> dict[int, float]:
        """How well each sentence is supported; the model is asked only of those that the words alone do not settle."""
        stands, shown = (_stands_whole, _shown_whole) if self._paraphrases else (_stands, _shown)
        known = {place: _lexical(case, stands) for place, case in cases.items()}
        asked = [place for place, support in known.items() if support is None]
        found = self._support.probabilities([(cases[place].said.text, shown(cases[place])) for place in asked])
        read = dict(zip(asked, found.tolist(), strict=True))
        return {place: read[place] if support is None else support for place, support in known.items()}


def _settled(sentence: Sentence, evidence: Mapping[str, Evidence]) -> Verification | None:
    """What is known of a sentence whose words need not be read; None for the others."""
    if not sentence.factual:
        return Verification(support=1.0)
    said = read(sentence.text).words
    if not resolves(sentence, evidence):
        return Verification(0.0, said, (Verdict.CITATION,))
    if not in_scope(sentence, evidence):
        return Verification(0.0, said, (Verdict.SCOPE,))
    return None


def _stands(case: Case) -> bool:
    """Whether a sentence is the words of its source, or tells an entry."""
    return is_verbatim(case) or states_entries(case)


def _stands_whole(case: Case) -> bool:
    """Whether it is a whole sentence of its source, or tells the one entry that it cites."""
    return is_whole(case) or (states_entries(case) and len(case.cited.text.splitlines()) == 1)


def _lexical(case: Case, stands: Callable[[Case], bool]) -> float | None:
    """Support by words alone; None where it takes the model."""
    if stands(case):
        return 1.0
    return uncovered(case)[1] if case.derived else None


def _shown(case: Case) -> list[str]:
    """What the model reads: the cited words of each evidence, under the names that stand above where these count."""
    told = case.said.content - case.cited.content
    above = [line for line in case.above.text.split("\n") if told & read(line).content]
    return ["\n".join([*above, quote]) for quote in case.quotes]


def _shown_whole(case: Case) -> list[str]:
    """What the model reads beside a writer's own words: what is cited, as it learnt to read it."""
    return [as_read(case.evidence[where.evidence_id], case.quote(where)) for where in case.sentence.spans]


def _judged(case: Case, support: float, checks: Sequence[Check], least: float) -> Verification:
    found = [(check.verdict, words_of) for check in checks if (words_of := check.finds(case))]
    failing, reasons = [word for _, words_of in found for word in words_of], [verdict for verdict, _ in found]
    if support < (LEAST_COVERAGE if case.derived else least):
        reasons.append(Verdict.SUPPORT)
        failing += uncovered(case)[0] or case.said.words
    if reasons:
        support = min(support, support * EVEN)
    return Verification(round(support, 4), tuple(dict.fromkeys(failing)), tuple(dict.fromkeys(reasons)))
