"""Missing slots: a region or a variant that the answer depends on and that nobody has said yet.

The question back is short, and each of its options completes the question that waits (`graph.rewriting.pending`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from graph.answering.candidate import paragraph, remark
from graph.draft import Block, Draft, Sentence
from graph.language.sentences import the
from graph.language.terms import terms, words
from graph.parts import Question
from graph.turn import Clarification
from graph.understanding.parsed_question import Form
from ingestion.evidence import Evidence, Product, Variant
from ingestion.source_types import POLICIES
from ingestion.stems import stem

MONEY = re.compile(r"(?i)[$€£₹¥]|\b(free|no charge|nothing|usd|eur|dollars?|euros?)\b|%|percent")
MOST = 6
NEAR = 0.2
"""A rule for another place that is found this close to the one told answers the question as well."""
WHERE_TO = "Which region should it be delivered to?"
WHERE = "Which region are you in?"
BARE = re.compile(r"\w{1,3}(?:/\w{1,3})?|\d+(?:\.\d+)?")
"""A value that says nothing without its attribute, such as a size."""
COSTING = frozenset(map(stem, "price cost expensive cheap".split()))
STATED_IN = frozenset({"stock", "variant"})


def with_slot_question(draft: Draft, question: Question) -> Draft:
    """Ask for the region or the variant that an answer depends on; the draft as it is where it depends on none."""
    open_blocks = {place: regions for place in range(len(draft.blocks)) if (regions := _open(place, draft, question))}
    if open_blocks:
        return _asking_region(draft, open_blocks | _alike(draft, open_blocks, question), question)
    products = question.products or question.context[:1]
    for product in products:
        variants = _open_variants(draft, product, question)
        options = _options(variants)
        if len(options) > 1:  # one alone is no choice
            kept = _kept(draft, product, question)
            asked = _which(variants, product if len(products) > 1 else None)
            return _asking(draft, kept, asked, {label: label for label in options})
    return draft


def places_heeded(question: Question) -> tuple[str, ...]:
    """The places a question names that chose the evidence though its words do not name them ("Germany" for the EU)."""
    rules = [_said_in(item) for item, _ in question.evidence if item.region]
    named = [place for place in question.places if not any(frozenset(terms(place)) <= said for said in rules)]
    return tuple(named) if rules else ()


def _open(place: int, draft: Draft, question: Question) -> list[str]:
    """The regions that the rule a block opens with could hold for, likeliest first; none where the place is known."""
    rule = next(iter(_cited(draft.blocks[place : place + 1], question)), None)
    if question.user.region or question.places or draft.outcome != "clear" or rule is None or rule.region is None:
        return []
    alike = [(item, score) for item, score in question.evidence if item.source_type == rule.source_type]
    told = _cited(draft.blocks[place : place + 1], question)
    least = max(score for item, score in alike if item in told) - NEAR
    named = frozenset(terms(" ".join(product.name for product in question.products)))
    kind = frozenset(terms(rule.source_type.replace("_", " ")))  # every rule of the kind is about it
    asked = (frozenset(terms(question.standalone_query)) - named - kind) & _said_in(rule)
    near = {i.region for i, score in alike if i.region and (score >= least or i in told) and asked <= _said_in(i)}
    if rule.source_type not in POLICIES or len(near) < 2:  # noqa: PLR2004 - a rule of one place alone is the answer
        return []
    return list(dict.fromkeys(item.region for item, _ in alike if item.region))[:MOST]


def _alike(draft: Draft, open_blocks: Mapping[int, Sequence[str]], question: Question) -> dict[int, list[str]]:
    """The blocks on other products that tell rules of the same kind for some regions: they wait for the place, too."""
    blocks = enumerate(draft.blocks if len(question.products) > 1 else [])
    cited_in = {place: _cited([block], question) for place, block in blocks if place not in open_blocks}
    kinds = {_cited([draft.blocks[place]], question)[0].source_type for place in open_blocks}
    return {
        place: []
        for place, items in cited_in.items()
        if any(item.region and item.source_type in kinds for item in items)
    }


def _said_in(item: Evidence) -> frozenset[str]:
    return frozenset(terms(f"{item.title} {item.text}"))


def _asking_region(draft: Draft, open_blocks: Mapping[int, Sequence[str]], question: Question) -> Draft:
    regions = list(dict.fromkeys(region for found in open_blocks.values() for region in found))[:MOST]
    kinds = {item.source_type for place in open_blocks for item in _cited([draft.blocks[place]], question)}
    kept = [block for place, block in enumerate(draft.blocks) if place not in open_blocks]
    labels = {_label(region, question.regions): region for region in regions}
    # A reply may name what belongs to a region ("Germany"), though only the regions are offered.
    members = [name for region in regions for name in question.regions.get(region, ()) if not name.isdigit()]
    draft = _asking(draft, kept, WHERE_TO if kinds == {"delivery"} else WHERE, labels)
    options = labels | {name: name for name in members if name not in labels}
    return draft.model_copy(update={"options": options, "pending_kind": "region"})


def _label(region: str, regions: Mapping[str, Sequence[str]]) -> str:
    """A region as customers know it: one that is named like a code comes with what belongs to it."""
    inside = [name for name in regions.get(region, ()) if not name.isdigit()][:2]
    return f"{region} ({', '.join(inside)})" if "-" in region and inside else region


def _open_variants(draft: Draft, product: Product, question: Question) -> list[Variant]:
    """The variants between which a question about stock or price does not choose; none where all are alike."""
    left = _fitting(product, question)
    stock = "stock_availability" in question.intents[:1]
    if stock and draft.outcome == "clear":
        told = [one for one in _about(product, draft, question) if _is_stated(one)]
        states = {variant.in_stock for variant in left}
        return left if len(told) > 1 and states == {True, False} else []
    if prices_differ(product, question) and not _tells_price(_about(product, draft, question)):
        return left if _differ(left) else []
    return []


def prices_differ(product: Product, question: Question) -> bool:
    """Whether a price is asked for that only a product's variants have, each another one."""
    return product.price is None and _asks_price(question) and _differ(product.variants)


def _differ(variants: Sequence[Variant]) -> bool:
    return len({str(variant.price) for variant in variants if variant.price}) > 1


def _asks_price(question: Question) -> bool:
    return Form.PRICE in question.parsed.whole.forms or bool(COSTING.intersection(terms(question.standalone_query)))


def _tells_price(sentences: Iterable[Sentence]) -> bool:
    return any(MONEY.search(one.text) for one in sentences if one.factual)


def _about(product: Product, draft: Draft, question: Question) -> list[Sentence]:
    """What a draft says of a product; of several that are asked about, each has its own sentences."""
    said = [one for block in draft.blocks for one in block.sentences]
    return [one for one in said if one.product_id == product.id] if len(question.products) > 1 else said


def _kept(draft: Draft, product: Product, question: Question) -> Sequence[Block]:
    """What is told before a variant is asked for: its price waits, what was said of other products does not."""
    if not _asks_price(question):
        return draft.blocks
    own = _about(product, draft, question)
    return [block for block in draft.blocks if block.part and all(one not in own for one in block.sentences)]


def _is_stated(sentence: Sentence) -> bool:
    return any(span.evidence_id.partition(":")[0] in STATED_IN for span in sentence.spans)


def _fitting(product: Product, question: Question) -> list[Variant]:
    """The variants that have every value the question names, or that the user prefers where it names none."""
    spoken = f" {' '.join(stem(word) for word in words(question.standalone_query))} "
    preferred = {name.casefold(): value.casefold() for name, value in question.user.preferences.items()}
    left = list(product.variants)
    for attribute in dict.fromkeys(name for variant in product.variants for name in variant.attributes):
        named = {v for variant in left if (v := variant.attributes.get(attribute)) and _said(v, attribute, spoken)}
        wanted = named or {
            v
            for variant in left
            if (v := variant.attributes.get(attribute)) and (preferred.get(attribute.casefold()) == v.casefold())
        }
        left = [variant for variant in left if variant.attributes.get(attribute) in wanted] if wanted else left
    return left


def _said(value: str, attribute: str, spoken: str) -> bool:
    shown = _shown(attribute, value)
    return f" {' '.join(stem(word) for word in words(shown))} " in spoken


def _shown(attribute: str, value: str) -> str:
    return f"{attribute.lower()} {value}" if BARE.fullmatch(value) else value


def _apart(variants: Sequence[Variant]) -> list[str]:
    """The attributes that tell variants apart; the one with the fewest values alone where the variants are many."""
    values: dict[str, set[str]] = {}
    for variant in variants:
        for name, value in variant.attributes.items():
            values.setdefault(name, set()).add(value)
    names = [name for name, found in values.items() if len(found) > 1]
    return sorted(names, key=lambda name: len(values[name]))[:1] if len(variants) > MOST else names


def _options(variants: Sequence[Variant]) -> list[str]:
    names = _apart(variants)
    labels = [", ".join(_shown(n, v.attributes[n]) for n in names if v.attributes.get(n)) for v in variants]
    return list(dict.fromkeys(filter(None, labels)))[:MOST]


def _which(variants: Sequence[Variant], of: Product | None) -> str:
    names = _apart(variants)
    which = f"Which {names[0].lower()}" if len(names) == 1 else "Which one" if of is None else "Which variant"
    return f"{which}{f' of {the(of.name)}' if of else ''} would you like?"


def _asking(draft: Draft, kept: Sequence[Block], asked: str, options: Mapping[str, str]) -> Draft:
    """A draft that ends in one short question with options."""
    return draft.model_copy(
        update={
            "outcome": "ambiguous",
            "blocks": [*kept, paragraph(remark(asked))],
            "confidence": min(draft.confidence, 0.5) if not kept else draft.confidence,
            "clarification": Clarification(question=asked, options=list(options)),
            "options": dict(options),
            "pending_kind": "slot",
            "missing": [],
            "followups": [],
        }
    )


def _cited(blocks: Iterable[Block], question: Question) -> list[Evidence]:
    """What the statements of some blocks rest on, in their order."""
    known = {item.evidence_id: item for item, _ in question.evidence}
    ids = dict.fromkeys(span.evidence_id for block in blocks for one in block.sentences for span in one.spans)
    return [known[key] for key in ids if key in known]
