"""Reviews: what customers report, how many of them, and what an answer tells of it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from graph.answering.candidate import Candidate, cited, paragraph
from graph.answering.matching import attribute_lines
from graph.draft import Block, Segment, Sentence, Span
from graph.language.injection import instructs
from graph.language.locale import reply, table, word_class
from graph.language.negation import excludes
from graph.language.sentences import quoted
from graph.language.terms import STOPWORDS, words
from graph.turn import Derived
from graph.understanding.parsed_question import MEASURING, Form, ParsedClause
from ingestion.evidence import Evidence, Product, lines
from ingestion.spans import sentence_spans
from ingestion.stems import stem

Polarity = Literal["for", "against", "neither"]
DECIDED = 0.25
"""From this sentiment on (of 1), a sentence is for or against."""
DECIDED_AGAINST_STARS = 0.45
LEAST_WORDS = 3
GOOD_STARS, BAD_STARS = 4, 2
_INTERJECTION = re.compile(r"(?i)^\W*(?:(?:yes|yeah|yep|well|oh)\b[\s,.!:-]*|(?:no|nope)\b\s*[,.!:-]\s*)")
"""Opens an answer and judges nothing."""
RATING_LINE = re.compile(r"(?m)^Rating: [\d.]+ of 5$")


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

    @property
    def where(self) -> Span:
        """Where it stands."""
        return Span(evidence_id=self.review.evidence_id, start=self.start, end=self.end)


@lru_cache(maxsize=1)
def aspects() -> tuple[Aspect, ...]:
    """The known aspects, read once."""
    return tuple(
        Aspect(
            name=entry["name"],
            stems=frozenset(map(stem, entry["words"])),
            views={view: re.compile(pattern, re.IGNORECASE) for view, pattern in entry.get("views", {}).items()},
        )
        for entry in table("opinions")["aspect"]
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
            review, start, end = max(spoken, key=lambda at: _clearness(*at))
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
    value, rating = _sentiment_of(review, start, end), review.rating
    if _clearness(review, start, end) < 0:
        return "against" if rating is not None and rating <= BAD_STARS and value <= 0 else "neither"
    return "for" if value > 0 else "against"


def _clearness(review: Evidence, start: int, end: int) -> float:
    """By how much a sentence is more for or against the product than it must be to judge it."""
    value, rating = _sentiment_of(review, start, end), review.rating
    gainsaid = rating is not None and (rating <= BAD_STARS if value > 0 else rating >= GOOD_STARS)
    return abs(value) - (DECIDED_AGAINST_STARS if gainsaid else DECIDED)


def _sentiment_of(review: Evidence, start: int, end: int) -> float:
    return sentiment(_INTERJECTION.sub("", review.text[start:end]))


@lru_cache(maxsize=1)
def _phrases() -> list[tuple[re.Pattern[str], float]]:
    """Phrases by strength of what they override: negated ones first, as they contain the others."""
    rows = [(re.compile(row["pattern"], re.IGNORECASE), float(row["polarity"])) for row in table("opinions")["phrase"]]
    return sorted(rows, key=lambda row: -abs(row[1]))


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()


SHOWN_EACH = 2
"""Citations shown for one side of one aspect; `derived` names all that were counted."""
Side = tuple[str, str, list[Mention]]
"""Some mentions behind what they say: the name of a reply, and the view it takes."""


def sides_of(aspect: Aspect, found: Sequence[Mention]) -> list[Side]:
    """Mentions by the views of an aspect, most first, or for and against.

    What takes no view, or judges nothing, is on no side.
    """
    views: dict[str, list[Mention]] = {}
    for mention in found:
        view = next((name for name, pattern in aspect.views.items() if pattern.search(mention.text)), None)
        if view:
            views.setdefault(view, []).append(mention)
    judging = {
        "positive": [mention for mention in found if mention.polarity == "for"],
        "critical": [mention for mention in found if mention.polarity == "against"],
    }
    by_size = sorted(views.items(), key=lambda side: -len(side[1]))
    taken = [("view", view, group) for view, group in by_size]
    return taken or [(name, "", group) for name, group in judging.items() if group]


def counted_sides(aspect: Aspect, found: Sequence[Mention], product: Product) -> Sentence:
    """Which of the mentions are for and against, or take which view, each counted."""
    sides = sides_of(aspect, found)
    counted = sum(len(group) for *_, group in sides)
    named = aspect.name if " " in aspect.name else reply("the_aspect", aspect=aspect.name)
    named = reply("this_aspect") if aspect.together else named
    segments = [Segment(text=reply("judge", many=counted != 1, reviews=_reviews(counted), aspect=named))]
    for index, (said, view, group) in enumerate(sides):
        joint = "" if index == 0 else f" {reply('and')} " if index == len(sides) - 1 else ", "
        share = reply("all_of_them") if len(group) == counted > 1 else str(len(group))
        text = f"{joint}{share} {reply(said, many=len(group) > 1, view=view)}"
        segments.append(Segment(text=text, spans=_counted(group)))
    return Sentence(segments=[*segments, Segment(text=".")], product_id=product.id)


def listed_side(head: str, rows: Sequence[tuple[str, list[Mention]]], product: Product) -> Sentence:
    """Aspects of one side in a row, each with its count."""
    segments = [Segment(text=head)]
    for index, (name, group) in enumerate(rows):
        joint = "" if index == 0 else ", "
        segments.append(Segment(text=f"{joint}{name} ({_reviews(len(group))})", spans=_counted(group)))
    return Sentence(segments=[*segments, Segment(text=".")], product_id=product.id)


def average_rating(reviews: Sequence[Evidence], product: Product) -> Sentence | None:
    """The mean of the stars; None where nobody gave any."""
    rated = [chunks for chunks in voices(reviews) if chunks[0].rating is not None]
    if not rated:
        return None
    told = [next((one for one in chunks if RATING_LINE.search(one.text)), chunks[0]) for chunks in rated]
    mean = round(sum(review.rating or 0 for review in told) / len(told), 1)
    stars = RATING_LINE.search(told[0].text)
    start, end = stars.span() if stars else next(lines(told[0].text))
    derived = Derived(op="mean", of=[review.evidence_id for review in told], value=mean)
    where = Span(evidence_id=told[0].evidence_id, start=start, end=end, derived=derived)
    text = reply("average", reviews=_reviews(len(told)), mean=mean)
    return Sentence(segments=[Segment(text=text, spans=[where]), Segment(text=".")], product_id=product.id)


def _reviews(count: int) -> str:
    return reply("reviews", many=count != 1, count=count)


def _counted(group: Sequence[Mention]) -> list[Span]:
    """Spans of a counted group; the first carries the count over all of it."""
    derived = Derived(op="count", of=[mention.review.evidence_id for mention in group], value=len(group))
    first, *others = (mention.where for mention in group[:SHOWN_EACH])
    return [first.model_copy(update={"derived": derived}), *others]


LEAST_OWN_MENTIONS = 3
SHORTEST_PLURAL = 4
FRAME = frozenset(map(stem, [*STOPWORDS, *word_class("asking_opinions")]))
"""Stems of the words that ask for opinions and name no aspect."""


def aspect_asked(asked: ParsedClause, reviews: Sequence[Evidence]) -> Aspect | None:
    """The aspect a clause asks about: a known one, or, where it asks what customers say of one, a word they use."""
    rest = asked.terms - FRAME
    known = [(len(rest & aspect.stems), aspect) for aspect in aspects() if rest & aspect.stems]
    if known:
        return max(known, key=lambda pair: pair[0])[1]
    used = {stem(word) for one in reviews for word in words(one.text)} if Form.OPINIONS_OF in asked.forms else set()
    own = next((word for word in words(asked.text) if stem(word) in rest & used), None)
    return Aspect(name=own, stems=frozenset({stem(own)})) if own else None


def matter_of(asked: ParsedClause) -> Aspect:
    """What a clause is about in reviews: a known aspect, or all of its own words together."""
    known = next((aspect for aspect in aspects() if asked.specific and asked.specific <= aspect.stems), None)
    spoken = [word for word in words(asked.text) if stem(word) in asked.specific]
    return known or Aspect(name=" ".join(dict.fromkeys(spoken)), stems=asked.specific, together=True)


def _is_plural(word: str) -> bool:
    return len(word) >= SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss")


def own_aspects(stated: Sequence[Evidence], reviews: Sequence[Evidence]) -> list[Aspect]:
    """Parts of the product, named in its specification or features, that several reviews speak of by that name.

    Names of attributes and plurals are things; what a known aspect covers is left to it.
    """
    known = {term for aspect in aspects() for term in aspect.stems}
    parts: dict[str, str] = {}
    for item in stated:
        names = {word for name, *_ in attribute_lines(item) for word in words(name)}
        for word in words(item.text):
            if (word in names or _is_plural(word)) and word not in STOPWORDS and word.isalpha():
                parts.setdefault(stem(word), word)
    used = Counter(term for term, _ in {(stem(word), one.row_id) for one in reviews for word in words(one.text)})
    own = {term: word for term, word in parts.items() if used[term] >= LEAST_OWN_MENTIONS}
    own = {term: word for term, word in own.items() if term not in known | MEASURING}
    return [Aspect(word, frozenset({term})) for term, word in own.items()]


ASPECTS_SHOWN = 5
RATED = frozenset(map(stem, word_class("rating")))
LEAST_MENTIONS = 2


def find_opinions(
    asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]
) -> Candidate | None:
    """What reviews say of the aspect asked about, or of all; their average alone where only that is asked for."""
    reviews = [item for item, _ in evidence if item.source_type == "review" and item.product_id == product.id]
    if not reviews:
        return None
    average = average_rating(reviews, product)
    aspect = aspect_asked(asked, reviews)
    rated = asked.terms & RATED or (asked.quantity and stem("reviews") in asked.terms)
    if average and rated and asked.terms - {stem("many")} <= RATED | FRAME:
        aspect, blocks = None, [paragraph(average)]
    elif aspect is not None:
        blocks = aspect_blocks(aspect, reviews, product)
    elif asked.specific - FRAME:
        return None
    else:
        stated = [e for e, _ in evidence if e.source_type in ("spec", "feature") and e.product_id == product.id]
        blocks = [*overview_blocks(reviews, stated, product), *([paragraph(average)] if average else [])]
    names = (aspect.name,) if aspect else ()
    return Candidate(blocks=tuple(blocks), score=0.75, source_type="review", attributes=names) if blocks else None


def aspect_blocks(aspect: Aspect, reviews: Sequence[Evidence], product: Product) -> list[Block]:
    """Counts for one aspect by view or by side, and a voice of each side."""
    found = mentions(aspect, reviews)
    sides = sides_of(aspect, found)
    heard = [_clearest(group) for *_, group in sides[:2]] or found[:SHOWN_EACH]
    counted = [counted_sides(aspect, found, product)] if sides else []
    return [paragraph(*counted, *(_voice(mention, product) for mention in heard))] if heard else []


def overview_blocks(reviews: Sequence[Evidence], stated: Sequence[Evidence], product: Product) -> list[Block]:
    """Pros and cons by how many customers name them; some voices where nothing is judged."""
    heard = voices(reviews)
    found = [(aspect.name, mentions(aspect, reviews)) for aspect in [*aspects(), *own_aspects(stated, reviews)]]
    least = LEAST_MENTIONS if len(heard) > LEAST_MENTIONS * 2 else 1
    blocks = []
    for head, side in (("**For:** ", "for"), ("**Against:** ", "against")):
        rows = [(name, [one for one in own if one.polarity == side]) for name, own in found if len(own) >= least]
        rows = sorted((row for row in rows if row[1]), key=lambda row: -len(row[1]))[:ASPECTS_SHOWN]
        blocks += [paragraph(listed_side(head, rows, product))] if rows else []
    first = [Mention(chunks[0], *sentence_spans(chunks[0].text)[0], "neither") for chunks in heard[: SHOWN_EACH + 1]]
    return blocks or [paragraph(*(_voice(mention, product) for mention in first))]


def contradiction(asked: ParsedClause, reviews: Sequence[Evidence], product: Product, *, denied: bool) -> list[Block]:
    """What customers say of the matter asked where some speak against it, each side counted and heard.

    Where the seller denies it, every review that tells of it speaks against the seller.
    """
    aspect = matter_of(asked)
    found = mentions(aspect, reviews)
    if denied:
        telling = [_voice(mention, product) for mention in found if not excludes(mention.text)]
        return [paragraph(*telling[:SHOWN_EACH])] if telling else []
    against = [mention for mention in found if mention.polarity == "against"]
    few = aspect.together and (len(against) < LEAST_MENTIONS or len(against) * 2 < len(found))
    return aspect_blocks(aspect, reviews, product) if against and not few else []


def _clearest(group: Sequence[Mention]) -> Mention:
    return max(group, key=lambda mention: (is_statement(mention.text), abs(sentiment(mention.text))))


def _voice(mention: Mention, product: Product) -> Sentence:
    return cited(quoted("review", mention.text), mention.where, product_id=product.id)
