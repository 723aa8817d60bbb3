"""Coverage: how much of a sentence its source says, whether word by word, and what it denies or adds."""

from collections import defaultdict
from collections.abc import Collection

from graph.answering.matching import DIVIDER, row_at
from graph.answering.prose import DOCUMENTS
from graph.answering.reviews import aspect_words
from graph.language.families import covered_terms
from graph.language.locale import word_list
from graph.language.negation import may_deny
from graph.language.terms import clauses_of
from graph.parts import Verdict
from graph.verification.claim import SAME_MATTER, Case, Check, Claim, nearest_sentences, read, sentences_of
from graph.verification.figures import plain, without_ranking
from ingestion.source_types import SOURCE_TABLE
from ingestion.stems import stem


def unfound_negation(case: Case) -> tuple[str, ...]:
    """The word by which a sentence denies what nothing cited denies."""
    denials = [token.text for token in case.said.tokens if token.negates]
    return tuple(denials[:1]) if denials and not may_deny(case.told.text) else ()


def lost_negation(case: Case) -> tuple[str, ...]:
    """The words that a sentence affirms where its cited words deny them, or the other way about.

    Only where a cited sentence says all the rest of the sentence: else they may speak of another matter. Where both say
    the same words, they must deny equally often, as "not no" is another thing than "no"; word for word they do, in one
    sentence or several.
    """
    best = read(next(iter(nearest_sentences(case.said, case.quotes)), ""))
    if case.derived or read(f"{best.text}\n{case.above.text}").covers(case.said) < SAME_MATTER:
        return ()
    turned = best.turns_round(case.said)
    differs = _denials(case.said) % 2 != _denials(best) % 2
    if not turned and differs and _same_words(case.said, best) and not is_verbatim(case):
        return tuple(token.text for token in case.said.tokens if token.negates) or case.said.words
    return tuple(dict.fromkeys(token.text for token in case.said.tokens if token.stem in turned))


def _same_words(one: Claim, other: Claim) -> bool:
    return len(one.content & other.content) >= SAME_MATTER * len(one.content | other.content) > 0


def _denials(claim: Claim) -> int:
    return sum(token.negates for token in claim.tokens)


FRAME = frozenset(map(stem, word_list("frame")))
"""Stems of the words with which answers are framed; they state nothing of the product."""


def uncovered(case: Case) -> tuple[tuple[str, ...], float]:
    """Compare a sentence with what it cites.

    Returns:
        Stems of its content words that nothing cited says, and the share of all that something does. Figures and the
        words of an answer's frame count as neither.
    """
    told = [token.stem for token in read(without_ranking(case)).telling]
    said = {term for term in told if term not in FRAME and not term[0].isdigit()}
    allowed = _allowed(case)
    missing = tuple(term for term in dict.fromkeys(told) if term in said and term not in allowed)
    return missing, 1.0 - len(missing) / len(said) if said else 1.0


def _allowed(case: Case) -> set[str]:
    allowed = set(case.told.content)
    for line in case.cited.text.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            allowed |= covered_terms(name, value)
    for kind in {item.source_type for item in case.items}:
        allowed |= SOURCE_TABLE[kind].stems | set(map(stem, kind.split("_")))
    if any(item.op == "count" for item in case.derived):
        allowed |= aspect_words()
    return allowed | {term for item in case.derived for term in read(plain(item.value)).content}


def is_verbatim(case: Case) -> bool:
    """Whether a sentence is a stretch of one cited span, alone or quoted by someone who is named."""
    quotations = case.said.quotations
    framed = bool(quotations) and case.said.unquoted.content <= FRAME
    return (framed and all(map(case.stands, quotations))) or case.stands(case.said.text)


def is_whole(case: Case) -> bool:
    """Whether a sentence is a whole sentence of one cited span, alone or behind who says it.

    A stretch of one may lack the condition that stands behind it.
    """
    said = case.said
    there = (read(one) for quote in case.quotes for one in sentences_of(quote))
    return any(
        one.content
        and said.run.endswith(one.run)
        and said.content - one.content <= FRAME
        and _denials(one) == _denials(said)
        for one in there
    )


def states_entries(case: Case) -> bool:
    """Whether all that is cited are attributes or rows of tables, and a sentence says what they mean and no more.

    A mere yes says nothing by its words; it stands in what it cites, or has to be read beside it.
    """
    entries = [line for line in case.cited.text.splitlines() if line.strip()]
    listed = all(DIVIDER in line or read(line).attribute for line in entries)
    return listed and not case.said.content <= FRAME and not uncovered(case)[0]


_SEVERAL = 2


def mixed_sources(case: Case) -> tuple[str, ...]:
    """Clauses that no source says alone: one gives the subject, the other what is said of it."""
    if case.derived:
        return ()
    kinds = case.product.category if case.product else ()
    ours = case.above.content | read("\n".join(kinds)).content | FRAME
    failing: list[str] = []
    for piece in case.sentence.segments:
        told: dict[tuple[str, int], set[str]] = defaultdict(set)
        for where in piece.spans:
            quote = read(case.quote(where))
            # Each stretch of a manual and each entry of a list tells of another thing.
            apart = quote.attribute or case.evidence[where.evidence_id].source_type == "manual"
            told[where.evidence_id, where.start if apart else 0] |= quote.content
        if len(told) >= _SEVERAL:
            clauses = clauses_of(piece.text)
            failing += [one.strip(" ,;") for one in clauses if _borrows(read(one).content - ours, told.values())]
    return tuple(failing)


def _borrows(said: frozenset[str], told: Collection[set[str]]) -> bool:
    """Whether no source has all the words of a clause that the sources together have."""
    known = said & set[str]().union(*told)
    return not any(known <= one for one in told)


def lost_row(case: Case) -> tuple[str, ...]:
    """The first cell of a table's cited row, for which alone its other cells hold, where a sentence leaves it out.

    The heads of a table state nothing at all.
    """
    for where in case.sentence.spans:
        item = case.evidence[where.evidence_id]
        if item.source_type in DOCUMENTS and DIVIDER in case.quote(where):
            row = row_at(item, where.start)
            first = read(row.cells[0]).content if row else frozenset[str]()
            if row is None or (first and not first & case.said.content):
                return (row.cells[0],) if row else case.said.words
    return ()


CHECKS = (
    Check(Verdict.NEGATION, unfound_negation),
    Check(Verdict.NEGATION, lost_negation),
    Check(Verdict.ADDED, mixed_sources, paraphrases=True),
    Check(Verdict.CONDITION, lost_row, paraphrases=True),
)
