"""Paraphrases: what a sentence adds to its source, or leaves out.

A sentence built from its sources keeps their conditions and their words by construction; a fluent one may lose them
while all of its words and figures stand there.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from graph.draft import Sentence
from graph.language.terms import terms, words
from graph.parts import Verdict, Verifier
from graph.verification.case import Case
from graph.verification.conditions import displaced, dropped_conditions, turned_dates, widened
from graph.verification.coverage import FRAME, is_verbatim, uncovered
from graph.verification.figures import exchanged_days, halved_ranges, unlimited_figures
from ingestion.evidence import Evidence, Product, lines
from ingestion.stems import stem

_OPINIONS = frozenset({"review", "qa"})
_VOICE = re.compile(
    r"(?i)\b(customers?|reviews?|reviewers?|buyers?|owners?|users?|shoppers?|q&a|"
    r"people (?:say|find|think|report|write)|"
    r"rat(?:es?|ed)\b.{0,200} by|feedback|opinions?)\b"
)
_MANY = re.compile(
    r"(?i)\b(?:customers|reviewers|buyers|owners|users|shoppers|people (?=say|find|think|report|write)|reviews|"
    r"generally|often|widely)(?!\w)"
)
_SOME = re.compile(r"(?i)\b(?:one|an?) (?:of (?:the|our|its|several|many) )?(?:\w+ )?$|\b(?:customer|in the|by|from) $")
_QUOTED = re.compile(
    r"[“„]([^“”„]+)[”“]|(?<!\S)\"(?=\w)([^\"]+(?:\"\w[^\"]*){0,5})\"(?!\w)|(?<!\S)[‘'](?=\w)([^‘’']+)[’'](?!\w)"
)
_REACH = 80
"""So far before a word of many its article is looked for."""
_SEVERAL = 2


def unattributed_opinions(case: Case) -> tuple[str, ...]:
    """The words of a sentence that tells as a fact what only customers say."""
    if case.derived or not any(_only_opinions(spans) for spans in _sources_of_claims(case)):
        return ()
    return () if _VOICE.search(case.sentence.text) else tuple(words(case.sentence.text))


def multiplied_voices(case: Case) -> tuple[str, ...]:
    """The words that make many customers of the one who is cited."""
    voices = [item for item in case.items if item.source_type in _OPINIONS]
    if case.derived or not voices or len(voices) >= _SEVERAL or len(voices) < len(case.items):
        return ()
    said = _QUOTED.sub(" ", case.sentence.text)
    there = set(words(case.cited))
    return tuple(
        found[0]
        for found in _MANY.finditer(said)
        if found[0].casefold() not in there and not _SOME.search(said[max(found.start() - _REACH, 0) : found.start()])
    )


def misquoted(case: Case) -> tuple[str, ...]:
    """What stands in quotation marks without standing so in a cited span."""
    quotes = [f" {' '.join(words(quote))} " for quote in case.quotes]
    inside = ["".join(filter(None, found.groups())) for found in _QUOTED.finditer(case.sentence.text)]
    runs = [(text, f" {' '.join(words(text))} ") for text in inside]
    return tuple(text for text, run in runs if not any(run in quote for quote in quotes))


def _sources_of_claims(case: Case) -> list[list[Evidence]]:
    return [[case.evidence[span.evidence_id] for span in claim.spans] for claim in case.sentence.claims if claim.spans]


def _only_opinions(items: list[Evidence]) -> bool:
    return all(item.source_type in _OPINIONS for item in items)


_CONTACT = re.compile(
    r"(?i)https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+|\b[\w-]{1,63}\.(?:com|net|org|shop|de|co\.uk)\b"
)
_SPEAKER = re.compile(r"\bI\b|(?i:\b(?:guarantee\w*|promis\w+|assured?|assures|rest assured)\b)")
_RANKS = re.compile(
    r"(?i)\b(?:best|worst|better|worse|more|most|fewer|fewest|least|(?!(?:rest|test|guest|west|east|request|forest|interest|"
    r"honest|suggest|chest|nest|harvest|invest|contest|latest|digest|quest|vest|manifest|protest|arrest|ingest)\b)"
    r"[a-z]{3,}est)\b|\b[a-z]+er than\b"
)
_BESIDE_FIGURE = re.compile(r"(?i)(?:more|less|fewer|most|least)(?: than)? \W?\d|\b(?:at (?:most|least)|once more)\b")
_INCLUDES = re.compile(r"(?i)\b(?:includ\w+|comes? with|supplied with|in the box)\b")
_APART = re.compile(r"(?i)\b(?:separately|optional(?:ly)?|extra|not included|excluded)\b")
_CLAUSES = re.compile(r"[,;] | (?:and|but|while|with|plus) ")
_PLAIN = frozenset(
    map(
        stem,
        """allow also offer provide include possible available need require must use used using receive take accept
        apply valid hold item contact reach within period please note feature equip measure total buy purchase
        member customer shop store team month day year one two three first second find found note think thought feel
        felt call write wrote describe state mention person according buyer owner user""".split(),
    )
)
"""Stems with which a rule is told in other words; they add nothing to it."""


def strange_contacts(case: Case) -> tuple[str, ...]:
    """Addresses of a sentence that are not written so in what it cites."""
    there = f"{case.cited}\n{' '.join(item.url or '' for item in case.items)}".casefold()
    found = [one[0].rstrip(".,;)") for one in _CONTACT.finditer(case.sentence.text)]
    return tuple(one for one in found if one.casefold() not in there)


def promises(case: Case) -> tuple[str, ...]:
    """Words by which a writer vouches for something, or speaks of itself, where its source does not."""
    there = set(words(case.cited))
    return tuple(
        found[0] for found in _SPEAKER.finditer(_unquoted(case.sentence.text)) if found[0].casefold() not in there
    )


def unfound_ranks(case: Case) -> tuple[str, ...]:
    """Comparisons and superlatives that stand in nothing that is cited."""
    if case.derived:
        return ()
    there = set(words(f"{case.cited}\n{case.named}"))
    said = _BESIDE_FIGURE.sub(" ", case.sentence.text)
    return tuple(found[0] for found in _RANKS.finditer(said) if words(found[0])[0] not in there)


def falsely_included(case: Case) -> tuple[str, ...]:
    """Words that say something is included which is sold apart."""
    found = _INCLUDES.search(case.sentence.text)
    apart = _APART.search(case.cited) and not _APART.search(case.sentence.text)
    denied = re.search(r"(?i)\bnot\b|n['’]t\b", case.sentence.text)
    return (found[0],) if found and apart and not denied else ()


def added_words(case: Case) -> tuple[str, ...]:
    """Content words of a sentence that nothing it cites says; they stand beside right ones and add to them."""
    if case.derived or is_verbatim(case):
        return ()
    near = set(terms(f"{case.cited}\n{case.named}"))
    return tuple(one for one in uncovered(case)[0] if one not in _PLAIN and not _form_of_one(one, near))


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
        quotes = [case.evidence[where.evidence_id].text[where.start : where.end] for where in claim.spans]
        whole = [" ".join(q for w, q in zip(claim.spans, quotes, strict=True) if w.evidence_id == key) for key in items]
        told = [set(terms(text)) for text in (quotes if manual else whole)]
        if len(told) >= _SEVERAL:
            failing += [clause for clause in _CLAUSES.split(claim.text) if _borrows(set(terms(clause)) - ours, told)]
    return tuple(failing)


def siblings_taken(case: Case) -> tuple[str, ...]:
    """Words of one entry's name beside the value of another that is called nearly the same."""
    said = set(terms(case.sentence.text))
    failing: list[str] = []
    for item in case.items:
        entries = list(dict.fromkeys((frozenset(terms(name)), value.strip()) for name, value in _entries(item)))
        for own, value in entries:
            if not (set(terms(value)) and set(terms(value)) <= said and any(char.isdigit() for char in value)):
                continue
            for other, another in entries:
                only, mine = other - own, own - other
                if other & own and another != value and mine and only and only <= said and not mine & said:
                    failing += sorted(only)
    return tuple(dict.fromkeys(failing))


def _entries(item: Evidence) -> list[tuple[str, str]]:
    pairs = [item.text[start:end].partition(": ") for start, end in lines(item.text)]
    return [(name, value) for name, colon, value in pairs if colon]


def _borrows(said: set[str], told: list[set[str]]) -> bool:
    """Whether no source has all the words of a clause that the sources together have."""
    known = said & set[str]().union(*told)
    return not any(known <= one for one in told)


def _form_of_one(said: str, near: set[str]) -> bool:
    """Whether a stem and another are forms of one word: `receipt` and `receive` begin alike."""
    return any(said[:5] == other[:5] for other in near if len(said) >= 5 and len(other) >= 5)  # noqa: PLR2004


def _unquoted(text: str) -> str:
    return re.sub(r"“[^“”\n]*”|\"[^\"\n]*\"", " ", text)


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
