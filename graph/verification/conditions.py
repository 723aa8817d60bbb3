"""Conditions: a rule is told with what it depends on, what customers say as theirs, and neither for more than it is."""

import re
from collections.abc import Iterator

from graph.language.locale import phrases, word_class
from graph.parts import Verdict
from graph.verification.claim import Case, Check, Claim, Name, read
from ingestion.source_types import PRIMARY_SOURCES

_RULES = PRIMARY_SOURCES - {"spec", "datasheet", "variant", "size_chart"}
"""Source types that say what holds for whom, and when."""
_CLAUSES = re.compile(r"(?<=[^\d]),? (?:and|but|while) (?=[a-z]+ \w+ )|; |\n|[.!?] ")
_GENERAL = word_class("general")
_ALIKE = 0.25
"""Share of a rule's own words from which on a sentence tells it."""


def dropped_conditions(case: Case) -> tuple[str, ...]:
    """The conditions of the cited rules that a sentence tells them without."""
    failing: list[str] = []
    for rule in _rules(case):
        conditions = [read(one) for one in (*rule.conditions, *_places(rule, case))]
        own = rule.content.difference(*(condition.content for condition in conditions))
        if not own & case.said.content or len(own & case.said.content) < _ALIKE * len(own):
            continue
        failing += [one.text for one in conditions if not _is_told(one, case.said)]
    return tuple(dict.fromkeys(failing))


def widened(case: Case) -> tuple[str, ...]:
    """Words such as `products` by which a sentence tells a rule for more than it is made for."""
    there = case.told.vocabulary
    return tuple(
        dict.fromkeys(word for word in case.said.words if word in _GENERAL and word not in there and _rules(case))
    )


def displaced(case: Case) -> tuple[str, ...]:
    """Names beside which a rule says something else: sold out in York, where the sentence says in stock."""
    said, ours = case.said.content, read("\n".join(case.names)).content
    failing: list[str] = []
    for rule in _rules(case):
        pieces = [read(f"- {piece}") for piece in rule.text.split(", ")]
        named = [{token.stem for name in piece.names for token in name} - ours for piece in pieces]
        owns = [piece.content - here - ours for piece, here in zip(pieces, named, strict=True)]
        for own, here in zip(owns, named, strict=True):
            figures = {term for term in own if term[0].isdigit()}
            if len(pieces) > 1 and all(owns) and here & said and not ((figures or own) & said):
                failing += sorted(here & said)
    return tuple(dict.fromkeys(failing))


def _rules(case: Case) -> list[Claim]:
    """The clauses of the rules that are cited, each once."""
    spans = (where for where in case.sentence.spans if case.evidence[where.evidence_id].source_type in _RULES)
    clauses = (clause for where in spans for clause in _CLAUSES.split(case.quote(where)) if clause.strip())
    return [read(clause) for clause in dict.fromkeys(clauses)]


def _places(rule: Claim, case: Case) -> Iterator[str]:
    """Names of places, times and brands for which alone a rule holds, where its sentence tells what is said of them."""
    ours = read("\n".join(case.names)).vocabulary
    ours = ours if ours & case.said.vocabulary else frozenset()
    for name in rule.names:
        text = rule.written(name)
        piece = next((piece for piece in rule.text.split(", ") if text in piece), rule.text)
        told = (read(piece).content - {token.stem for token in name}) & case.said.content
        if told and _stands_alone(rule, name) and not {token.text for token in name} <= ours:
            yield text


def _stands_alone(rule: Claim, name: Name) -> bool:
    """Whether a name stands behind a word such as "in" and not in a list."""
    place = rule.tokens.index(name[0])
    before = next((one for one in reversed(rule.tokens[max(place - 2, 0) : place]) if one.text != "the"), None)
    behind = rule.text[name[-1].end :].lstrip()
    placed = before is not None and before.text in _PLACING and not before.capital
    return placed and not behind.startswith((",", "&", "and ", "or "))


_PLACING = word_class("placing")


def _is_told(condition: Claim, said: Claim) -> bool:
    """Whether a sentence has the figures of a condition, and more than half of its other words."""
    figures = {term for term in condition.content if term[0].isdigit()}
    rest = condition.content - figures
    if condition.run in said.run:
        return True
    told = not rest or 2 * len(rest & said.content) > len(rest)
    return bool(condition.content) and figures <= said.content and told


def falsely_included(case: Case) -> tuple[str, ...]:
    """Words that say something is included which is sold apart."""
    found, apart = phrases("included").search(case.said.text), phrases("apart")
    denied = any(token.negates for token in case.said.tokens)
    sold_apart = apart.search(case.cited.text) and not apart.search(case.said.text)
    return (found[0],) if found and sold_apart and not denied else ()


_OPINIONS = frozenset({"review", "qa"})
_SOME = re.compile(r"(?i)\b(?:one|an?) (?:of (?:the|our|its|several|many) )?(?:\w+ )?$|\b(?:customer|in the|by|from) $")
_SEVERAL = 2


def unattributed_opinions(case: Case) -> tuple[str, ...]:
    """The words of a sentence that tells as a fact what only customers say."""
    resting = (segment.spans for segment in case.sentence.segments if segment.spans)
    opinion = any(all(case.evidence[one.evidence_id].source_type in _OPINIONS for one in spans) for spans in resting)
    if case.derived or not opinion or phrases("voices").search(case.said.text):
        return ()
    return case.said.words


def multiplied_voices(case: Case) -> tuple[str, ...]:
    """The words that make many customers of the one who is cited."""
    voices = [item for item in case.items if item.source_type in _OPINIONS]
    if case.derived or not voices or len(voices) >= _SEVERAL or len(voices) < len(case.items):
        return ()
    said, there = case.said.unquoted.text, case.cited.vocabulary
    return tuple(
        found[0]
        for found in phrases("many").finditer(said)
        if found[0].casefold() not in there and not _SOME.search(said, 0, found.start())
    )


def misquoted(case: Case) -> tuple[str, ...]:
    """What stands in quotation marks without standing so in a cited span."""
    runs = [read(quote).run for quote in case.quotes]
    return tuple(text for text in case.said.quotations if not any(read(text).run in run for run in runs))


CHECKS = (
    Check(Verdict.CONDITION, dropped_conditions, paraphrases=True),
    Check(Verdict.CONDITION, widened, paraphrases=True),
    Check(Verdict.CONDITION, displaced, paraphrases=True),
    Check(Verdict.CONDITION, falsely_included, paraphrases=True),
    Check(Verdict.SPEAKER, unattributed_opinions, paraphrases=True),
    Check(Verdict.SPEAKER, multiplied_voices, paraphrases=True),
    Check(Verdict.SPEAKER, misquoted, paraphrases=True),
)
