"""What single reviews say: which aspect a sentence is about, and whether it speaks for or against it."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from graph.language.injection import instructs
from graph.language.terms import stem, words
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans

Polarity = Literal["for", "against", "neither"]
DECIDED = 0.25
"""From this sentiment on (of 1), a sentence is for or against."""
DECIDED_AGAINST_STARS = 0.45
LEAST_WORDS = 3
GOOD_STARS, BAD_STARS = 4, 2
_INTERJECTION = re.compile(r"(?i)^\W*(?:(?:yes|yeah|yep|well|oh)\b[\s,.!:-]*|(?:no|nope)\b\s*[,.!:-]\s*)")
"""Opens an answer and judges nothing."""
RATING_LINE = re.compile(r"Rating: [\d.]+ of 5$")


@dataclass(frozen=True, slots=True)
class Aspect:
    """Something customers judge.

    Attributes:
        name: What it is called.
        stems: Stems of the words that speak of it.
        views: Named views of it, as patterns.
        together: All stems must occur in one sentence, not just any.
    """

    name: str
    stems: frozenset[str]
    views: dict[str, re.Pattern[str]] = field(default_factory=dict)
    together: bool = False

    def spoken_of(self, text: str) -> bool:
        """Whether a sentence speaks of it."""
        said = set(map(stem, words(text)))
        return bool(self.stems) and (self.stems <= said if self.together else bool(self.stems & said))


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence of a review that speaks of an aspect."""

    review: Evidence
    start: int
    end: int
    polarity: Polarity

    @property
    def text(self) -> str:
        """The sentence, character for character."""
        return self.review.text[self.start : self.end]


@lru_cache(maxsize=1)
def aspects() -> tuple[Aspect, ...]:
    """The known aspects, read once."""
    return tuple(
        Aspect(
            name=entry["name"],
            stems=frozenset(map(stem, entry["words"])),
            views={view: re.compile(pattern, re.IGNORECASE) for view, pattern in entry.get("views", {}).items()},
        )
        for entry in _lexicon()["aspect"]
    )


@lru_cache(maxsize=1)
def aspect_words() -> frozenset[str]:
    """Stems of the words with which aspects and the views of them are named."""
    named = [f"{aspect.name} {' '.join(aspect.views)}" for aspect in aspects()]
    return frozenset(stem(word) for name in named for word in words(name))


def sentiment(text: str) -> float:
    """How favourable a sentence is, -1 to 1: VADER (Hutto and Gilbert, 2014) with phrases of the trade."""
    for pattern, polarity in _phrases():
        if pattern.search(text):
            return polarity
    return float(_analyzer().polarity_scores(text)["compound"])


def mentions(aspect: Aspect, reviews: Sequence[Evidence]) -> list[Mention]:
    """For each review that speaks of an aspect, the sentence that judges it most clearly."""
    found = []
    for chunks in voices(reviews):
        spoken = [
            (review, start, end)
            for review in chunks
            for start, end in sentence_spans(review.text)
            if _speaks_of(aspect, review.text[start:end])
        ]
        if spoken:
            review, start, end = max(spoken, key=lambda at: abs(sentiment(at[0].text[at[1] : at[2]])))
            found.append(Mention(review, start, end, polarity(review, start, end)))
    return found


def voices(reviews: Sequence[Evidence]) -> list[list[Evidence]]:
    """The chunks of each review, which is one voice however long; in the order of their first."""
    chunks: dict[str, list[Evidence]] = {}
    for review in reviews:
        chunks.setdefault(review.row_id, []).append(review)
    return list(chunks.values())


def is_statement(sentence: str) -> bool:
    """Whether a sentence of a review can be quoted alone: a question cannot, nor a title of a word or two."""
    flat = sentence.rstrip()
    return not flat.endswith("?") and (flat.endswith((".", "!")) or len(words(flat)) >= LEAST_WORDS)


def _speaks_of(aspect: Aspect, sentence: str) -> bool:
    spoken = aspect.spoken_of(sentence) and not sentence.rstrip().endswith("?")
    return spoken and not RATING_LINE.match(sentence) and not instructs(sentence)


def polarity(review: Evidence, start: int, end: int) -> Polarity:
    """Whether a sentence of a review plainly speaks for or against the product.

    What its stars gainsay must be said the more strongly. Few stars speak against what is told without a judgement;
    many say nothing of one matter.
    """
    value = sentiment(_INTERJECTION.sub("", review.text[start:end]))
    rating = review.rating
    gainsaid = rating is not None and (rating <= BAD_STARS if value > 0 else rating >= GOOD_STARS)
    if abs(value) < (DECIDED_AGAINST_STARS if gainsaid else DECIDED):
        return "against" if rating is not None and rating <= BAD_STARS and not gainsaid else "neither"
    return "for" if value > 0 else "against"


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files("graph.language").joinpath("opinions.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _phrases() -> list[tuple[re.Pattern[str], float]]:
    """Phrases by strength of what they override: negated ones first, as they contain the others."""
    rows = [(re.compile(row["pattern"], re.IGNORECASE), float(row["polarity"])) for row in _lexicon()["phrase"]]
    return sorted(rows, key=lambda row: -abs(row[1]))


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()
