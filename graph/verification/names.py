"""Names: a sentence is about the product, place and entry of its source, and gives no mark or address of its own."""

import re
from collections.abc import Iterator, Mapping, Sequence

from graph.answering.candidate import span
from graph.answering.matching import attribute_lines
from graph.draft import Sentence, Span
from graph.language.families import family_of, is_wholly_named, own_words
from graph.language.locale import phrases
from graph.language.terms import fold, terms
from graph.language.units import unit_of
from graph.parts import Verdict
from graph.verification.claim import Case, Check, Name, read
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
_SHORTEST = 2
_SPOKEN = 5
"""Letters by which two forms of such a word are one."""


def unknown_names(case: Case) -> tuple[str, ...]:
    """Names of a sentence that stand neither in its cited words nor above them: a longer name is another's."""
    failing = []
    for name in case.said.names:
        numbered = any(token.is_number for token in name)
        wrong = case.told.goes_on(name) if case.told.has(name) else numbered or _is_subject(name, case)
        if len(name) > 1 and wrong:
            failing.append(case.said.written(name))
    return tuple(dict.fromkeys(failing))


def _is_subject(name: Name, case: Case) -> bool:
    """Whether a name that is not there goes on one that is, or is what the sentence speaks of, the rest of which is."""
    if {token.bare for token in name if not token.is_number} <= case.told.vocabulary:
        return False
    rest = case.said.content - {token.stem for token in name}
    return case.told.has(name[:-1]) if len(name) > _SHORTEST else bool(rest) and rest <= case.told.content


def unknown_marks(case: Case) -> tuple[str, ...]:
    """Codes, marks and words of assurance, such as certified, that no cited span says."""
    haystack = _compact(case.told.text)
    codes = [found[0] for found in _CODE.finditer(case.said.text)]
    said = [code for code in codes if _compact(code) not in haystack]
    known = case.told.vocabulary
    shouted = case.said.text.isupper()
    initials = "".join(token.text[0] for token in case.told.tokens)
    for found in _MARK.finditer(case.said.text):
        if shouted or unit_of(found[0]):
            continue
        spelled = all(part.casefold() in known for part in found[0].split("-"))
        if not spelled and found[0].casefold() not in initials:
            said.append(found[0])
    assured = dict.fromkeys(found[0] for found in phrases("assurances").finditer(case.said.text))
    said += [word for word in assured if not any(one.startswith(word[:_SPOKEN].casefold()) for one in known)]
    return tuple(dict.fromkeys(said))


_CONTACT = re.compile(
    r"(?i)https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+|\b[\w-]{1,63}\.(?:com|net|org|shop|de|co\.uk)\b"
)


def strange_contacts(case: Case) -> tuple[str, ...]:
    """Addresses of a sentence that are not written so in what it cites."""
    there = f"{case.cited.text}\n{' '.join(item.url or '' for item in case.items)}".casefold()
    found = [one[0].rstrip(".,;)") for one in _CONTACT.finditer(case.said.text)]
    return tuple(one for one in found if one.casefold() not in there)


def misnamed_entries(case: Case) -> tuple[str, ...]:
    """Names of other entries of a cited list that a sentence speaks of, while it cites the words of none of them."""
    failing: list[str] = []
    said = case.said.content - case.told.content
    for item in case.items:
        entries = attribute_lines(item)
        # A bare value, as in a cell of a table, names no entry.
        cited = [
            name
            for name, value, *at in entries
            if any(map(span(item, *at).overlaps, case.sentence.spans)) and not case.said.content <= read(value).content
        ]
        if not cited or len(cited) < sum(where.evidence_id == item.evidence_id for where in case.sentence.spans):
            continue  # prose may speak of anything
        names = [name for name, *_ in entries]
        failing += _taken_for(cited, names, case)
        failing += [name for name in names if name not in cited and terms(name) and said.issuperset(terms(name))]
    return tuple(dict.fromkeys(failing))


def _taken_for(cited: Sequence[str], names: Sequence[str], case: Case) -> Iterator[str]:
    """Names of entries that are taken for what another states: a maximum load weight for what a thing weighs."""
    said = case.said.content
    for name in cited:
        family = family_of(name)
        if family is None or is_wholly_named(name, family) or own_words(name, family) & said:
            continue
        yield from (other for other in names if family_of(other) is family and is_wholly_named(other, family))


def _compact(text: str) -> str:
    """A text without case, spaces and hyphens: `OEKO-TEX`, `Oeko Tex`."""
    return "".join(fold(text).replace("-", " ").split())


CHECKS = (
    Check(Verdict.NAMES, unknown_names),
    Check(Verdict.NAMES, unknown_marks),
    Check(Verdict.NAMES, misnamed_entries),
    Check(Verdict.NAMES, strange_contacts, paraphrases=True),
)
