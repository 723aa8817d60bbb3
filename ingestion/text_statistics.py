"""How long the texts of a generation are, in words and in the embedding model's tokens."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ingestion.evidence import Evidence

OVERALL = "all"
"""Stands for all source types together."""


def text_statistics(evidence: Sequence[Evidence], tokens: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Measure texts.

    Args:
        evidence: The evidence.
        tokens: Tokens of their texts, in the same order.

    Returns:
        Source type, and `all`, to `{"evidence": n, "words": lengths, "tokens": lengths}`, where lengths are
        `{"total", "mean", "min", "max"}`.
    """
    lengths: dict[str, list[tuple[int, int]]] = {}
    for one, count in zip(evidence, tokens, strict=True):
        lengths.setdefault(one.source_type, []).append((len(one.text.split()), int(count)))
    everything = [pair for pairs in lengths.values() for pair in pairs]
    return {kind: _described(pairs) for kind, pairs in [*sorted(lengths.items()), (OVERALL, everything)] if pairs}


def _described(pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    words, tokens = zip(*pairs, strict=True)
    return {"evidence": len(pairs), "words": _lengths(words), "tokens": _lengths(tokens)}


def _lengths(counts: Iterable[int]) -> Mapping[str, float]:
    ordered = sorted(counts)
    total = sum(ordered)
    return {"total": total, "mean": round(total / len(ordered), 1), "min": ordered[0], "max": ordered[-1]}
