"""Matching: which pieces of evidence a clause is about, by the words they share and by what they mean."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graph.answering.asked import Asked
from graph.answering.kinds import POLICIES
from graph.language.families import covered_terms, family_of
from graph.language.measures import agreement
from graph.language.notation import measured_parts, plain_name, plain_value
from graph.language.sources import source_kinds
from graph.language.terms import terms
from graph.parts import Encoder
from ingestion.evidence import Evidence, lines
from ingestion.spans import sentence_spans

MEMBERS_FIRST, NARROW_FIRST = 0.25, 0.2
WHOLLY_ABOUT = 0.9
"""Least coverage of an attribute that is about all that was asked, however the question is framed."""
ANSWERS_FIRST = 0.1
SOLVING = re.compile(r"(?i)\b(answer|resolution|resolving|solution|workaround|fix|remedy|what to do|steps)\b")
ASKING = re.compile(r"(?i)\b(problem|symptom|question|abstract|error description|environment)\b")
LONGEST_NAME = 60
"""Characters of an attribute's name; before a later colon stands a sentence."""
STEP = re.compile(r"\d{1,6}[.)]\s")
"""A step answers as part of its procedure, not by itself."""
ENCODED_SENTENCES = 10
LEAST_EACH = 3
"""Sentences compared by meaning in one clause: the best by words, and of each kind of evidence at least a few."""


_Row = tuple[float, float, Evidence, int, int]
"""Lexical fit, relevance of the evidence, the evidence, start and end of a sentence."""


@dataclass(frozen=True, slots=True)
class AttributeMatch:
    """A line `Name: value` of a specification and how well it fits a clause (0 to 1).

    `agreement` tells whether its value is of the kind of measure that is asked for, -1 to 1.
    """

    evidence: Evidence
    name: str
    value: str
    start: int
    end: int
    coverage: float
    score: float
    agreement: float


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence of an evidence and how well it fits a clause (0 to 1)."""

    evidence: Evidence
    start: int
    end: int
    coverage: float
    score: float

    @property
    def text(self) -> str:
        """The sentence, character for character."""
        return self.evidence.text[self.start : self.end]


def attribute_lines(evidence: Evidence) -> list[tuple[str, str, int, int]]:
    """The attributes a specification states, in words: `(name, value, start, end)` of each line."""
    found = []
    for start, end in lines(evidence.text):
        row = evidence.text[start:end]
        tabular = row.count(" | ") == 1 and ":" not in row.partition(" | ")[0]
        name, colon, value = row.partition(" | ") if tabular else row.partition(":")
        if colon and value.strip() and len(name) <= LONGEST_NAME:
            parts = measured_parts(value.strip()) or ((plain_name(name.strip()), plain_value(value.strip())),)
            found += [(*part, start, end) for part in parts]
    return found


def statements(evidence: Evidence) -> list[tuple[int, int]]:
    """The sentences of an evidence, without the lines of attributes that stand below a fact."""
    stated = {at[2:] for at in attribute_lines(evidence) if at[2]}
    return [at for at in sentence_spans(evidence.text) if at not in stated]


def match_attributes(asked: Asked, evidence: Sequence[Evidence], encoder: Encoder) -> list[AttributeMatch]:
    """Attributes of specifications, best fit first."""
    rows = [(item, *line) for item in evidence for line in attribute_lines(item)]
    if not rows or not asked.terms:
        return []
    vectors = encoder.encode([asked.text, *(name for _, name, *_ in rows)])
    meaning = vectors[1:] @ vectors[0]
    matches = []
    for (item, name, value, start, end), cosine in zip(rows, meaning, strict=True):
        covered = covered_terms(name, value)
        share = asked.coverage(covered)
        if asked.specific and asked.specific <= covered:
            share = max(share, WHOLLY_ABOUT)
        own = len(asked.terms.intersection(terms(name))) / (len(set(terms(name))) or 1)
        score = 0.65 * share + 0.2 * max(0.0, float(cosine)) + 0.15 * own
        agrees = agreement(asked.sought, name, value)
        matches.append(AttributeMatch(item, name, value, start, end, share, score, agrees))
    return sorted(matches, key=lambda match: -match.score)


def _once(rows: Sequence[_Row]) -> list[_Row]:
    """Each sentence that neighbouring chunks of a section share, once: where what follows it stands as well."""
    found: dict[tuple[str, str, str | None, str], _Row] = {}
    for row in rows:
        _, _, item, start, end = row
        key = (item.source_type, item.row_id, item.section, item.text[start:end])
        other = found.get(key)
        if other is None or len(item.text) - end > len(other[2].text) - other[4]:
            found[key] = row
    return list(found.values())


def _promising(rows: Sequence[_Row]) -> list[_Row]:
    """The best rows, and the best few of every kind of source and of those it holds for.

    A short rule must not be crowded out by long articles, nor the rule for these products by those for all.
    """
    counts: Counter[tuple[str | None, ...]] = Counter()
    kept = []
    for place, row in enumerate(rows):
        item = row[2]
        kind = (item.source_type, item.product_id, item.category, item.brand, item.region, item.membership)
        if place < ENCODED_SENTENCES or counts[kind] < LEAST_EACH:
            kept.append(row)
            counts[kind] += 1
    return kept


def states_problem(item: Evidence) -> bool:
    """Whether a chunk stands under a heading such as `Problem` or `Question`."""
    return bool(ASKING.search((item.section or "").rsplit(" > ", 1)[-1]))


def _precedence(item: Evidence, *, narrow: bool) -> float:
    """What is said for this member, or for the product at hand and its group, comes before what is said for all."""
    if item.source_type not in POLICIES:
        section = (item.section or "").rsplit(" > ", 1)[-1]
        return ANSWERS_FIRST if SOLVING.search(section) else -ANSWERS_FIRST if ASKING.search(section) else 0.0
    grouped = bool(item.product_id or item.category or item.brand)
    own = NARROW_FIRST if grouped and narrow else 0.0 if narrow or not grouped else -NARROW_FIRST
    return own + (MEMBERS_FIRST if item.membership else 0.0)


def context_terms(item: Evidence) -> frozenset[str]:
    """What all sentences of an evidence are about: its names, and how its kind and its section are asked for."""
    family = family_of((item.section or "").rsplit(" > ", 1)[-1])
    named = frozenset(terms(" ".join([item.title, item.section or "", *item.keywords])))
    if item.source_type in ("help_article", "manual"):
        headed = frozenset(terms(f"{item.title} {item.section or ''}"))
        named |= {cue for kind in POLICIES if source_kinds()[kind].core & headed for cue in source_kinds()[kind].cues}
    if item.source_type in POLICIES and item.product_id and ": " in item.text:
        named -= frozenset(terms(item.text.partition(": ")[0]))
    return named | source_kinds()[item.source_type].cues | (family.cues if family else frozenset())


def for_all_places(asked: Asked, matches: list[SentenceMatch]) -> list[SentenceMatch]:
    """The general rules first and alone, where a policy is asked for as such and has other rules for several places."""
    kind = source_kinds()[matches[0].evidence.source_type]
    places = {match.evidence.region for match in matches} - {None}
    general = [match for match in matches if match.evidence.region is None]
    as_such = asked.specific <= kind.core | kind.cues and not (asked.yes_no or asked.quantity or asked.money)
    if len(places) < 2 or not general or not as_such:  # noqa: PLR2004 - one place alone is the customer's
        return matches
    return general


def spoken_of_product(item: Evidence, sentence: str) -> str:
    """What a rule says of a product, without the product's name before it: its words are no matter of the rule."""
    named = item.source_type in POLICIES and item.product_id is not None
    return sentence.partition(": ")[2] or sentence if named else sentence


def match_sentences(
    asked: Asked,
    evidence: Sequence[tuple[Evidence, float]],
    encoder: Encoder,
    *,
    narrow: bool,
    useful: Callable[[SentenceMatch], bool] = lambda _: True,
) -> list[SentenceMatch]:
    """Sentences of prose, best fit first; what a source is called counts as its context.

    Args:
        asked: The clause.
        evidence: Where sentences are looked for, with the relevance of each.
        encoder: Compares meanings.
        narrow: Whether a product is at hand, so that a rule for it comes before a general one.
        useful: Whether a sentence can be of use if it means just what is asked; the meaning of others is not compared.
    """
    rows: list[_Row] = []
    for item, relevance in evidence:
        context = context_terms(item)
        # A fact's attributes stand in lines of their own below its sentences.
        stated = {at[2:] for at in attribute_lines(item) if at[2]} if item.source_type in POLICIES else set()
        for start, end in sentence_spans(item.text):
            if STEP.match(item.text[start:end]) or (start, end) in stated:
                continue
            said = frozenset(terms(spoken_of_product(item, item.text[start:end])))
            share = asked.coverage(said | context) if said else 0.0
            own = asked.coverage(said)
            rows.append((0.6 * share + 0.4 * own, relevance, item, start, end))
    rows = _once(rows)
    rows.sort(key=lambda row: (-(row[0] + row[1] + _precedence(row[2], narrow=narrow)), row[2].evidence_id, row[3]))
    rows = [row for row in _promising(rows) if useful(_matched(row, 1.0, narrow=narrow))]
    if not rows:
        return []
    vectors = encoder.encode([asked.text, *(item.text[start:end] for _, _, item, start, end in rows)])
    meaning = (vectors[1:] @ vectors[0]).tolist()
    matches = [_matched(row, cosine, narrow=narrow) for row, cosine in zip(rows, meaning, strict=True)]
    return sorted(matches, key=lambda match: -match.score)


def _matched(row: _Row, cosine: float, *, narrow: bool) -> SentenceMatch:
    share, relevance, item, start, end = row
    score = 0.4 * share + 0.4 * max(0.0, cosine) + 0.2 * relevance + _precedence(item, narrow=narrow)
    return SentenceMatch(item, start, end, share, score)
