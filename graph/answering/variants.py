"""Answers from variants: which colours, sizes and versions there are, what each costs and whether it is in stock."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.matching import statements
from graph.answering.prose import sentence_of
from graph.draft import Sentence, YesNo
from graph.language.families import covered_terms
from graph.language.sentences import capitalised, lower_name, plural, the
from graph.language.terms import terms, words
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, Product, Variant, lines
from ingestion.stems import stem

OPTION_WORDS = frozenset(map(stem, "variant version option configuration model choice edition come available".split()))
OPTION_NOUNS = frozenset(map(stem, "variant version option configuration edition".split()))
PRICE_WORDS = frozenset(map(stem, "price cost much expensive cheap pay".split()))
STOCK_WORDS = frozenset(map(stem, "stock available availability left sold buy get".split()))
MOST = 4
NAMED = 1.3
"""Score of what is said of the very variant that was asked for."""
OWN_WORDS = 0.5


@dataclass(frozen=True, slots=True)
class VariantLine:
    """A variant and where its line stands in the evidence."""

    variant: Variant
    start: int
    end: int

    @property
    def name(self) -> str:
        """Its values as one name: `Slate, 128 GB`."""
        return ", ".join(self.variant.attributes.values())


def find_variants(
    asked: ParsedClause,
    product: Product,
    evidence: Sequence[tuple[Evidence, float]],
    intents: Sequence[str],
    own: str,
    preferences: Mapping[str, str] | None = None,
) -> Candidate | None:
    """What the list of variants says to a clause about a product.

    Args:
        asked: The clause.
        product: The product.
        evidence: What was found.
        intents: Selected intents.
        own: The user's own words, which count before what the conversation carried over.
        preferences: Values that the user prefers, by attribute; they choose where the clause does not.
    """
    item = next((e for e, _ in evidence if e.source_type == "variant" and e.product_id == product.id), None)
    if item is None or not product.variants:
        return None
    rows = [VariantLine(v, *at) for v, at in zip(product.variants, lines(item.text), strict=False)]
    named = _named(asked, rows, own)
    if not named and not _asks_for_options(asked, product):
        named = _preferred(asked, rows, preferences or {}, intents)
    if named and (stated := _stock_facts(asked, product, evidence, named, intents)):
        sentences = stated
    elif named:
        sentences = _with_stock(_about(asked, product, item, named, intents), asked, product, evidence, named, intents)
    elif _asks_for_options(asked, product):
        sentences = _listing(asked, product, item, rows, _attribute(asked, product))
    else:
        return None
    if not sentences:
        return None
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=NAMED if named else 0.8 if "variant" in intents else 0.5,
        source_type="variant",
        attributes=tuple(dict.fromkeys(name for row in rows for name in row.variant.attributes)),
        evidence_ids=frozenset({item.evidence_id}),
    )


def _asks_for_options(asked: ParsedClause, product: Product) -> bool:
    """Whether a clause asks which forms there are, or for one that is not listed ("does it come in red?")."""
    return bool(_attribute(asked, product) and not asked.quantity and Form.OFFERED in asked.forms) or bool(
        Form.SOLD_IN in asked.forms or asked.terms & OPTION_NOUNS
    )


def _named(asked: ParsedClause, rows: Sequence[VariantLine], own: str) -> list[VariantLine]:
    """The variants that a clause names by most values, and that have fewest others; none when it names none."""
    spoken = [stem(word) for word in words(asked.text)]
    fresh = [stem(word) for word in words(own)]
    counts = [
        sum(_occurs(value, spoken) + OWN_WORDS * _occurs(value, fresh) for value in row.variant.attributes.values())
        for row in rows
    ]
    most = max(counts, default=0)
    named = [row for row, count in zip(rows, counts, strict=True) if count == most] if most else []
    fewest = min((len(row.variant.attributes) for row in named), default=0)
    return [row for row in named if len(row.variant.attributes) == fewest]


def _preferred(
    asked: ParsedClause, rows: Sequence[VariantLine], preferences: Mapping[str, str], intents: Sequence[str]
) -> list[VariantLine]:
    """The variants with every value that the user prefers, where price or stock is asked of none in particular."""
    if not asked.terms & (STOCK_WORDS | PRICE_WORDS) and "stock_availability" not in intents:
        return []
    wanted = {name.casefold(): value.casefold() for name, value in preferences.items()}
    offered = {(name.casefold(), value.casefold()) for row in rows for name, value in row.variant.attributes.items()}
    known = {pair for pair in wanted.items() if pair in offered}
    return [row for row in rows if known <= _folded(row.variant)] if known else []


def _folded(variant: Variant) -> set[tuple[str, str]]:
    return {(name.casefold(), value.casefold()) for name, value in variant.attributes.items()}


def _occurs(value: str, spoken: Sequence[str]) -> bool:
    """Whether a value's words occur side by side; single letters and numbers only as sizes ("size M", "in 42")."""
    wanted = [stem(word) for word in words(value)]
    starts = [i for i in range(len(spoken) - len(wanted) + 1) if list(spoken[i : i + len(wanted)]) == wanted]
    if wanted and wanted[-1].isdigit() and any(pair == ("size", wanted[-1]) for pair in pairwise(spoken)):
        return True
    if not wanted or not starts:
        return False
    if len(wanted) == 1 and (len(wanted[0]) == 1 or wanted[0].isdigit()):
        return any(i and spoken[i - 1] in ("size", "in", "the", "eu", "uk", "us") for i in starts)
    return True


def _attribute(asked: ParsedClause, product: Product) -> str | None:
    """The variants' attribute a clause asks for."""
    names = dict.fromkeys(name for variant in product.variants for name in variant.attributes)
    fits = [(len(asked.terms & covered_terms(name, "")), name) for name in names]
    best = max(fits, key=lambda fit: fit[0], default=(0, ""))
    return best[1] if best[0] else None


def _other_values(asked: ParsedClause, product: Product, line: VariantLine) -> bool:
    """Whether a clause names a value that this variant does not have."""
    spoken = [stem(word) for word in words(asked.text)]
    own = set(line.variant.attributes.values())
    return any(_occurs(v, spoken) for variant in product.variants for v in variant.attributes.values() if v not in own)


def _stock_facts(
    asked: ParsedClause,
    product: Product,
    evidence: Sequence[tuple[Evidence, float]],
    named: Sequence[VariantLine],
    intents: Sequence[str],
) -> list[Sentence]:
    """The shop's own words on the stock of one variant, where it has any."""
    if len(named) != 1 or not (
        asked.terms & STOCK_WORDS or "stock_availability" in intents or Form.IN_STOCK in asked.forms
    ):
        return []
    values = [tuple(stem(word) for word in words(value)) for value in named[0].variant.attributes.values()]
    for item, _ in evidence:
        held = [stem(word) for word in words(item.text)]
        if item.source_type == "stock" and item.product_id == product.id and all(_held(v, held) for v in values):
            said = [sentence_of(item, start, end, product) for start, end in statements(item)[:2]]
            first = named[0].variant.in_stock
            verdict = [remark(YesNo.of(first))] if asked.yes_no and first is not None else []
            return [*verdict, *said]
    return []


def _with_stock(
    sentences: list[Sentence],
    asked: ParsedClause,
    product: Product,
    evidence: Sequence[tuple[Evidence, float]],
    named: Sequence[VariantLine],
    intents: Sequence[str],
) -> list[Sentence]:
    """Beside variants of unknown stock, what is known of the product's: that one exists does not put it in stock."""
    known = any(row.variant.in_stock is not None for row in named)
    if known or not (asked.terms & STOCK_WORDS or "stock_availability" in intents):
        return sentences
    items = [item for item, _ in evidence if item.source_type == "stock" and item.product_id == product.id]
    said = [sentence_of(item, *statements(item)[0], product) for item in items[:MOST]]
    return [*(sentence for sentence in sentences if sentence.factual), *said] if said else sentences


def _held(value: Sequence[str], held: Sequence[str]) -> bool:
    return any(list(held[i : i + len(value)]) == list(value) for i in range(len(held)))


def _about(
    asked: ParsedClause, product: Product, item: Evidence, named: Sequence[VariantLine], intents: Sequence[str]
) -> list[Sentence]:
    sentences = []
    prices = asked.terms & PRICE_WORDS or "offers_and_discounts" in intents
    stock = asked.terms & STOCK_WORDS or "stock_availability" in intents or Form.IN_STOCK in asked.forms
    for row in named[:MOST]:
        said = []
        if prices and row.variant.price:
            said.append(f"{'cost' if plural(product.name) else 'costs'} {row.variant.price}")
        if stock and row.variant.in_stock is not None:
            said.append(f"{'are' if plural(product.name) else 'is'} {'in' if row.variant.in_stock else 'out of'} stock")
        if said:
            text = f"{capitalised(the(product.name))} in {row.name} {' and '.join(said)}."
            sentences.append(cited(text, span(item, row.start, row.end), product_id=product.id))
    if sentences:
        first = named[0].variant.in_stock
        if (
            asked.yes_no
            and stock
            and len(named) == 1
            and first is not None
            and not _other_values(asked, product, named[0])
        ):
            sentences.insert(0, remark(YesNo.of(first)))
        return sentences
    if "variant" not in intents and not asked.yes_no:
        return []
    values = [
        v
        for v in dict.fromkeys(v for row in named for v in row.variant.attributes.values())
        if _occurs(v, [stem(w) for w in words(asked.text)])
    ]
    if not values:
        return []
    text = f"{capitalised(the(product.name))} {'come' if plural(product.name) else 'comes'} in {_joined(values)}."
    verdict = [remark(YesNo.YES)] if asked.yes_no else []
    return [*verdict, cited(text, span(item, named[0].start, named[0].end), product_id=product.id)]


def _listing(
    asked: ParsedClause, product: Product, item: Evidence, rows: Sequence[VariantLine], attribute: str | None
) -> list[Sentence]:
    offered = _offered(rows, attribute)
    if not offered:
        return []
    where = span(item, rows[0].start, rows[-1].end)
    subject, verb = capitalised(the(product.name)), "come" if plural(product.name) else "comes"
    values = [value for listed in offered.values() for value in listed]
    if len(offered) > 1:
        choices = "; ".join(f"{lower_name(name)} {_joined(listed, 'or')}" for name, listed in offered.items())
        text = f"{subject} {verb} in these variants: {choices}."
    else:
        text = f"{subject} {verb} in {_joined(values)}{' only' if len(values) == 1 else ''}."
    sentences = [cited(text, where, product_id=product.id)]
    other = _not_offered(asked, attribute)
    if asked.yes_no and other and other.isdisjoint(terms(" ".join(values))):
        sentences.append(remark(f"{capitalised(' '.join(_spoken(asked, other)))} is not among the listed variants."))
    return sentences


def _offered(rows: Sequence[VariantLine], attribute: str | None) -> dict[str, list[str]]:
    """Attribute to its distinct values, in the shop's order; only one attribute when it was asked for."""
    names = dict.fromkeys(name for row in rows for name in row.variant.attributes)
    offered = {
        name: list(dict.fromkeys(row.variant.attributes[name] for row in rows if row.variant.attributes.get(name)))
        for name in ([attribute] if attribute else names)
    }
    return {name: values for name, values in offered.items() if values}


def _not_offered(asked: ParsedClause, attribute: str | None) -> frozenset[str]:
    known = covered_terms(attribute, "") if attribute else frozenset()
    return asked.specific - known - OPTION_WORDS - PRICE_WORDS - STOCK_WORDS


def _spoken(asked: ParsedClause, wanted: frozenset[str]) -> list[str]:
    return [word for word in re.findall(r"[\w-]+", asked.text) if frozenset(map(stem, words(word))) & wanted]


def _joined(values: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(values[:-1]), values[-1]]) if len(values) > 1 else values[0]
