"""Aspects: what a clause asks about in reviews, and which parts of a product its reviews speak of."""

import re
from collections import Counter
from collections.abc import Sequence

from graph.answering.matching import attribute_lines
from graph.answering.parsed_clause import MEASURING, ParsedClause
from graph.answering.reviews import Aspect, aspects
from graph.language.terms import STOPWORDS, stem, words
from ingestion.evidence import Evidence

LEAST_OWN_MENTIONS = 3
SHORTEST_PLURAL = 4
MOST_OWN = 40
"""Parts of a product that its reviews are searched for."""
_FRAME_WORDS = """people customer customers review reviews reviewer reviewers say says think opinion opinions pros cons
    pro con good bad like love hate complain complaint complaints problem problems issue issues worth experience
    experiences feedback rating ratings rate recommend users buyers owners verdict summary summarise summarize
    advantages disadvantages anyone mention overall general happy satisfied about best worst thing things main
    common"""
FRAME = frozenset(map(stem, [*STOPWORDS, *_FRAME_WORDS.split()]))
"""Stems of the words that ask for opinions and name no aspect."""
ABOUT = re.compile(
    r"(?i)\b(say|says|think|feel|opinions?|reviews?|complaints?|complain)\b.{0,200}\b(about|on|of|regarding)\b"
)
"""Asks for one thing that customers say."""


def aspect_asked(asked: ParsedClause, reviews: Sequence[Evidence]) -> Aspect | None:
    """The aspect a clause asks about: a known one, or, where it asks what customers say of one, a word they use."""
    rest = asked.terms - FRAME
    known = [(len(rest & aspect.stems), aspect) for aspect in aspects() if rest & aspect.stems]
    if known:
        return max(known, key=lambda pair: pair[0])[1]
    used = {stem(word) for one in reviews for word in words(one.text)} if ABOUT.search(asked.text) else set()
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
    most = frozenset(sorted(own, key=lambda term: -used[term])[:MOST_OWN])
    return [Aspect(word, frozenset({term})) for term, word in own.items() if term in most]
