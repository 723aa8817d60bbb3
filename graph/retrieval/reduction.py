"""Context reduction: from everything found to what the responder reads."""

from collections.abc import Sequence

from graph.language.terms import words
from graph.parts import Context
from graph.state import Hit

OPINIONS_LIMIT = 60
"""Reviews are counted, so more of them are kept than of what is quoted."""


def reduce_hits(hits: Sequence[Hit], parts: Context) -> list[tuple[str, float]]:
    """Merge the hits of parallel retrievals and cut them to the budget, best first.

    The best evidence of every source type of every product comes before the rest, so that the seller, customers and
    the help centre are all heard.
    """
    best: dict[str, Hit] = {}
    for hit in sorted(hits, key=lambda h: (-h["score"], h["evidence_id"])):
        best.setdefault(hit["evidence_id"], hit)
    reviews = [hit for key, hit in best.items() if _source_type(hit) == "review"][:OPINIONS_LIMIT]
    others = _distinct([hit for hit in best.values() if _source_type(hit) != "review"], parts)
    kept = _with_perspectives(others, parts.options.evidence_limit) + reviews
    return [(hit["evidence_id"], hit["score"]) for hit in sorted(kept, key=lambda h: (-h["score"], h["evidence_id"]))]


def _source_type(hit: Hit) -> str:
    return hit["evidence_id"].split(":", 1)[0]


def _with_perspectives(hits: list[Hit], limit: int) -> list[Hit]:
    seen: set[tuple[str | None, str]] = set()
    first: list[Hit] = []
    rest: list[Hit] = []
    for hit in hits:
        perspective = (hit["product_id"], _source_type(hit))
        (rest if perspective in seen else first).append(hit)
        seen.add(perspective)
    return [*first, *rest][: max(limit, len(first))]


def _distinct(hits: list[Hit], parts: Context) -> list[Hit]:
    """Drop what repeats a better hit of the same kind and product word for word."""
    texts = [tuple(words(item.text)) for item in parts.knowledge.evidence([hit["evidence_id"] for hit in hits])]
    seen: set[tuple[str | None, str, tuple[str, ...]]] = set()
    kept = []
    for hit, text in zip(hits, texts, strict=True):
        key = (hit["product_id"], _source_type(hit), text)
        if key not in seen:
            kept.append(hit)
        seen.add(key)
    return kept
