"""Search: the evidence of a question, best first, without repeats."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from graph.language.terms import name_pattern, terms, words
from graph.parts import CatalogSearch, Encoder, KnowledgeBase, Statement, StatementFinder, Vectors
from graph.retrieval.candidates import CANDIDATES, find_candidates
from graph.retrieval.history import Memory, exchanges_of
from graph.state import Hit, WeightedText
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TYPES
from ingestion.statements import statement_spans, statement_texts

BEFORE = 1.5
"""What the turn before counts beside the question in the direction of both."""
LIFT = 0.1
"""What the turn before can add to a score at most."""


class NearestStatements:
    """A `StatementFinder` that compares the vectors of questions with those of statements.

    Args:
        encoder: Brings questions near to what answers them.
        knowledge: Knows vectors of statements; those that it does not know are made when they are read.
    """

    def __init__(self, encoder: Encoder, knowledge: KnowledgeBase | None = None) -> None:
        self._encoder, self._knowledge = encoder, knowledge

    def nearest(self, questions: Sequence[str], evidence: Sequence[Evidence], before: str = "") -> list[Statement]:
        """All statements of evidence, nearest first.

        The direction of `before` and the last of the wordings counts as much as the question alone, yet cannot lift far
        what is no answer to that.
        """
        spans = [(item, *at) for item in evidence for at in statement_spans(item)]
        if not spans:
            return []
        statements = self._vectors(evidence)
        asked = self._encoder.encode([*questions, *([before] if before else [])])
        alone = (statements @ asked[: len(questions)].T).max(axis=1)
        both = asked[len(questions) - 1] + BEFORE * asked[-1]
        together = (alone + statements @ (both / np.linalg.norm(both))) / 2 if before else alone
        scores = np.minimum(together, alone + LIFT).tolist()
        ranked = sorted(
            zip(scores, spans, strict=True), key=lambda pair: (-pair[0], pair[1][0].evidence_id, pair[1][1])
        )
        return [Statement(item, start, end, score) for score, (item, start, end) in ranked]

    def _vectors(self, evidence: Sequence[Evidence]) -> Vectors:
        known = self._knowledge.statement_vectors(evidence) if self._knowledge else {}
        texts = {item.evidence_id: statement_texts(item) for item in evidence if item.evidence_id not in known}
        unknown = [text for group in texts.values() for text in group]
        made = iter(self._encoder.encode(unknown) if unknown else ())
        rows: list[Vectors] = []
        for item in evidence:
            key = item.evidence_id
            rows.extend(known[key] if key in known else [next(made) for _ in texts[key]])
        return np.stack(rows)


REFINED_WEIGHT = 0.4
"""What all refined texts together count beside the question, chosen on train rows of a help-centre pack.

Sentences of the right document in a model's place gain three quarters there of what they gain at 0.85, and sentences of
a wrong one lose a quarter.
"""


def weighed(texts: Sequence[str]) -> list[WeightedText]:
    """Texts as they count beside the question: what a model makes up helps to find, and cannot outvote what was asked.

    A vector averaged from both is that of HyDE (Gao et al., 2023).
    """
    return [WeightedText(text, round(REFINED_WEIGHT / len(texts), 4)) for text in texts]


LEAST = 1e-3
"""Relevance of what comes near in nothing, yet is of the kind that is wanted."""

_OF_THE = r"(?:(?<!\s)\s+)?\b(?:(?:for|about|of|on|in)\s{1,3})?(?:the\s{1,3})?"
_POSSESSED = r"(?:['’]s)?(?!\w)"
"""What goes with a name that is left out, before and behind it."""


def relevance(queries: Sequence[str], evidence: Sequence[Evidence], finder: StatementFinder) -> list[float]:
    """Score each evidence by its statement that is nearest to any of several wordings of one question, 0 to 1."""
    best: dict[str, float] = {}
    for one in finder.nearest(queries, evidence):
        best.setdefault(one.evidence.evidence_id, one.score)
    return [round(max(LEAST, best.get(item.evidence_id, LEAST)), 4) for item in evidence]


def searchable_text(evidence: Evidence) -> str:
    """What an evidence is found by: its own text and what names it."""
    return " ".join([evidence.title, evidence.section or "", *evidence.keywords, evidence.text])


def asked_terms(query: str, names: Sequence[str]) -> frozenset[str]:
    """Terms of a question without those of the products it names."""
    of_names = {term for name in names for term in terms(name)}
    return frozenset(terms(query)) - of_names


def of_kind(query: str, products: Sequence[Product]) -> str:
    """A question with what kind of products it is about in place of their names.

    "Can I return the Kestrel 2?" asks "Tents: can I return?": all that is read is about the product, so its name would
    only draw near what repeats it, while rules speak of its kind.
    """
    for product in products:
        rest = name_pattern(product.name, _OF_THE, _POSSESSED).sub("", query).strip()
        query = rest if len(words(rest)) > 1 else query
    kinds = dict.fromkeys(product.category[-1] for product in products if product.category)
    return f"{', '.join(kinds)}: {query}" if kinds else query


def wordings(queries: Sequence[str], products: Sequence[Product]) -> list[str]:
    """Questions as they are compared with statements that are about these products, or about all."""
    return list(dict.fromkeys(of_kind(query, products) for query in queries))


Scored = tuple[Evidence, float]
Ranked = list[Scored]


@dataclass(frozen=True, slots=True)
class SearchParts:
    """What search is made from.

    Attributes:
        knowledge: What is searched.
        encoder: Embeds questions.
        finder: Finds the statements that may answer.
        catalog: Finds the products a question names, where there is a catalog.
    """

    knowledge: KnowledgeBase
    encoder: Encoder
    finder: StatementFinder
    catalog: CatalogSearch | None = None


def document_hits(parts: SearchParts, query: str, history: Sequence[Mapping[str, str]] = ()) -> Ranked:
    """Everything a question finds in the shop, whatever its intent, best first.

    Args:
        parts: What is searched, and with what.
        query: The question.
        history: What was said before, as `{role, content}`.
    """
    exchanges = exchanges_of(history)
    memory = Memory(parts.encoder, parts.knowledge)
    recalled = memory.recall(memory.continues(query, exchanges), exchanges) if exchanges else []
    found = shop_hits(parts, [query], SOURCE_TYPES, recalled)
    for product_id in _named(parts, query, recalled):
        found += product_hits(parts, [query], product_id, SOURCE_TYPES)
    best: dict[str, tuple[Evidence, float]] = {}
    for hit in sorted(found, key=lambda pair: (-pair[1], pair[0].evidence_id)):
        best.setdefault(hit[0].evidence_id, hit)
    return list(best.values())


def _named(parts: SearchParts, query: str, recalled: Sequence[WeightedText]) -> list[str]:
    """The products that the question names; where it names none, those named latest before it."""
    if parts.catalog is None:
        return []
    for text in (query, *(one.text for one in recalled)):
        matches = parts.catalog.find(text, (), ()).matches
        if matches:
            return [match.id for match in matches]
    return []


def product_hits(parts: SearchParts, queries: Sequence[str], product_id: str, source_types: AbstractSet[str]) -> Ranked:
    """All evidence of a product, scored exactly, best first."""
    evidence = parts.knowledge.product_evidence(product_id, source_types)
    if not evidence:
        return []
    about = wordings(queries, [parts.knowledge.products[product_id]])
    return _ranked(evidence, relevance(about, evidence, parts.finder))


def related_hits(parts: SearchParts, queries: Sequence[str], product_id: str, source_types: AbstractSet[str]) -> Ranked:
    """The specification of an accessory or sibling that the question names beside the product ("with a footprint?")."""
    products = parts.knowledge.products
    product = products[product_id]
    asked = asked_terms(queries[0], [product.name])
    named = [key for key in product.related if key in products and asked & set(terms(products[key].name))]
    return [
        hit
        for key in named
        for hit in product_hits(parts, queries, key, source_types & {"spec"})
        if hit[0].product_id == key
    ]


def shop_hits(
    parts: SearchParts,
    queries: Sequence[str],
    source_types: AbstractSet[str],
    recalled: Sequence[WeightedText] = (),
    products: Sequence[Product] = (),
) -> Ranked:
    """The shop-wide evidence that dense and lexical search find, best first.

    Args:
        parts: What is searched, and with what.
        queries: Wordings of one question; each is searched.
        source_types: Kinds of evidence that are wanted.
        recalled: What was said before that counts; it is searched beside each wording.
        products: Those in question.
    """
    found, scores = find_candidates(parts.knowledge, parts.encoder, queries, source_types, recalled)
    if not found:
        return []
    evidence = parts.knowledge.evidence(found)
    # Lexical scores compare within one search only; the best one's own relevance makes them comparable with others'.
    best = int(scores.argmax())
    [absolute] = relevance(wordings(queries, products), [evidence[best]], parts.finder)
    scale = absolute / scores[best] if scores[best] else 0.0
    return _ranked(evidence, (scores * scale).tolist())[:CANDIDATES]


def _ranked(evidence: Sequence[Evidence], scores: Sequence[float]) -> Ranked:
    ranked = sorted(zip(evidence, scores, strict=True), key=lambda pair: (-pair[1], pair[0].evidence_id))
    return [(item, round(score, 4)) for item, score in ranked]


OPINIONS_LIMIT = 60
"""Reviews are counted, so more of them are kept than of what is quoted."""
VOICE_LIMIT = 3
"""Chunks of one review."""
KIND_LIMIT = 8
"""Evidence of one kind beyond which only new perspectives are added."""


def merged(hits: Sequence[Hit], knowledge: KnowledgeBase) -> list[Scored]:
    """The evidence of parallel retrievals, each once at its best score, best first."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.evidence_id] = max(hit.score, best.get(hit.evidence_id, 0.0))
    ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
    found = knowledge.evidence([key for key, _ in ranked])
    return list(zip(found, (score for _, score in ranked), strict=True))


def reduce_hits(found: Sequence[Scored], limit: int) -> list[Scored]:
    """Cut evidence to the budget, best first.

    The best of every source type of every product, group, region and membership comes before the rest, so that the
    seller, customers and the help centre are all heard.
    """
    reviews = _of_many_voices([pair for pair in found if pair[0].source_type == "review"])[:OPINIONS_LIMIT]
    others = _distinct([pair for pair in found if pair[0].source_type != "review"])
    kept = _with_perspectives(others, limit) + reviews
    return sorted(kept, key=lambda pair: (-pair[1], pair[0].evidence_id))


def _of_many_voices(reviews: Sequence[Scored]) -> list[Scored]:
    """Reviews with no more than the best chunks of each, so that a long one leaves room for others."""
    counts: Counter[str] = Counter()
    kept = []
    for item, score in reviews:
        counts[item.row_id] += 1
        if counts[item.row_id] <= VOICE_LIMIT:
            kept.append((item, score))
    return kept


def _with_perspectives(found: Sequence[Scored], limit: int) -> list[Scored]:
    seen: set[tuple[str | None, ...]] = set()
    counts: Counter[str] = Counter()
    first: list[Scored] = []
    rest: list[Scored] = []
    for item, score in found:
        perspective = (item.source_type, item.product_id, item.category, item.brand, item.region, item.membership)
        if perspective not in seen:
            first.append((item, score))
        elif counts[item.source_type] < KIND_LIMIT:
            rest.append((item, score))
        seen.add(perspective)
        counts[item.source_type] += 1
    return [*first, *rest][: max(limit, len(first))]


def _distinct(found: Sequence[Scored]) -> list[Scored]:
    """Drop what repeats better evidence of the same kind and product word for word."""
    first = {(pair[0].product_id, pair[0].source_type, tuple(words(pair[0].text))): pair for pair in reversed(found)}
    return list(first.values())[::-1]
