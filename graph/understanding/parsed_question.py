"""The question, read once: its clauses, what each asks for, in which form, and about what."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache

from pydantic.dataclasses import dataclass
from rapidfuzz import fuzz

from graph.draft import YesNo
from graph.language.lexicon import AUXILIARIES, BE, GRADABLE, PREPOSITIONS, positive
from graph.language.limits import Bound, Limit, limits_in
from graph.language.locale import phrases, table, word_class
from graph.language.quantities import Joint, Written, counted, quantities, runs
from graph.language.terms import LONGEST, STOPWORDS, name_pattern, terms, words, words_of
from graph.language.units import CURRENCIES, TIMES, UNITS, without_wanted
from graph.understanding.clauses import Clause, coordinates, split_clauses
from ingestion.stems import stem

_COMPARING = frozenset({Bound.ABOVE, Bound.BELOW, Bound.WITHIN, Bound.BEARS})
_BESIDE = PREPOSITIONS - {"of"} | {"if"}
"""Words behind which a figure is no longer what something is."""


def constraint_in(question: str) -> Limit | None:
    """The only figure that a question compares with; None where it compares with none or several."""
    found = [one for one in limits_in(question) if one.quantity.is_number and _compares(one)]
    figures = quantities(question)
    if figures and not any(one.end >= figures[-1].end for one in found) and _is_said(question, figures[-1]):
        last = figures[-1]
        found.append(Limit(Bound.IS, True, last.quantity, "", last.figure, last.start, last.end))  # noqa: FBT003
    return found[0] if len(found) == 1 else None


def _compares(limit: Limit) -> bool:
    return limit.bound in _COMPARING or (limit.bound is Bound.AFTER and limit.quantity.unit in TIMES)


def _is_said(question: str, written: Written) -> bool:
    """Whether a question asks if something is just a figure: a time or a sum at its end, with nothing between."""
    if written.quantity.unit not in TIMES | CURRENCIES or written.end < len(question.rstrip(" ?.!")):
        return False
    before = [word.base for word in words_of(question[: written.start])]
    return not BE.isdisjoint(before[:1]) and _BESIDE.isdisjoint(before)


def decides(limit: Limit, name: str, value: str) -> bool | None:
    """Whether a stated value bears a limit out; None where its figures cannot be compared with it."""
    stated, bears = _stated(value, limit), limit.bound is Bound.BEARS
    if stated is None or (bears and not phrases("maximum").search(f"{name} {value}")):
        return None
    low, high = stated
    ends = {limit.holds(low), limit.holds(high)}
    return ends.pop() if len(ends) == 1 and not low < limit.quantity.number < high else None


def decided_by_all(limit: Limit, statements: Sequence[str]) -> YesNo | None:
    """Yes or no where each of some statements decides a limit, and all alike."""
    found = {decides(limit, "", text) for text in statements}
    return YesNo.of(found == {True}) if found in ({True}, {False}) else None


def _stated(value: str, limit: Limit) -> tuple[float, float] | None:
    """The one range of a value that is of a limit's kind, in its unit."""
    found = {
        (min(told), max(told))
        for run in runs(value, quantities(value), Joint.RANGE, Joint.CHOICE)
        if (told := _told(value, run, limit))
    }
    return found.pop() if len(found) == 1 else None


def _told(value: str, run: Sequence[Written], limit: Limit) -> list[float]:
    """Figures in the unit of a limit, or of what it counts; nothing where they are of another kind."""
    wanted = limit.quantity
    if limit.counted and stem(limit.counted) != stem(counted(value, run[-1])):
        return []
    told = [one.quantity.measured_in(wanted.unit or one.quantity.unit) for one in run]
    # A conversion is not exact to the last bit.
    near = [wanted.number if math.isclose(one, wanted.number) else one for one in told if one is not None]
    return near if len(near) == len(run) else []


OPENERS = word_class("openers")
"""What may stand before a question."""
MEASURING = frozenset(map(stem, word_class("measuring")))
"""Stems that only measure, frame or compare: their absence from an answer tells nothing."""
SUBORDINATE = re.compile(r"(?i)\b(if|when|once|after|because|since|although|though|while|before|unless)\b(?!\?).*")
IMPLIED = {"money": "price", "mass": "weight"}
"""What a figure of this measure is about where nothing else is said of it."""
LEAST_LETTERS = 4
TYPO_RATIO = 80
ARTICLE = r"(?<!\w)(?:(?:the|this|a|an|my)\s+)?"
"""What stands before a name, as a pattern."""
MOST_BESIDE = 8
"""Names between the first and the last of a row."""
ONE_CHARGE = re.compile(
    r"(?i)(?:(?<!\s)\s+)?\b(?:on|per|with|from|between) (?:(?:a|one|each|every|the)\s+)?"
    r"(?:(?:single|full)\s+)?charges?\b"
)
"""Says that a battery is used up, not that it is charged."""


class Form(StrEnum):
    """A form of asking; `language/en/forms.toml` tells what each is, and by which words it is known."""

    TAG_QUESTION = "tag_question"
    NEGATED = "negated"
    QUANTITY = "quantity"
    PRICE = "price"
    COST = "cost"
    PROCEDURE = "procedure"
    STEPS = "steps"
    EXISTENCE = "existence"
    PERMISSION = "permission"
    JUDGEMENT = "judgement"
    CHOICE = "choice"
    OPINIONS = "opinions"
    OPINIONS_OF = "opinions_of"
    SOLD_IN = "sold_in"
    OFFERED = "offered"
    IN_STOCK = "in_stock"
    ELLIPTIC = "elliptic"


@cache
def _patterns() -> Mapping[Form, re.Pattern[str]]:
    return {Form(name): re.compile(pattern, re.IGNORECASE) for name, pattern in table("forms").items()}


def forms_of(text: str) -> frozenset[Form]:
    """The forms in which a text asks."""
    return frozenset(form for form, pattern in _patterns().items() if pattern.search(text))


@dataclass(frozen=True, slots=True)
class ParsedClause:
    """One clause of a question.

    Attributes:
        text: The clause as it stands.
        question: Its question alone, without what is said beside it.
        forms: The forms in which it asks, what is said beside the question included.
        terms: Stems of its content words without product names.
        specific: Those an answer must be about; not what stands in a condition or beside the
            question.
        telling: Those that say what it is about, what is said beside the question included.
        yes_no: Whether it can be answered by yes or no.
        negated: Whether it asks whether something is not so.
        conditional: Whether it sets a condition ("if opened").
        quantity: Whether the answer is a figure, a time or a date.
        money: Whether it is an amount of money.
        constraint: The figure that a yes/no question compares with; it is no matter by itself.
    """

    text: str
    question: str
    forms: frozenset[Form]
    terms: frozenset[str]
    specific: frozenset[str]
    telling: frozenset[str]
    yes_no: bool
    negated: bool
    conditional: bool
    quantity: bool
    money: bool
    constraint: Limit | None = None

    def coverage(self, covered: frozenset[str]) -> float:
        """Share of what was asked that evidence is about, 0 to 1; terms that say what it is about count three times."""
        if not self.terms:
            return 0.0
        held = self.terms & covered
        return (len(held) + 2 * len(held & self.telling)) / (len(self.terms) + 2 * len(self.terms & self.telling))

    def uncovered(self, covered: frozenset[str]) -> frozenset[str]:
        """Specific terms that a piece of evidence says nothing about."""
        return self.specific - covered


def _misspells(word: str, names: tuple[str, ...]) -> bool:
    """Whether a word is a product's name with a typo in it."""
    named = [part for name in names for part in words(name)]
    return len(word) >= LEAST_LETTERS and any(
        part[:1] == word[:1] and fuzz.ratio(word, part) >= TYPO_RATIO for part in named if len(part) >= LEAST_LETTERS
    )


def _beside_names(clause: str, names: tuple[str, ...]) -> frozenset[str]:
    """Words of a name beside that whole name: they ask for what they name ("how much retinol is in Retinol 3")."""
    whole = [name for name in names if name_pattern(name).search(clause)]
    rest = clause
    # The longest first: of "Nova Plus" no word is left beside "Nova".
    for name in sorted(whole, key=len, reverse=True):
        rest = name_pattern(name).sub(" ", rest)
    named = {stem(word) for name in whole for word in words(name)} - {stem(word) for word in STOPWORDS}
    return frozenset(named & {stem(word) for word in words(without_wanted(rest))})


POSSESSIVE = re.compile(r"(?<=\d)['’]s\b")
"""Of a name that ends in a figure ("the X2's weight"); behind a letter it is a part of the word."""


def analyse(clause: str, names: tuple[str, ...], question: str | None = None) -> ParsedClause:
    """Read a clause; words of the given product names are not what is asked for.

    Args:
        clause: The clause with what is said beside its question ("my torso is 43 cm, which size do I need?").
        names: Names of the products it is about.
        question: The question alone, which decides the form; the whole clause where it is None.
    """
    form = question or clause
    of_names = {stem(word) for name in names for word in words(name)}
    # The unit of a figure in a name is none of its own: "the 16 inch Tarn".
    of_names |= {stem(one.unit) for one in quantities(clause) if one.unit and one.figure in of_names}
    # The unit an answer is wanted in is not what is asked about.
    spoken = words(ONE_CHARGE.sub(" ", without_wanted(POSSESSIVE.sub("", clause))))
    content = [word for word in spoken if word not in STOPWORDS and stem(word) not in of_names]
    found = frozenset(stem(positive(word)) for word in content if not _misspells(word, names))
    if not found - MEASURING:
        found |= _beside_names(clause, names)
    main = frozenset(stem(positive(word)) for word in words(SUBORDINATE.sub("", form)))
    told, asked = forms_of(clause), forms_of(form)
    if Form.PRICE in told or (Form.COST in told and stem("much") in found):
        found = found - {stem("much")} | {stem("price")}
    constraint = constraint_in(form)
    if constraint and constraint.compares:
        found -= frozenset(terms(form[constraint.start : constraint.end])) | {stem("less"), stem("fewer")}
        measure = UNITS[constraint.quantity.unit].measure if constraint.quantity.unit else ""
        implied = {stem(IMPLIED[measure])} if not found and measure in IMPLIED else set()
        found, main = found | implied, main | implied
    if Form.PROCEDURE in asked:
        # "How do I light it" asks what to do, not how much something weighs.
        found -= {stem(word) for word in GRADABLE}
    opening = next((word.base for word in words_of(form) if word.text not in OPENERS), "")
    return ParsedClause(
        text=clause,
        question=form,
        forms=told,
        terms=found,
        specific=(found & main) - MEASURING,
        telling=(found & frozenset(stem(positive(word)) for word in words(SUBORDINATE.sub("", clause)))) - MEASURING,
        yes_no=opening in AUXILIARIES or Form.TAG_QUESTION in asked,
        negated=Form.NEGATED in asked,
        conditional=bool(SUBORDINATE.search(form)),
        quantity=Form.QUANTITY in asked,
        money=bool(asked & {Form.PRICE, Form.COST}),
        constraint=constraint,
    )


def _read(clauses: Sequence[Clause], names: tuple[str, ...]) -> Iterator[ParsedClause]:
    """Read clauses; one that names nothing goes on from the one before ("... and how do I do it?")."""
    before = ""
    for clause in clauses:
        read = analyse(clause.text, names, clause.question)
        if before and not (read.specific or read.money):
            read = analyse(f"{before} {clause.text}", names, clause.question)
        before = read.text
        yield read


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question that stands alone.

    Attributes:
        text: The question.
        names: The products and places that it is about, as they are called: no matter of it.
        questions: The questions of the message, in their order, as they are typed.
        clauses: The same, read; names that stand side by side are one "they".
        parts: The things that its only question asks for in one breath ("waterproof and returnable?"), read each by
            itself; none where they have verbs of their own.
        whole: All of it, read as one clause.
    """

    text: str
    names: tuple[str, ...]
    questions: tuple[Clause, ...]
    clauses: tuple[ParsedClause, ...]
    parts: tuple[ParsedClause, ...]
    whole: ParsedClause

    @classmethod
    def of(cls, text: str, names: Sequence[str] = ()) -> "ParsedQuestion":
        """Read a question about what has these names."""
        called = tuple(names)
        found = split_clauses(together(text, called) if len(called) > 1 else text)
        parts = coordinates(unnamed(found[0].question, called)) if len(found) == 1 else []
        return cls(
            text=text,
            names=called,
            questions=tuple(split_clauses(text)),
            clauses=tuple(_read(found, called)),
            parts=tuple(analyse(part, called) for part in parts),
            whole=analyse(text, called),
        )

    def naming(self, names: Sequence[str]) -> "ParsedQuestion":
        """The same question about what has these names."""
        return self if tuple(names) == self.names else self.of(self.text, names)


def parts_of(asked: ParsedClause, names: Sequence[str]) -> list[ParsedClause]:
    """The parts that a clause asks for together; none where it is no coordination, or one leans on another.

    Args:
        asked: The clause.
        names: Names of the products it is about.
    """
    parts = [analyse(part, tuple(names), asked.text) for part in coordinates(unnamed(asked.text, names))]
    return [] if any(Form.ELLIPTIC in part.forms for part in parts) else parts


def unnamed(text: str, names: Sequence[str]) -> str:
    """A clause with a pronoun for each product's name that holds an "and" of its own."""
    for name in sorted(names, key=len, reverse=True):
        text = name_pattern(name, ARTICLE).sub("it", text) if "and" in words(name) else text
    return text


def together(text: str, names: Sequence[str]) -> str:
    """A question with a pronoun for names that stand side by side ("the Nova and the Nova Mini")."""
    known = {name.casefold(): re.escape(name[:LONGEST]) for name in names if name}
    longest_first = "|".join(sorted(known.values(), key=len, reverse=True))
    name = rf"(?:the )?(?:{longest_first})(?!\w)"
    row = rf"(?i)(?<!\w){name}(?:\s*,\s*{name}){{0,{MOST_BESIDE}}},?\s+and\s+{name}"
    return re.sub(row, "they", text) if longest_first else text
