"""Missing slots: a region, a kind of product or a variant that the answer depends on and that nobody has said yet.

The question back is short, and each of its options completes the question that waits (`graph.rewriting.rules`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from graph.answering.absence import asking
from graph.answering.variants import variants_meant
from graph.draft import Block, Draft
from graph.language.locale import reply
from graph.language.sentences import the
from graph.language.terms import terms
from graph.parts import Question
from ingestion.evidence import Evidence, Product, Variant
from ingestion.source_types import POLICIES

MOST = 6
NEAR = 0.2
"""A rule for another place that is found this close to the one told answers the question as well."""
WHERE_TO, WHERE = reply("where_to"), reply("where")
BARE = re.compile(r"\w{1,3}(?:/\w{1,3})?|\d+(?:\.\d+)?")
"""A value that says nothing without its attribute, such as a size."""
STATED_IN = ("stock:", "variant:")
"""How the ids of what tells variants apart begin."""


def with_slot_question(draft: Draft, question: Question) -> Draft:
    """Ask for what an answer depends on: the region, the kind or the variant; the draft as it is where on none."""
    if draft.outcome != "clear":
        return draft
    if not (question.user.region or question.places):
        regions = _open_blocks(draft, question, _region)
        if regions:
            return _asking_region(draft, regions, question)
    if not (question.products or question.context or question.catalog.category):
        kinds = _open_blocks(draft, question, _kind)
        if kinds:
            called = dict.fromkeys(path.split(" > ")[-1] for found in kinds.values() for path in found)
            kept = _kept(draft, kinds)
            return _asking(draft, kept, reply("which_kind"), {name: name for name in [*called][:MOST]})
    products = question.products or question.context[:1]
    for product in products:
        variants = _open_variants(draft, product, question)
        names = _apart(variants)
        labels = [", ".join(_shown(n, v.attributes[n]) for n in names if v.attributes.get(n)) for v in variants]
        options = list(dict.fromkeys(filter(None, labels)))[:MOST]
        if len(options) > 1:  # one alone is no choice
            which = names[0].lower() if len(names) == 1 else reply("variant")
            key = "which_variant_of" if len(products) > 1 else "which_variant"
            asked = reply(key, attribute=which, product=the(product.name))
            return _asking(draft, draft.blocks, asked, {label: label for label in options})
    return draft


def places_heeded(question: Question) -> tuple[str, ...]:
    """The places a question names that chose the evidence though its words do not name them ("Germany" for the EU)."""
    rules = [_said_in(item) for item, _ in question.evidence if item.region]
    named = [place for place in question.places if not any(frozenset(terms(place)) <= said for said in rules)]
    return tuple(named) if rules else ()


Scope = Callable[[Evidence], str | None]
"""What a rule holds for; None where for all."""


_region, _kind = attrgetter("region"), attrgetter("category")


def _open_blocks(draft: Draft, question: Question, scope: Scope) -> dict[int, list[str]]:
    """The places of blocks with a rule for one of several scopes, and these."""
    return {place: found for place, block in enumerate(draft.blocks) if (found := _open(block, question, scope))}


def _kept(draft: Draft, left_out: Mapping[int, object]) -> list[Block]:
    return [block for place, block in enumerate(draft.blocks) if place not in left_out]


def _open(block: Block, question: Question, scope: Scope) -> list[str]:
    """The scopes that the rule a block opens with could have, likeliest first; none where it holds for all."""
    told = {span.evidence_id for one in block.sentences for span in one.spans}
    rule = next((question.sources.get(span.evidence_id) for one in block.sentences for span in one.spans), None)
    if rule is None or not scope(rule) or rule.source_type not in POLICIES:
        return []
    kind = (rule.source_type, rule.product_id)
    alike = [(item, score) for item, score in question.evidence if (item.source_type, item.product_id) == kind]
    least = max(score for item, score in alike if item.evidence_id in told) - NEAR
    named = frozenset(terms(" ".join(product.name for product in question.products)))
    topic = frozenset(terms(rule.source_type.replace("_", " ")))  # every rule of the kind is about it
    asked = (frozenset(terms(question.standalone_query)) - named - topic) & _said_in(rule)
    near = {
        scope(item) for item, score in alike if (score >= least or item.evidence_id in told) and asked <= _said_in(item)
    }
    scopes = [*dict.fromkeys(filter(None, (scope(item) for item, _ in alike)))]
    said = frozenset(terms(question.standalone_query))
    # One that is named, or a rule for all kinds, leaves nothing open; nor does a rule of one scope alone.
    if scope is _kind and (None in near or any(said.issuperset(terms(one.split(" > ")[-1])) for one in scopes)):
        return []
    return scopes[:MOST] if len(near - {None}) > 1 else []


def _said_in(item: Evidence) -> frozenset[str]:
    return frozenset(terms(f"{item.title} {item.text}"))


def _asking_region(draft: Draft, open_blocks: Mapping[int, Sequence[str]], question: Question) -> Draft:
    regions = list(dict.fromkeys(region for found in open_blocks.values() for region in found))[:MOST]
    ids = [s.evidence_id for place in open_blocks for one in draft.blocks[place].sentences for s in one.spans]
    where = WHERE_TO if all(key.startswith("delivery:") for key in ids) else WHERE
    labels = {_label(region, question.regions): region for region in regions}
    # A reply may name what belongs to a region ("Germany"), though only the regions are offered.
    members = [name for region in regions for name in question.regions.get(region, ()) if not name.isdigit()]
    options = {name: name for name in members} | labels
    return _asking(draft, _kept(draft, open_blocks), where, labels).model_copy(
        update={"options": options, "pending_kind": "region"}
    )


def _label(region: str, regions: Mapping[str, Sequence[str]]) -> str:
    """A region as customers know it: one that is named like a code comes with what belongs to it."""
    inside = [name for name in regions.get(region, ()) if not name.isdigit()][:2]
    return f"{region} ({', '.join(inside)})" if "-" in region and inside else region


def _open_variants(draft: Draft, product: Product, question: Question) -> list[Variant]:
    """The variants between whose stock or prices a question does not choose though it is told of several."""
    left = variants_meant(product, [question.standalone_query], question.user.preferences)
    stock = "stock_availability" in question.intents[:1]
    states = {variant.in_stock if stock else str(variant.price or "") for variant in left} - {None, ""}
    told = [
        one
        for one in draft.facts
        if one.product_id == product.id and any(span.evidence_id.startswith(STATED_IN) for span in one.spans)
    ]
    return left if len(told) > 1 and len(states) > 1 else []


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


def _asking(draft: Draft, kept: Sequence[Block], asked: str, options: Mapping[str, str]) -> Draft:
    confidence = min(draft.confidence, 0.5) if not kept else draft.confidence
    told = {"blocks": kept, "confidence": confidence, "missing": [], "followups": []}
    return asking(draft.model_copy(update=told), asked, options, "slot")
