"""Opinions: what customers say of an aspect, for and against."""

from collections import Counter
from collections.abc import Sequence

from graph.answering.candidate import Candidate, cited, paragraph
from graph.answering.matching import attribute_lines
from graph.answering.reviews import (
    SHOWN_EACH,
    Aspect,
    Mention,
    aspects,
    average_rating,
    counted_sides,
    is_statement,
    listed_side,
    mentions,
    sentiment,
    sides_of,
    voices,
)
from graph.draft import Block, Sentence
from graph.language.negation import excludes
from graph.language.sentences import quoted
from graph.language.terms import STOPWORDS, words
from graph.understanding.parsed_question import MEASURING, Form, ParsedClause
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans
from ingestion.stems import stem

LEAST_OWN_MENTIONS = 3
SHORTEST_PLURAL = 4
_FRAME_WORDS = """people customer customers review reviews reviewer reviewers say says think opinion opinions pros cons
    pro con good bad like love hate complain complaint complaints problem problems issue issues worth experience
    experiences feedback rating ratings rate recommend users buyers owners verdict summary summarise summarize
    advantages disadvantages anyone mention overall general happy satisfied about best worst thing things main
    common"""
FRAME = frozenset(map(stem, [*STOPWORDS, *_FRAME_WORDS.split()]))
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
RATED = frozenset(map(stem, "rating ratings stars star rated score average".split()))
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
    heard = [_clearest(group) for _, group in sides[:2]] or found[:SHOWN_EACH]
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
