"""Coverage: how much of a sentence its source says, whether word by word, and what it denies or adds."""

from graph.answering.matching import DIVIDER
from graph.answering.reviews import aspect_words
from graph.language.families import covered_terms
from graph.language.locale import phrases, word_class, word_list
from graph.language.negation import NEGATIONS, denial_in, may_deny
from graph.language.quantities import bounds_in
from graph.language.terms import terms, words
from graph.language.wording import Wording, covered_otherwise, nearest_sentences, read, turned_round
from graph.parts import Verdict
from graph.verification.case import Case, Check, clauses_of, is_entry
from graph.verification.figures import plain, without_ranking
from ingestion.source_types import SOURCE_TABLE
from ingestion.stems import stem

_SAME_MATTER = 0.8
"""Share of the other words that must be there."""
_SAME_WORDS = 0.9
"""Share of the words of two sentences that both have, where they say the same."""


def unfound_negation(case: Case) -> tuple[str, ...]:
    """The word by which a sentence denies what nothing cited denies."""
    denial = denial_in(case.said.text)
    if denial is None or may_deny(f"{case.cited}\n{case.named}"):
        return ()
    return (denial,)


def lost_negation(case: Case) -> tuple[str, ...]:
    """The words that a sentence affirms where its cited words deny them, or the other way about.

    Only where a cited sentence says all the rest of the sentence: else they may speak of another matter. Where both say
    the same words, they must deny equally often: "not no" is another thing than "no".
    """
    if case.derived:
        return ()
    best = read(next(iter(nearest_sentences(case.said, case.quotes)), ""))
    if covered_otherwise(case.said, [best, *case.above]) < _SAME_MATTER:
        return ()
    turned = turned_round(case.said, [best])
    if not turned and _same_words(case.said, best) and _denials(case.said) % 2 != _denials(best) % 2:
        return tuple(token.text for token in case.said.tokens if token.negates) or tuple(words(case.said.text))
    return tuple(dict.fromkeys(token.text for token in case.said.tokens if token.stem in turned))


def _same_words(one: Wording, other: Wording) -> bool:
    both = one.content & other.content
    return len(both) >= _SAME_WORDS * len(one.content | other.content) > 0


def _denials(wording: Wording) -> int:
    return sum(token.negates for token in wording.tokens)


FRAME = frozenset(map(stem, word_list("frame")))
"""Stems of the words with which answers are framed; they state nothing of the product."""
_LONGEST_FRAME = 12
"""Words around a quotation that say who speaks."""


def uncovered(case: Case) -> tuple[tuple[str, ...], float]:
    """Compare a sentence with what it cites.

    Returns:
        Stems of its content words that nothing cited says, and the share of all that something does. Figures and the
        words of an answer's frame count as neither.
    """
    told = terms(without_ranking(case))
    said = {term for term in told if term not in FRAME and not term[0].isdigit()}
    allowed = _allowed(case)
    missing = tuple(term for term in dict.fromkeys(told) if term in said and term not in allowed)
    return missing, 1.0 - len(missing) / len(said) if said else 1.0


def _allowed(case: Case) -> set[str]:
    allowed = {term for text in (case.cited, case.named, case.names) for term in terms(text)}
    for line in case.cited.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            allowed |= covered_terms(name, value)
    for kind in {item.source_type for item in case.items}:
        allowed |= SOURCE_TABLE[kind].stems | set(map(stem, kind.split("_")))
    if any(item.op == "count" for item in case.derived):
        allowed |= aspect_words()
    return allowed | {term for item in case.derived for term in terms(plain(item.value))}


def is_framed(words_outside: str) -> bool:
    """Whether words only say who speaks."""
    return all(term in FRAME for term in terms(words_outside)) and len(words(words_outside)) <= _LONGEST_FRAME


_BOUND = " "


def is_verbatim(case: Case) -> bool:
    """Whether a sentence is a stretch of one cited span, alone or quoted by someone who is named."""
    said = case.said.text
    start, end = said.find("“"), said.rfind("”")
    if 0 <= start < end - 1:
        return is_framed(said[:start] + _BOUND + said[end + 1 :]) and _stands(said[start + 1 : end], case)
    return _stands(said, case)


def _stands(text: str, case: Case) -> bool:
    """Whether words stand side by side in a cited span, and no negation beside them is cut off."""
    run = _plain(text)
    for quote in map(_plain, case.quotes) if run.strip() else ():
        before, found, after = quote.partition(run)
        if found and not NEGATIONS & {*before.split()[-1:], *after.split()[:1]}:
            return True
    return False


def _plain(text: str) -> str:
    """The words of a text between single blanks: marks, capitals and line breaks are no difference."""
    return f"{_BOUND}{_BOUND.join(words(text))}{_BOUND}"


def states_entries(case: Case) -> bool:
    """Whether all that is cited are attributes or rows of tables, and a sentence says no more than they mean."""
    entries = [line for quote in case.quotes for line in quote.splitlines() if line.strip()]
    return all(map(_is_entry, entries)) and not uncovered(case)[0]


def _is_entry(line: str) -> bool:
    return DIVIDER in line or is_entry(line)


_PLAIN = frozenset(map(stem, word_list("retelling")))
"""Stems with which a rule is told in other words; they add nothing to it."""


def added_words(case: Case) -> tuple[str, ...]:
    """Content words of a sentence that nothing it cites says; they stand beside right ones and add to them."""
    if case.derived or is_verbatim(case):
        return ()
    near = set(terms(f"{case.cited}\n{case.named}"))
    return tuple(one for one in uncovered(case)[0] if one not in _PLAIN and not _form_of_one(one, near))


def _form_of_one(said: str, near: set[str]) -> bool:
    """Whether a stem and another are forms of one word: `receipt` and `receive` begin alike."""
    return any(said[:5] == other[:5] for other in near if len(said) >= 5 and len(other) >= 5)  # noqa: PLR2004


_SEVERAL = 2


def mixed_sources(case: Case) -> tuple[str, ...]:
    """Clauses that no source says alone: one gives the subject, the other what is said of it."""
    if case.derived:
        return ()
    kinds = case.product.category if case.product else ()
    ours = set(terms("\n".join([case.names, case.named, *kinds]))) | FRAME
    failing: list[str] = []
    for claim in case.sentence.claims:
        items = list(dict.fromkeys(where.evidence_id for where in claim.spans))
        manual = len(items) == 1 and case.evidence[items[0]].source_type == "manual"
        quotes = list(map(case.quote, claim.spans))
        whole = [" ".join(q for w, q in zip(claim.spans, quotes, strict=True) if w.evidence_id == key) for key in items]
        told = [set(terms(text)) for text in (quotes if manual else whole)]
        if len(told) >= _SEVERAL:
            failing += [
                clause.strip(" ,;") for clause in clauses_of(claim.text) if _borrows(set(terms(clause)) - ours, told)
            ]
    return tuple(failing)


def _borrows(said: set[str], told: list[set[str]]) -> bool:
    """Whether no source has all the words of a clause that the sources together have."""
    known = said & set[str]().union(*told)
    return not any(known <= one for one in told)


def unfound_ranks(case: Case) -> tuple[str, ...]:
    """Comparisons and superlatives that stand in nothing that is cited; the limits of figures are none."""
    if case.derived:
        return ()
    there, text = set(words(f"{case.cited}\n{case.named}")), case.said.text
    for _, limit in bounds_in(text):
        text = text.replace(limit, " ", 1)
    ranks = [found[0] for found in phrases("ranks").finditer(text)]
    ranks += [word for word in words(text) if word.endswith("est") and len(word) >= _LEAST and word not in _NO_RANKS]
    return tuple(rank for rank in dict.fromkeys(ranks) if words(rank)[0] not in there)


_LEAST = 6
_NO_RANKS = word_class("no_superlatives")
"""Words in -est of so many letters that are no superlatives, or rank nothing."""


CHECKS = (
    Check(Verdict.NEGATION, unfound_negation),
    Check(Verdict.NEGATION, lost_negation),
    Check(Verdict.ADDED, added_words, paraphrases=True),
    Check(Verdict.ADDED, mixed_sources, paraphrases=True),
    Check(Verdict.ADDED, unfound_ranks, paraphrases=True),
)
