"""Names: a sentence is about the product and place of its source."""

import re
from collections.abc import Mapping

from graph.draft import Sentence, Span
from graph.language.terms import fold
from graph.language.units import unit_of
from graph.support import Token, goes_on, numbered, places, unknown_words
from graph.verification.case import Case
from ingestion.evidence import Evidence


def in_scope(sentence: Sentence, evidence: Mapping[str, Evidence]) -> bool:
    """Whether all that a sentence cites is about its product or about no one product."""
    about = {evidence[span.evidence_id].product_id for span in sentence.spans} - {None}
    return sentence.product_id is None or about <= {sentence.product_id}


def resolves(sentence: Sentence, evidence: Mapping[str, Evidence]) -> bool:
    """Whether a sentence cites, and all that it cites is there."""
    return bool(sentence.spans) and all(_there(span, evidence) for span in sentence.spans)


def _there(span: Span, evidence: Mapping[str, Evidence]) -> bool:
    item = evidence.get(span.evidence_id)
    return item is not None and 0 <= span.start < span.end <= len(item.text)


_CODE = re.compile(r"(?<![^\W_])(?:(?=[^\W_]*\d)[^\W\d_][^\W_]*(?:-[^\W_]+)*|[^\W\d_]+-(?=[^\W_]*\d)[^\W_]+)")
"""Letters with digits behind them, as in `X2`, `IP68` and `WH-1000XM5`."""
_MARK = re.compile(r"(?<![\w-])[A-Z][A-Z-]*[A-Z](?![\w-])")
"""Letters all in capitals, as in `CE`, `GOTS` and `OEKO-TEX`."""
_GAPS = re.compile(r"[\s-]+")
_ASSURED = re.compile(
    r"(?i)\b(certifi\w+|approv(?:ed|al)|complian\w+|compl(?:y|ies|ied)|accredit\w+|patented|guarante\w+|tested)\b"
)
_SHORTEST = 2
_SPOKEN = 5
"""Letters by which two forms of such a word are one."""


def unknown_names(case: Case) -> tuple[str, ...]:
    """Names of a sentence that stand neither in its cited words nor above them: a longer name is another's."""
    failing = []
    unknown = unknown_words(case.said, case.texts)
    runs: dict[tuple[str, ...], tuple[Token, ...]] = {}
    for run in case.said.names:
        runs.setdefault(tuple(token.text for token in run), run)
    for run in runs.values():
        whole = bool(places(run, case.texts))
        wrong = goes_on(run, case.texts) if whole else numbered(run) or _is_subject(run, unknown, case)
        if len(run) > 1 and wrong:
            failing.append(case.said.text[run[0].start : run[-1].end])
    return tuple(failing)


def _is_subject(run: tuple[Token, ...], unknown: set[str], case: Case) -> bool:
    """Whether a name that is not there goes on one that is, or is what the sentence speaks of, the rest of which is."""
    there = frozenset[str]().union(*(text.content for text in case.texts))
    rest = case.said.content - {token.stem for token in run}
    if not any(token.text in unknown for token in run):
        return False
    return bool(places(run[:-1], case.texts)) if len(run) > _SHORTEST else bool(rest) and rest <= there


def unknown_marks(case: Case) -> tuple[str, ...]:
    """Codes, marks and words of assurance, such as certified, that no cited span says."""
    haystack = _GAPS.sub("", fold("\n".join(text.text for text in case.texts)))
    codes = [found[0] for found in _CODE.finditer(case.said.text)]
    said = [code for code in codes if _GAPS.sub("", fold(code)) not in haystack]
    known = {token.text for text in case.texts for token in text.tokens}
    shouted = case.said.text.isupper()
    initials = ["".join(token.text[0] for token in text.tokens) for text in case.texts]
    for found in _MARK.finditer(case.said.text):
        if shouted or unit_of(found[0]):
            continue
        if not all(part.casefold() in known for part in found[0].split("-")) and not any(
            found[0].casefold() in one for one in initials
        ):
            said.append(found[0])
    assured = dict.fromkeys(found[0] for found in _ASSURED.finditer(case.said.text))
    said += [word for word in assured if not any(one.startswith(word[:_SPOKEN].casefold()) for one in known)]
    return tuple(dict.fromkeys(said))
