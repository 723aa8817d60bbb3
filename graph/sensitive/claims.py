"""Claims: sensitive statements in a question or an answer, and the tokens by which they are compared."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter

from graph.language.negation import is_negation
from graph.language.terms import STOPWORDS, fold, name_pattern, words
from graph.options import SEVERITIES, Place, SensitiveClass, places, raw_table
from graph.parts import Question
from ingestion.stems import stem

PREFIXES = frozenset({"non", "hypo", "anti"})
LIMITING = frozenset({"up", "from", "above", "over", "under", "below", "most", "least"})
"""Words that tell which way a limit goes, though they are stop words elsewhere."""


@cache
def listed(name: str) -> frozenset[str]:
    """A class of words of the table, such as `units` or `generic`, by the stems that stand for them."""
    return frozenset(map(_canonical, raw_table()["words"][name]))


@cache
def _topics() -> tuple[frozenset[str], ...]:
    """Groups of stems that belong together."""
    return tuple(frozenset(map(_canonical, group)) for group in raw_table()["words"]["topics"])


@cache
def _standing_for() -> dict[str, str]:
    """Stem to the stem that stands for it."""
    return {_plain(word): _plain(group[0]) for group in raw_table()["words"]["same"] for word in group}


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Canonical stems of a text in order, a figure and its unit as one; function words and negations are left out."""
    found: list[str] = []
    joined = ""
    for word in words(text):
        figure = bool(found) and found[-1][0].isdigit() and not found[-1][-1].isalpha()
        if word[0].isdigit():
            found.append(word)
        elif word in PREFIXES:
            joined = word
            continue
        elif figure and (unit := _canonical(word)) in listed("units"):
            found[-1] += unit
        elif len(word) == 1 or (word in STOPWORDS and word not in LIMITING) or is_negation(word):
            found += [word] if len(word) == 1 and figure and word not in STOPWORDS else []
        else:
            found.append(_canonical(joined + word))
        joined = ""
    return tuple(found)


@lru_cache(maxsize=4096)
def negated(text: str) -> bool:
    """Whether a clause denies what it is about."""
    return any(map(is_negation, words(text)))


def about(found: tuple[str, ...]) -> frozenset[str]:
    """The tokens that say what a claim is about; where none is specific, those that tell its topic."""
    plain = frozenset(token.removeprefix("non") or token for token in found)
    return plain - listed("generic") or plain - listed("empty") or plain


def related(specific: frozenset[str], said: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a claim is about, with the topics that it or anything said beside it belongs to."""
    return specific.union(*(group for group in _topics() if group & (specific | said)))


def _canonical(word: str) -> str:
    stemmed = _plain(word)
    return _standing_for().get(stemmed, stemmed)


def _plain(word: str) -> str:
    return stem(fold(word).replace("°", "").strip())


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
        return not self.specific <= listed("generic")

    def is_about(self, said: AbstractSet[str]) -> bool:
        """Whether a statement of these tokens is about it."""
        plain = {token.removeprefix("non") for token in said}
        return bool(self.topic & plain) and any(claim.held_by(plain) for claim in self.claims)


def claims_in(text: str, classes: Mapping[str, SensitiveClass]) -> list[SensitiveClaim]:
    """The sensitive claims of a sentence, each once."""
    found = (claim for kind, rules in classes.items() for claim in _made(text, kind, rules))
    return list({(claim.kind, claim.text, claim.designation, claim.denied): claim for claim in found}.values())


def asked_in(clause: str, classes: Mapping[str, SensitiveClass]) -> AskedClaim | None:
    """What a clause of a question asks that is sensitive; None when nothing is."""
    found: list[SensitiveClaim] = []
    for kind, rules in classes.items():
        made = list(_made(clause, kind, rules))
        found += made or [_claim(clause, place, kind, rules) for place in _matches(rules.questions, clause)]
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
    for name in sorted(names, key=len, reverse=True):
        text = name_pattern(name, r"(?:\bthe\s{1,3})?(?<!\w)").sub("it", text)
    return text


def _made(text: str, kind: str, rules: SensitiveClass) -> Iterator[SensitiveClaim]:
    for pattern_list, designation in ((rules.designations, True), (rules.claims, False)):
        for place in _matches(pattern_list, text):
            yield _claim(text, place, kind, rules, designation=designation)


def _matches(patterns: Sequence[str], text: str) -> Iterator[Place]:
    """Where patterns match with words that say something."""
    found = (place for pattern in patterns for place in places(pattern, text))
    return (place for place in found if tokens(text[slice(*place)]))


def _claim(text: str, place: Place, kind: str, rules: SensitiveClass, *, designation: bool = False) -> SensitiveClaim:
    words = text[slice(*place)]
    return SensitiveClaim(
        kind=kind,
        rules=rules,
        text=" ".join(words.split()),
        tokens=tokens(words),
        designation=designation,
        denied=negated(_clause_around(text, place)),
    )


def _clause_around(text: str, place: Place) -> str:
    ends = _clause_ends(text)
    before = bisect_right(ends, place[0], key=itemgetter(1))
    behind = bisect_left(ends, place[1], key=itemgetter(0))
    return text[ends[before - 1][1] if before else 0 : ends[behind][0] if behind < len(ends) else len(text)]


@lru_cache(maxsize=64)
def _clause_ends(text: str) -> tuple[Place, ...]:
    return tuple(found.span() for found in CLAUSE_END.finditer(text))
