"""Claims: sensitive statements in a question or an answer, and the tokens by which they are compared."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter
from string import ascii_letters

from graph.answering.matching import attribute_lines
from graph.language.injection import without_instructions
from graph.language.negation import denies, is_negation
from graph.language.sentences import NO, opening_of
from graph.language.terms import STOPWORDS, fold, name_pattern, words, words_of
from graph.options import SEVERITIES, Place, SensitiveClass, places, raw_table
from graph.parts import KnowledgeBase, Question
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans
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
        denied=denies(_clause_around(text, place)),
    )


def _clause_around(text: str, place: Place) -> str:
    ends = _clause_ends(text)
    before = bisect_right(ends, place[0], key=itemgetter(1))
    behind = bisect_left(ends, place[1], key=itemgetter(0))
    return text[ends[before - 1][1] if before else 0 : ends[behind][0] if behind < len(ends) else len(text)]


@lru_cache(maxsize=64)
def _clause_ends(text: str) -> tuple[Place, ...]:
    return tuple(found.span() for found in CLAUSE_END.finditer(text))


OWN_KINDS = frozenset({"spec", "datasheet", "manual"})
"""Kinds that hold for every user and at any time."""


def at_hand(question: Question) -> Product | None:
    """The one product a question is about; None where it is about several, or none."""
    products = question.products or question.context
    return products[0] if len(products) == 1 else None


def with_own_sources(question: Question, knowledge: KnowledgeBase) -> Question:
    """A question with all that the makers say of its products: a claim is looked up there, too."""
    known = {item.evidence_id for item, _ in question.evidence}
    own = [
        item
        for product in (question.products or question.context)
        for item in knowledge.product_evidence(product.id, OWN_KINDS)
        if item.evidence_id not in known
    ]
    return replace(question, evidence=(*question.evidence, *((item, 0.0) for item in without_instructions(own))))


ITEM = re.compile(r"[,;]\s|\s(?:and|&|but)\s")
REFUSING = frozenset({"not", "never", "don't", "cannot"})
STRUCTURED = frozenset({"spec", "datasheet", "variant"})
"""Kinds in which a line `Name: value` is an attribute, and nothing else."""
SLACK = 4
"""Words that may stand between those of a claim."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of a primary source: an item of an attribute's value, or a clause.

    Attributes:
        named: Tokens of the attribute's name; none for a clause.
        said: Tokens of the item or clause.
        denied: Whether the item or clause says no.
        refused: Whether the value says no to what its name says ("BPA-free: No").
    """

    named: tuple[str, ...]
    said: tuple[str, ...]
    denied: bool
    refused: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """All its tokens, in order."""
        return (*self.named, *self.said)

    def denies(self, claim: SensitiveClaim) -> bool:
        """Whether it says no to a claim; a value says no to its name by its first word only."""
        return self.refused if set(claim.tokens) <= set(self.named) else self.denied


def primary(evidence: Iterable[Evidence], product_id: str | None) -> list[Evidence]:
    """The primary sources that hold for a product: its own, and those about none."""
    return [item for item in evidence if item.primary and item.product_id in (product_id, None)]


def stated(claim: SensitiveClaim, evidence: Iterable[Evidence], *, denied: bool | None = None) -> bool:
    """Whether a primary source makes a claim in the same words, and says yes or no to it as the claim does.

    Args:
        claim: The claim.
        evidence: Primary sources.
        denied: What the source must say of it; as the claim does when None.
    """
    wanted = claim.denied if denied is None else denied
    return any(
        _holds(statement, claim) and statement.denies(claim) == wanted
        for item in evidence
        for statement in statements(item.text, item.source_type)
    )


@lru_cache(maxsize=2048)
def statements(text: str, source_type: str) -> tuple[Statement, ...]:
    """All statements of a source."""
    item = Evidence(evidence_id="", source_type=source_type, text=text, title="", row_id="")
    rows = attribute_lines(item)
    lines = {row[2:] for row in rows} if source_type in STRUCTURED else set()
    clauses = (text[slice(*at)] for at in sentence_spans(text) if at not in lines)
    prose = [
        Statement((), said, denies(clause))
        for sentence in clauses
        for clause in CLAUSE_END.split(f"{sentence} ")
        if (said := tokens(clause))
    ]
    return (*(one for name, value, *_ in rows for one in _of_attribute(name, value)), *prose)


def _of_attribute(name: str, value: str) -> Iterator[Statement]:
    named = tokens(name)
    opening = [word.text for word in words_of(value)[:2]]
    refused = opening_of(value) in NO or not REFUSING.isdisjoint(opening[:1]) or opening == ["do", "not"]
    for place, item in enumerate(ITEM.split(value)):
        own, colon, rest = item.rpartition(":")
        denied = denies(item) or denies(name) or (refused and place == 0)
        yield Statement(tokens(own) if colon else named, tokens(rest), denied, refused != denies(name))


def _holds(statement: Statement, claim: SensitiveClaim) -> bool:
    said, status = statement.tokens, listed("status")
    if claim.designation:
        width = len(claim.tokens)
        return any(said[at : at + width] == claim.tokens for at in range(len(said) - width + 1))
    earned, own = status.intersection(claim.tokens), status.intersection(statement.said)
    if earned and own and not earned <= own:
        return False
    figures = [token for token in claim.tokens if token[0].isdigit()]
    if claim.rules.figures and figures:
        return _all_in(figures, said) and _same_limit(claim, frozenset(said))
    return _together(claim.tokens, statement)


def _together(wanted: tuple[str, ...], statement: Statement) -> bool:
    """Whether all words stand close to each other; an attribute's name belongs to each of its items."""
    rest = tuple(token for token in wanted if token not in statement.named)
    said = statement.said
    width = len(rest) + SLACK
    return not rest or any(_all_in(rest, said[at : at + width]) for at in range(max(1, len(said) - width + 1)))


def _all_in(wanted: Iterable[str], said: tuple[str, ...]) -> bool:
    """Whether all tokens stand in a statement; a bare figure is met by the same figure with its unit."""
    bare = {token.rstrip(ascii_letters) for token in said if token[0].isdigit()}
    return all(token in said or token in bare for token in wanted)


def _same_limit(claim: SensitiveClaim, said: frozenset[str]) -> bool:
    """Whether a limit goes the same way and limits the same thing; a mere measure is no limit."""
    claimed = frozenset(token for token in claim.tokens if not token[0].isdigit())
    upper, lower = listed("upper"), listed("lower")
    ways = [bool(claimed & upper), bool(claimed & lower)]
    other = [bool(said & upper), bool(said & lower)]
    if (ways[0] and other[1] and not other[0]) or (ways[1] and other[0] and not other[1]):
        return False
    if not claim.held_by(said):
        return False
    things = claimed - upper - lower - listed("generic")
    return bool(things & said) or ways == other != [False, False]
