"""Facts: what products state of themselves, and whether that is what a request wants."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from graph.answering.candidate import cited, span
from graph.answering.matching import attribute_lines
from graph.answering.prose import stands_alone
from graph.browsing.request import Property, term_of
from graph.draft import Block, Draft, Sentence, Span
from graph.language.families import covered_terms, family_of
from graph.language.lexicon import PRICE, positive
from graph.language.limits import Limit
from graph.language.negation import denies, excludes
from graph.language.quantities import amount_of, quantities
from graph.language.sentences import NO, YES, lower_name, opening_of, state
from graph.language.terms import stems, terms, words
from graph.language.units import UNITS
from graph.parts import Context, Judgement, Statement
from graph.turn import Suggestion
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TYPES
from ingestion.spans import sentence_spans
from ingestion.statements import as_read
from ingestion.stems import stem

CARDS = 5
"""Products that are shown."""
MOST = 500
"""Products that are looked through: of more, what each states would have to be read for one answer."""
SURE = 0.85
_STRUCTURED = frozenset({"spec", "datasheet"})
_DESCRIBING = frozenset({"feature", "description"})
_BY_SELLER = _DESCRIBING | {"spec"}
SPEAKING = _BY_SELLER | {"datasheet", "qa", "review"}
"""Kinds that tell what a product is good for."""
TELLING = SPEAKING | {"manual"}
"""Kinds that tell anything of a product."""
_READ = 12
"""How many of the nearest statements are read."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What one product states.

    Attributes:
        product: The product.
        name: The attribute as it is written; empty for a sentence of the seller.
        value: It as a card shows it behind the product's name.
        where: Where it stands, and how it is computed, where it is not stated itself.
        text: It in a sentence, where it is no attribute.
        figure: It as a number, comparable with what is asked for or with the others'; None where nothing is compared.
        meets: Whether it is what is wanted; None for what only has to do with it ("20,000 mm" with "waterproof").
    """

    product: Product
    name: str
    value: str
    where: Span
    text: str = ""
    figure: float | None = None
    meets: bool | None = True

    @property
    def attribute(self) -> str:
        """The name of the attribute, as it stands inside a sentence."""
        return lower_name(self.name)

    @property
    def said(self) -> str:
        """It in a sentence."""
        return self.text or state(self.product.name, self.name, self.value)

    @property
    def sentence(self) -> Sentence:
        """The same, cited."""
        return cited(self.said, self.where, product_id=self.product.id)

    @property
    def card(self) -> Sentence:
        """The product's name and what is stated of it."""
        return cited(f"{self.product.name}, {self.value}", self.where, product_id=self.product.id)


def named(name: str, sentence: Sentence) -> Sentence:
    """A sentence behind the name of the product that it is about."""
    first, *rest = sentence.segments
    return sentence.model_copy(update={"segments": [first.model_copy(update={"text": f"{name}: {first.text}"}), *rest]})


def own_evidence(product: Product, kinds: frozenset[str], parts: Context) -> list[Evidence]:
    """The evidence about a product alone."""
    return [item for item in parts.knowledge.product_evidence(product.id, kinds) if item.product_id == product.id]


def attributes_of(product: Product, parts: Context) -> dict[str, Fact]:
    """Attribute (case folded) to where it is stated, the specification before the datasheet."""
    found: dict[str, Fact] = {}
    for item in sorted(own_evidence(product, _STRUCTURED, parts), key=lambda e: e.source_type, reverse=True):
        for name, value, start, end in attribute_lines(item):
            found.setdefault(name.casefold(), Fact(product, name, value, span(item, start, end)))
    return found


def attributes_asked(asked: Sequence[str], names: Sequence[str]) -> list[str]:
    """The attributes that words ask for, those that have most of them in their names and least beside them first."""
    stems = {stem(positive(word)) for word in asked}
    fits = [(-len(stems & set(terms(name))), len(words(name)), name) for name in names if stems <= _asked_by(name)]
    return [name for *_, name in sorted(fits)] if stems else []


def _asked_by(name: str) -> frozenset[str]:
    """Terms by which an attribute is asked for: its own, its family's cues and the other names of its family."""
    family = family_of(name)
    return covered_terms(name, "").union(*(family.names if family else ()))


def held_by(product: Product, wanted: Property, parts: Context, *, told_by_seller: bool = True) -> Fact | None:
    """What a product states of a property: an attribute, else a sentence of the seller; None for nothing.

    Args:
        product: The product.
        wanted: The property.
        parts: Where products state what they are.
        told_by_seller: Whether what the seller says outside of the specification counts.
    """
    own = attributes_of(product, parts)
    if wanted.limits:
        return _compared(wanted, own)
    found = _attribute(wanted, own)
    if found is None and told_by_seller and not wanted.denied:
        found = _described(product, wanted, parts)
    return found or _akin(wanted, own)


def _compared(wanted: Property, own: dict[str, Fact]) -> Fact | None:
    """The first attribute whose figure can be told in the unit that was asked for."""
    unit = wanted.limits[0].quantity.unit
    # A weight is what a thing weighs where nothing else is said of it.
    asked = wanted.terms or (("weight",) if unit and UNITS[unit].measure == "mass" else ())
    for name in attributes_asked(asked, list(own)) if asked else own:
        figures = [_figure(own[name].value, limit) for limit in wanted.limits]
        if None not in figures:
            kept = all(limit.holds(figure or 0.0) for limit, figure in zip(wanted.limits, figures, strict=True))
            return replace(own[name], figure=figures[0], meets=kept != wanted.denied)
    return None


def _figure(value: str, limit: Limit) -> float | None:
    amount = amount_of(value, 1 if limit.least else -1)
    return amount.measured_in(limit.quantity.unit) if amount else None


_BY_VALUE = 2
"""Rank of an attribute that is not named, whose value alone tells of what is wanted."""


def _attribute(wanted: Property, own: dict[str, Fact]) -> Fact | None:
    """The attribute that is named so, a yes or no before others, else the one whose value names it."""
    asked = frozenset(wanted.terms)
    found: list[tuple[int, bool, int, Fact]] = []
    for line in own.values():
        named = frozenset(terms(line.name))
        decided = opening_of(line.value) in YES | NO
        # "5G" is the name of a thing, not five of them.
        meets = _says_so(asked, line) if decided and asked <= named else _meets(wanted.terms, named, line.value)
        warned = meets is None and not decided and not asked.isdisjoint(named) and denies(line.value)
        if meets is not None or warned:
            # "Pregnancy: do not use" decides what is safe in pregnancy, whatever else was asked with it.
            rank = 3 if warned else 0 if decided else 1 if asked <= named else _BY_VALUE
            # "256 GB" names no attribute: memory of 8 GB denies it only where nothing else states it.
            other = rank == _BY_VALUE and not meets
            fact = replace(line, meets=not warned and meets != wanted.denied)
            found.append((rank, other, len(words(line.name)), fact))
    return min(found, key=lambda one: one[:3])[3] if found else None


def _says_so(asked: frozenset[str], line: Fact) -> bool:
    """Whether a yes or no says that there is what was asked for: "Fragrance-free: Yes" says that there is none."""
    left_out = asked < frozenset(terms(line.name)) and excludes(line.name)
    return (opening_of(line.value) in YES) != left_out


def _akin(wanted: Property, own: dict[str, Fact]) -> Fact | None:
    """An attribute by whose kind a property is asked for, which does not decide it."""
    for line in own.values():
        family = family_of(line.name)
        decided = opening_of(line.value) in YES | NO
        if family and wanted.terms and family.stems.issuperset(wanted.terms) and not decided:
            return replace(line, meets=None)
    return None


def _meets(wanted: Sequence[str], named: frozenset[str], value: str) -> bool | None:
    """Whether a value that is no yes or no tells of such things, or so many; None where it is about something else."""
    asked = frozenset(wanted)
    figures = frozenset(filter(_is_figure, asked))
    things = asked - figures
    if opening_of(value) in YES | NO or not things or not things <= named.union(_told(value)):
        return None
    if not figures:
        return not excludes(value)
    told = _told(value)
    if things <= {term for before, term in pairwise(told) if _is_figure(before)}:
        return _has_all(wanted, told)
    stated = {written.quantity.value for written in quantities(value)}
    return figures <= stated if stated and (things & named or asked <= set(told)) else None


def _is_figure(term: str) -> bool:
    return term[0].isdigit() and term[-1].isdigit()


def _told(text: str) -> list[str]:
    return list(map(term_of, words(text)))


def _described(product: Product, wanted: Property, parts: Context) -> Fact | None:
    """A sentence of the seller that has all the words, and denies nothing."""
    for item in sorted(own_evidence(product, _DESCRIBING, parts), key=lambda e: e.source_type != "feature"):
        for start, end in sentence_spans(item.text):
            text = item.text[start:end]
            if not excludes(text) and _has_all(wanted.terms, _told(text)):
                said = text.strip("-•* ").rstrip(".")
                return Fact(product, "", said, span(item, start, end), f"{product.name}: “{said}”")
    return None


def _has_all(asked: Sequence[str], told: Sequence[str]) -> bool:
    """Whether all terms are told, a figure with the one behind it ("2 person")."""
    beside = set(pairwise(told))
    figured = [pair for pair in pairwise([*asked, ""]) if _is_figure(pair[0])]
    return set(asked) <= set(told) and all(pair in beside for pair in figured)


def is_mentioned(product: Product, wanted: Property, parts: Context) -> bool:
    """Whether anything that is known of a product, customers' words too, speaks of a property."""
    return any(set(wanted.terms) <= set(_told(item.text)) for item in own_evidence(product, SOURCE_TYPES, parts))


def bullets(sentences: Iterable[Sentence]) -> Block:
    """A list of the first cards."""
    return Block(kind="bullets", sentences=list(sentences)[:CARDS])


def showing(blocks: Sequence[Block], products: Sequence[Product], confidence: float) -> Draft:
    """A draft that shows products, which the next message may pick by their places."""
    return Draft(
        outcome="non_decision",
        blocks=list(blocks),
        confidence=confidence,
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in products],
        listed=[product.id for product in products],
    )


def read_nearest(
    question: str, products: Iterable[Product], kinds: frozenset[str], parts: Context
) -> list[tuple[Statement, Judgement]]:
    """The statements of products that come nearest to a question, each as it is read, what answers it best first."""
    own = [item for product in products for item in own_evidence(product, kinds, parts)]
    near = list(islice(filter(stands_alone, parts.finder.nearest([question], own)), _READ))
    read = parts.reader.judge([(question, as_read(one.evidence, one.text)) for one in near])
    return sorted(zip(near, read, strict=True), key=lambda pair: -pair[1].answers)


def seller_terms(product: Product, parts: Context) -> frozenset[str]:
    """Stems of all words by which the seller describes a product."""
    own = " ".join(item.text for item in own_evidence(product, _BY_SELLER, parts))
    return stems(f"{product.name} {' '.join(product.category)} {own}")


def first_fact(product: Product, parts: Context) -> Fact | None:
    """The price that a product states, else the first thing it states; None for nothing."""
    own = attributes_of(product, parts)
    fact = own.get(PRICE) or next(iter(own.values()), None)
    return fact and with_name(fact)


def with_name(fact: Fact) -> Fact:
    """A fact that says on its card what it is; a price shows that by itself."""
    return fact if fact.attribute == PRICE else replace(fact, value=f"{fact.attribute}: {fact.value}")
