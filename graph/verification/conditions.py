"""Conditions: a rule is told with what it depends on, and for no more than it is made for."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from graph.language.locale import phrases, word_class
from graph.language.quantities import Bound, bounds_in
from graph.language.terms import terms, words
from graph.language.wording import Token, Wording, read
from graph.parts import Verdict
from graph.verification.case import Case, Check
from ingestion.source_types import PRIMARY_SOURCES

_RULES = PRIMARY_SOURCES - {"spec", "datasheet", "variant", "size_chart"}
"""Source types that say what holds for whom, and when."""
_CLAUSES = re.compile(r"(?<=[^\d]),? (?:and|but|while) (?=[a-z]+ \w+ )|; |\n|[.!?] ")
_WIDE = word_class("wide")
_GENERAL = word_class("general")
_ALIKE = 0.25
"""Share of a rule's own words from which on a sentence tells it."""
_ENOUGH = 0.5
"""More than this share of a condition's words tells it."""


def dropped_conditions(case: Case) -> tuple[str, ...]:
    """The conditions of the cited rules that a sentence tells them without."""
    said, told = set(terms(case.sentence.text)), f" {' '.join(words(case.sentence.text))} "
    failing: list[str] = []
    for rule in _rules(case):
        conditions = list(_conditions(rule)) + [name for name in _names(rule, case) if _of_matter(name, rule, said)]
        own = set(terms(rule)) - {term for condition in conditions for term in terms(condition)}
        if not own & said or len(own & said) < _ALIKE * len(own):
            continue
        failing += [one for one in conditions if not _is_told(one, said, told)]
    return tuple(dict.fromkeys(failing))


def widened(case: Case) -> tuple[str, ...]:
    """Words such as `all`, `always` and `products` by which a sentence goes further than what it cites."""
    there = set(words(f"{case.cited}\n{case.named}"))
    said = words(case.sentence.text)
    wide = [word for word in said if word in _WIDE and word not in there and not (_WIDE & there and word in _CLOSED)]
    general = [word for word in said if word in _GENERAL and word not in there] if list(_rules(case)) else []
    return tuple(dict.fromkeys([*wide, *general]))


_CLOSED = frozenset({"all", "every", "any"})
"""Words that say the same of each."""


def displaced(case: Case) -> tuple[str, ...]:
    """Names beside which a rule says something else: sold out in York, where the sentence says in stock."""
    said = set(terms(case.sentence.text))
    names = set(terms(case.names))
    failing: list[str] = []
    for rule in _rules(case):
        pieces = rule.split(", ")
        named = [{token.stem for run in read(f"- {piece}").names for token in run} - names for piece in pieces]
        owns = all(set(terms(piece)) - here - names for piece, here in zip(pieces, named, strict=True))
        for piece, here in zip(pieces, named, strict=True):
            own = set(terms(piece)) - here - names
            figures = {term for term in own if term[0].isdigit()}
            if len(pieces) > 1 and owns and here & said and not ((figures or own) & said):
                failing += sorted(here & said)
    return tuple(dict.fromkeys(failing))


def _rules(case: Case) -> Iterable[str]:
    """The clauses of the rules that are cited, each once."""
    spans = (where for where in case.sentence.spans if case.evidence[where.evidence_id].source_type in _RULES)
    return dict.fromkeys(clause for text in map(case.quote, spans) for clause in _CLAUSES.split(text) if clause.strip())


def _conditions(rule: str) -> Iterator[str]:
    """The phrases of a rule that say under what condition it holds, each up to the next."""
    under = phrases("conditions")
    yield from (told for bound, told in bounds_in(rule) if bound is not Bound.FROM and not under.match(told))
    yield from _states(read(rule))
    starts = [found.start() for found in under.finditer(rule)]
    for start, end in pairwise([*starts, len(rule)]):
        yield re.split(r"[,;()]", rule[start:end])[0].strip(" .")


def _states(rule: Wording) -> Iterator[str]:
    """The participle that a rule opens with: only what is `unused` can be returned."""
    first = 1 if rule.bare[:1] and rule.bare[0] in _QUANTIFIERS else 0
    state, thing = rule.bare[first : first + 1], rule.bare[first + 1 : first + 2]
    if state and thing and thing[0].isalpha() and len(state[0]) >= _LEAST and state[0].endswith(("ed", "en")):
        yield rule.word_at(first)


_QUANTIFIERS = frozenset("only all any the".split())
_LEAST = 5
"""Letters of a participle."""


def _names(rule: str, case: Case) -> Iterator[str]:
    """Names of places, times and brands for which alone a rule holds; those of a list are not of this kind."""
    product_named = case.product is not None and bool(set(words(case.product.name)) & set(words(case.sentence.text)))
    known = set(words(case.names)) if product_named else set()
    wording = read(rule)
    for run in wording.names:
        text = rule[run[0].start : run[-1].end]
        if _stands_alone(wording, run) and not set(words(text)) <= known:
            yield text


def _stands_alone(rule: Wording, run: Sequence[Token]) -> bool:
    """Whether a name stands behind a word such as "in" and not in a list."""
    place = rule.tokens.index(run[0])
    before = next((one for one in reversed(rule.tokens[max(place - 2, 0) : place]) if one.text != "the"), None)
    behind = rule.text[run[-1].end :].lstrip()
    placed = before is not None and before.text in _PLACING and not before.capital
    return placed and not behind.startswith((",", "&", "and ", "or "))


_PLACING = word_class("placing")


def _of_matter(name: str, rule: str, said: set[str]) -> bool:
    """Whether a sentence tells the part of a rule in which a name stands."""
    piece = next((piece for piece in rule.split(", ") if name in piece), rule)
    return bool((set(terms(piece)) - set(terms(name))) & said)


def _is_told(condition: str, said: set[str], told: str) -> bool:
    """Whether a sentence has the figures of a condition, and one of its other words."""
    needed = set(terms(condition))
    figures = {term for term in needed if term[0].isdigit()}
    rest = needed - figures
    if f" {' '.join(words(condition))} " in told:
        return True
    return bool(needed) and figures <= said and len(rest & said) > _ENOUGH * len(rest) - (not rest)


def falsely_included(case: Case) -> tuple[str, ...]:
    """Words that say something is included which is sold apart."""
    found, apart = phrases("included").search(case.said.text), phrases("apart")
    denied = any(token.text == "not" or token.text.endswith(("n't", "n’t")) for token in case.said.tokens)
    sold_apart = apart.search(case.cited) and not apart.search(case.said.text)
    return (found[0],) if found and sold_apart and not denied else ()


CHECKS = (
    Check(Verdict.CONDITION, dropped_conditions, paraphrases=True),
    Check(Verdict.CONDITION, widened, paraphrases=True),
    Check(Verdict.CONDITION, displaced, paraphrases=True),
    Check(Verdict.CONDITION, falsely_included, paraphrases=True),
)
