"""Claims: what in a sentence or a question is sensitive, by the table of classes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from graph.parts import Question
from graph.sensitive.classes import SEVERITIES, SensitiveClass, compiled
from graph.sensitive.wording import about, negated, related, tokens, vocabulary

CLAUSE_END = re.compile(r"[.;:!?]\s|,\s|[“”\"()]|\s[–—-]\s|\bbut\b")


@dataclass(frozen=True, slots=True)
class SensitiveClaim:
    """One sensitive claim.

    Attributes:
        kind: Name of its class.
        rules: Its class.
        text: Its words as they stand.
        tokens: The same, normalised.
        designation: Whether its words keep their order.
        denied: Whether the clause it stands in says no.
    """

    kind: str
    rules: SensitiveClass
    text: str
    tokens: tuple[str, ...]
    designation: bool
    denied: bool

    @property
    def title(self) -> str:
        """Class and severity, as a review tells them: `certification (high)`."""
        return f"{self.kind} ({self.rules.severity})"

    def held_by(self, said: AbstractSet[str]) -> bool:
        """Whether a statement of these tokens has a word that one about such a claim must have."""
        must = [token for word in self.rules.holds for token in tokens(word)]
        return not must or not said.isdisjoint(must)


@dataclass(frozen=True, slots=True)
class AskedClaim:
    """A clause of a question that asks for sensitive claims.

    Attributes:
        text: The clause.
        claims: What in it is sensitive, the most severe first.
        strict: Whether nothing but a primary source can answer it.
        worded: Whether yes and no, too, must be in the source's words.
        specific: The tokens that say what it is about.
        topic: The same with what belongs to them.
    """

    text: str
    claims: tuple[SensitiveClaim, ...]
    strict: bool
    worded: bool
    specific: frozenset[str]
    topic: frozenset[str]

    @property
    def named(self) -> bool:
        """Whether it names what it is about ("safe for toddlers", not "is it safe?")."""
        return not self.specific <= vocabulary().generic

    def is_about(self, said: AbstractSet[str]) -> bool:
        """Whether a statement of these tokens is about it."""
        plain = {token.removeprefix("non") for token in said}
        return bool(self.topic & plain) and any(claim.held_by(plain) for claim in self.claims)


def claims_in(text: str, classes: Mapping[str, SensitiveClass]) -> list[SensitiveClaim]:
    """The sensitive claims of a sentence."""
    return [claim for kind, rules in classes.items() for claim in _made(text, kind, rules)]


def asked_in(clause: str, classes: Mapping[str, SensitiveClass]) -> AskedClaim | None:
    """What a clause of a question asks that is sensitive; None when nothing is."""
    found: list[SensitiveClaim] = []
    for kind, rules in classes.items():
        made = list(_made(clause, kind, rules))
        found += made or [
            _claim(match, kind, rules) for match in _matches(rules.questions, clause) if tokens(match.group())
        ]
    if not found:
        return None
    found.sort(key=lambda claim: -SEVERITIES.index(claim.rules.severity))
    said = tuple(token for claim in found for token in claim.tokens)
    return AskedClaim(
        text=clause,
        claims=tuple(found),
        strict=any(claim.rules.settled != "verbatim" for claim in found),
        worded=any(claim.rules.settled == "primary" for claim in found),
        specific=about(said),
        topic=related(about(said), frozenset(said)),
    )


def without_names(text: str, question: Question) -> str:
    """A text without the names of products, which claim nothing."""
    products = (*question.products, *question.context, *question.related)
    names = frozenset(name for product in products for name in (product.name, *product.aliases) if name)
    return _any_of(names).sub("it", text) if names else text


@lru_cache(maxsize=256)
def _any_of(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?i)(?:\bthe\s+)?(?<!\w)(?:{longest_first})(?!\w)")


def _made(text: str, kind: str, rules: SensitiveClass) -> Iterator[SensitiveClaim]:
    for pattern_list, designation in ((rules.designations, True), (rules.claims, False)):
        for match in _matches(pattern_list, text):
            if tokens(match.group()):
                yield _claim(match, kind, rules, designation=designation)


def _matches(patterns: Sequence[str], text: str) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        yield from compiled(pattern).finditer(text)


def _claim(match: re.Match[str], kind: str, rules: SensitiveClass, *, designation: bool = False) -> SensitiveClaim:
    before = match.string[: match.start()]
    start = max((end.end() for end in CLAUSE_END.finditer(before)), default=0)
    stop = CLAUSE_END.search(match.string, match.end())
    clause = match.string[start : stop.start() if stop else len(match.string)]
    return SensitiveClaim(
        kind=kind,
        rules=rules,
        text=" ".join(match.group().split()),
        tokens=tokens(match.group()),
        designation=designation,
        denied=negated(clause),
    )
