"""Context reduction: from everything found to what the responder reads."""

from collections import Counter
from collections.abc import Sequence

from graph.language.terms import words
from graph.parts import KnowledgeBase
from graph.state import Hit
from ingestion.evidence import Evidence

OPINIONS_LIMIT = 60
"""Reviews are counted, so more of them are kept than of what is quoted."""
VOICE_LIMIT = 3
"""Chunks of one review."""
KIND_LIMIT = 8
"""Evidence of one kind beyond which only new perspectives are added."""

Scored = tuple[Evidence, float]


def merged(hits: Sequence[Hit], knowledge: KnowledgeBase) -> list[Scored]:
    """The evidence of parallel retrievals, each once at its best score, best first."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit["evidence_id"]] = max(hit["score"], best.get(hit["evidence_id"], 0.0))
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
    seen: set[tuple[str | None, str, tuple[str, ...]]] = set()
    kept = []
    for item, score in found:
        key = (item.product_id, item.source_type, tuple(words(item.text)))
        if key not in seen:
            kept.append((item, score))
        seen.add(key)
    return kept
