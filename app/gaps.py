"""Gaps: what customers asked and nothing answered, the same question of many customers as one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.storage.staff import Gap
from graph.language.terms import words
from graph.understanding.parsed_question import analyse
from ingestion.evidence import Product
from ingestion.stems import stem

SAME = 0.5
"""Share of the fewer words of two questions, those that an answer must be about, from which on they ask the same."""
WEEK = timedelta(days=7)


@dataclass(slots=True)
class GapCluster:
    """Questions about one product, or about the shop, of which the same was left unanswered.

    Attributes:
        product_id: The product; None for the shop.
        gaps: The questions, oldest first.
        words: What an answer must be about, each stem with how many of them have it.
    """

    product_id: str | None
    gaps: list[Gap] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)

    @property
    def question(self) -> str:
        """The whole question that was asked most often, of those the latest."""
        counts = Counter(gap.question for gap in self.gaps)
        return max(reversed([gap.question for gap in self.gaps]), key=lambda question: counts[question])

    @property
    def intent(self) -> str | None:
        """The intent of most."""
        return Counter(gap.intent for gap in self.gaps).most_common(1)[0][0]

    @property
    def attribute(self) -> str:
        """What nothing answers: the words of the question that most of them share."""
        most = max(self.words.values(), default=0)
        asked = {word: stem(word) for gap in self.gaps if gap.question == self.question for word in words(gap.part)}
        return " ".join(word for word, base in asked.items() if self.words[base] == most)

    @property
    def threads(self) -> int:
        """How many turns asked it."""
        return len({gap.turn_id for gap in self.gaps})

    def asks_for(self, part: str, product: Product | None) -> bool:
        """Whether a part of a question about a product is what nothing answers here."""
        return _alike(_asked(part, product), self) >= SAME

    def trend(self, now: datetime, days: int) -> int | None:
        """How many more were asked in the last week than in the one before; less than none where it was fewer.

        Args:
            now: The end of the last week.
            days: Of which there are gaps; where these are fewer than two weeks, nothing can be compared.
        """
        if timedelta(days=days) < 2 * WEEK:
            return None
        weeks = Counter((now - gap.at) // WEEK for gap in self.gaps)
        return weeks[0] - weeks[1]


def clustered(gaps: Sequence[Gap], products: Mapping[str, Product]) -> list[GapCluster]:
    """Questions that ask the same, those of most customers first.

    Args:
        gaps: The questions, oldest first.
        products: The catalog; a product's name says nothing of what is asked of it.
    """
    clusters: dict[str | None, list[GapCluster]] = {}
    for gap in gaps:
        product = products.get(gap.product_id or "")
        asked = _asked(gap.part, product)
        own = clusters.setdefault(gap.product_id, [])
        likest = max(own, key=lambda one: _alike(asked, one), default=None)
        if likest is None or _alike(asked, likest) < SAME:
            likest = GapCluster(gap.product_id)
            own.append(likest)
        likest.gaps.append(gap)
        likest.words.update(sorted(asked))
    return sorted((one for own in clusters.values() for one in own), key=lambda one: (-one.threads, -_latest(one)))


def _asked(part: str, product: Product | None) -> frozenset[str]:
    """The stems that an answer must be about."""
    return analyse(part, (product.name,) if product else ()).specific


def _alike(asked: frozenset[str], cluster: GapCluster) -> float:
    """How far a question asks for what others do; two that ask for nothing in particular do."""
    told = frozenset(cluster.words)
    fewer = min(len(asked), len(told))
    return len(asked & told) / fewer if fewer else float(asked == told)


def _latest(cluster: GapCluster) -> float:
    return cluster.gaps[-1].at.timestamp()
