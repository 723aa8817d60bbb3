"""Answers from reviews: what customers say for and against, with counts that recompute."""

import re
from collections import Counter
from collections.abc import Sequence

from graph.answering.asked import MEASURING, Asked
from graph.answering.candidate import Candidate, paragraph
from graph.answering.matching import attribute_lines
from graph.answering.reviews import RATING_LINE, Aspect, Mention, aspects, is_statement, mentions, sentiment
from graph.draft import Block, Claim, Sentence, Span
from graph.language.sources import quoted
from graph.language.terms import STOPWORDS, stem, words
from graph.turn import Derived
from ingestion.evidence import Evidence, Product, lines

SHOWN_EACH = 2
"""Citations shown for one side of one aspect; `derived` names all that were counted."""
ASPECTS_SHOWN = 5
NEGATION = re.compile(r"(?i)\b(no|not|never|without|zero|none)\b|n['’]t\b")
ABOUT = re.compile(
    r"(?i)\b(say|says|think|feel|opinions?|reviews?|complaints?|complain)\b.*\b(about|on|of|regarding)\b"
)
"""Asks for one thing that customers say."""
RATED = frozenset(map(stem, "rating ratings stars star rated score average".split()))
REPORTED = 0.4
"""Score of what only customers report: whatever the shop itself says comes first."""
LEAST_OWN_MENTIONS = 3
LEAST_MENTIONS = 2


def find_opinions(asked: Asked, product: Product, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """What reviews say of the aspect asked about, or of all."""
    reviews = [item for item, _ in evidence if item.source_type == "review" and item.product_id == product.id]
    if not reviews:
        return None
    stated = [e for e, _ in evidence if e.source_type in ("spec", "feature") and e.product_id == product.id]
    average = _average(reviews, product)
    rated = asked.terms & RATED or (asked.quantity and stem("reviews") in asked.terms)
    if average and rated and asked.terms - {stem("many")} <= RATED | {stem(word) for word in _FRAME}:
        return Candidate(
            blocks=(paragraph(average),),
            score=0.75,
            source_type="review",
            evidence_ids=frozenset(item.evidence_id for item in reviews),
        )
    aspect = aspect_asked(asked, reviews)
    if aspect is None and (asked.quantity or ABOUT.search(asked.text)) and asked.specific - {stem(w) for w in _FRAME}:
        return None
    blocks = aspect_blocks(aspect, reviews, product) if aspect else overview_blocks(reviews, stated, product)
    if not blocks:
        return None
    return Candidate(
        blocks=tuple(blocks),
        score=0.75,
        source_type="review",
        attributes=(aspect.name,) if aspect else (),
        evidence_ids=frozenset(item.evidence_id for item in reviews),
    )


def aspect_asked(asked: Asked, reviews: Sequence[Evidence]) -> Aspect | None:
    """The aspect a clause asks about: a known one, or a word of its own that reviews use."""
    generic = {stem(word) for word in _FRAME}
    rest = asked.terms - generic
    known = [(len(rest & aspect.stems), aspect) for aspect in aspects() if rest & aspect.stems]
    if known:
        return max(known, key=lambda pair: pair[0])[1]
    used = Counter(term for review in reviews for term in {stem(word) for word in words(review.text)})
    own = [term for term in rest if used[term]]
    if own:
        spoken = next((word for word in words(asked.text) if stem(word) in own), own[0])
        return Aspect(name=spoken, stems=frozenset(own))
    return None


def aspect_blocks(aspect: Aspect, reviews: Sequence[Evidence], product: Product) -> list[Block]:
    """Counts for one aspect by view or by side, and a voice of each side."""
    found = mentions(aspect, reviews)
    if not found:
        return []
    sides = (_views(aspect, found) or _sides(found))[:2]
    if not sides:
        return [paragraph(*(_voice(mention, product) for mention in found[:SHOWN_EACH]))]
    voices = [_voice(_clearest(group), product) for _, group in sides]
    return [paragraph(_counted_sides(aspect, found, product), *voices)]


def _counted_sides(aspect: Aspect, found: Sequence[Mention], product: Product) -> Sentence:
    sides = _views(aspect, found) or _sides(found)
    counted = sum(len(group) for _, group in sides)
    verb = "judges" if counted == 1 else "judge"
    claims = [Claim(text=f"{_reviews(counted)} {verb} {'this' if aspect.together else _aspect_noun(aspect)}: ")]
    for index, (predicate, group) in enumerate(sides):
        joint = "" if index == 0 else " and " if index == len(sides) - 1 else ", "
        text = f"{joint}{_share(len(group), counted)} {_agreeing(predicate, len(group))}"
        claims.append(Claim(text=text, spans=_counted(group)))
    return Sentence(claims=[*claims, Claim(text=".")], product_id=product.id)


def _clearest(group: Sequence[Mention]) -> Mention:
    return max(group, key=lambda mention: (is_statement(mention.text), abs(sentiment(mention.text))))


def overview_blocks(reviews: Sequence[Evidence], stated: Sequence[Evidence], product: Product) -> list[Block]:
    """Pros and cons by how many customers name them, and the average."""
    liked: list[tuple[str, list[Mention]]] = []
    disliked: list[tuple[str, list[Mention]]] = []
    for aspect in [*aspects(), *own_aspects(stated, reviews)]:
        found = mentions(aspect, reviews)
        if len(found) < LEAST_MENTIONS and len(reviews) > LEAST_MENTIONS * 2:
            continue
        for side, into in (("for", liked), ("against", disliked)):
            group = [mention for mention in found if mention.polarity == side]
            if group:
                into.append((aspect.name, group))
    blocks = [
        paragraph(_side(head, sorted(rows, key=lambda row: -len(row[1]))[:ASPECTS_SHOWN], product))
        for head, rows in (("**For:** ", liked), ("**Against:** ", disliked))
        if rows
    ]
    if not blocks:
        blocks = [paragraph(*(_voice_of(review, product) for review in reviews[: SHOWN_EACH + 1]))]
    average = _average(reviews, product)
    return [*blocks, paragraph(average)] if average else blocks


def contradiction(asked: Asked, reviews: Sequence[Evidence], product: Product, *, denied: bool) -> Sentence | None:
    """What customers report against what a seller says of the matter asked; None when none does.

    Where the seller denies it, every review that tells of it speaks against the seller.
    """
    aspect = _matter(asked)
    found = mentions(aspect, reviews)
    if denied:
        telling = [mention for mention in found if not NEGATION.search(mention.text)]
        return _telling(telling, found, product) if telling else None
    against = sorted((m for m in found if m.polarity == "against"), key=lambda m: sentiment(m.text))
    if not against or (aspect.together and (len(against) < LEAST_MENTIONS or len(against) * 2 < len(found))):
        return None
    if aspect.views:
        return _counted_sides(aspect, found, product)
    verb = "is" if len(against) == 1 else "are"
    count = Claim(
        text=f"{len(against)} of {_reviews(len(found))} {_on(aspect)} {verb} critical",
        spans=[*_counted(against), *_total(found, against)],
    )
    return Sentence(claims=[count, Claim(text=".")], product_id=product.id)


def _telling(telling: Sequence[Mention], found: Sequence[Mention], product: Product) -> Sentence:
    verb = "reports" if len(telling) == 1 else "report"
    text = f"{len(telling)} of {_reviews(len(found))} that mention this {verb} it"
    claim = Claim(text=text, spans=[*_counted(telling), *_total(found, telling)])
    return Sentence(claims=[claim, Claim(text=".")], product_id=product.id)


def find_reports(asked: Asked, product: Product, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """What reviews report on a matter that the shop itself says nothing about."""
    reviews = [item for item, _ in evidence if item.source_type == "review" and item.product_id == product.id]
    if not reviews or not asked.specific or asked.quantity:
        return None
    found = mentions(_matter(asked), reviews)
    if not found:
        return None
    single = [paragraph(_voice(found[0], product))]
    blocks = single if len(found) == 1 else aspect_blocks(_matter(asked), reviews, product)
    ids = frozenset(span.evidence_id for block in blocks for sentence in block.sentences for span in sentence.spans)
    return Candidate(blocks=tuple(blocks), score=REPORTED, source_type="review", evidence_ids=ids)


def _matter(asked: Asked) -> Aspect:
    """What a clause is about in reviews: a known aspect, or all of its own words together."""
    known = next((aspect for aspect in aspects() if asked.specific and asked.specific <= aspect.stems), None)
    spoken = [word for word in words(asked.text) if stem(word) in asked.specific]
    return known or Aspect(name=" ".join(dict.fromkeys(spoken)), stems=asked.specific, together=True)


_FRAME = STOPWORDS | frozenset(
    """people customer customers review reviews reviewer reviewers say says think opinion opinions pros cons pro
    con good bad like love hate complain complaint complaints problem problems issue issues worth experience
    experiences feedback rating ratings rate recommend users buyers owners verdict summary summarise summarize
    advantages disadvantages anyone mention overall general happy satisfied about best worst thing things main
    common""".split()
)


def own_aspects(stated: Sequence[Evidence], reviews: Sequence[Evidence]) -> list[Aspect]:
    """Parts of the product, named in its specification or features, that several reviews speak of by that name.

    Names of attributes and plurals are things; what a known aspect covers is left to it.
    """
    known = {term for aspect in aspects() for term in aspect.stems}
    parts: dict[str, str] = {}
    for item in stated:
        names = {word for name, *_ in attribute_lines(item) for word in words(name)}
        for word in words(item.text):
            if (word in names or re.fullmatch(r"\w{2,}[^s]s", word)) and word not in STOPWORDS and word.isalpha():
                parts.setdefault(stem(word), word)
    used = Counter(term for review in reviews for term in {stem(word) for word in words(review.text)})
    return [
        Aspect(word, frozenset({term}))
        for term, word in parts.items()
        if used[term] >= LEAST_OWN_MENTIONS and term not in known | MEASURING
    ]


def _views(aspect: Aspect, found: Sequence[Mention]) -> list[tuple[str, list[Mention]]]:
    """Group mentions by the views of an aspect; reviews that take none are left out of the sides."""
    groups: dict[str, list[Mention]] = {}
    for mention in found:
        view = next((name for name, pattern in aspect.views.items() if pattern.search(mention.text)), None)
        if view:
            groups.setdefault(f"say {view}", []).append(mention)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def _sides(found: Sequence[Mention]) -> list[tuple[str, list[Mention]]]:
    """Mentions that judge; those that only speak of it are left out of the count."""
    names = {"for": "are positive", "against": "are critical"}
    groups = [(words_, [m for m in found if m.polarity == side]) for side, words_ in names.items()]
    return [group for group in groups if group[1]]


def _share(part: int, whole: int) -> str:
    return "all" if part == whole > 1 else str(part)


def _agreeing(predicate: str, count: int) -> str:
    """A predicate in the number of its subject: 1 says, 2 say."""
    if count != 1:
        return predicate
    return (
        predicate.replace("are ", "is ", 1) if predicate.startswith("are ") else predicate.replace("say ", "says ", 1)
    )


def _aspect_noun(aspect: Aspect) -> str:
    return aspect.name if " " in aspect.name and not aspect.name.startswith("water") else f"the {aspect.name}"


def _on(aspect: Aspect) -> str:
    return "that mention this" if aspect.together else f"on {_aspect_noun(aspect)}"


def _reviews(count: int) -> str:
    return f"{count} review{'' if count == 1 else 's'}"


def _counted(group: Sequence[Mention]) -> list[Span]:
    """Spans of a counted group; the first carries the count over all of it."""
    derived = Derived(op="count", of=[mention.review.evidence_id for mention in group], value=len(group))
    return [
        Span(
            evidence_id=mention.review.evidence_id,
            start=mention.start,
            end=mention.end,
            derived=derived if index == 0 else None,
        )
        for index, mention in enumerate(group[:SHOWN_EACH])
    ]


def _total(found: Sequence[Mention], shown: Sequence[Mention]) -> list[Span]:
    """One more span, which carries the count over all mentions."""
    other = next((mention for mention in found if mention not in shown[:SHOWN_EACH]), None)
    if other is None:
        return []
    derived = Derived(op="count", of=[mention.review.evidence_id for mention in found], value=len(found))
    return [Span(evidence_id=other.review.evidence_id, start=other.start, end=other.end, derived=derived)]


def _side(head: str, rows: Sequence[tuple[str, list[Mention]]], product: Product) -> Sentence:
    claims = [Claim(text=head)]
    for index, (name, group) in enumerate(rows):
        joint = "" if index == 0 else ", "
        claims.append(Claim(text=f"{joint}{name} ({_reviews(len(group))})", spans=_counted(group)))
    return Sentence(claims=[*claims, Claim(text=".")], product_id=product.id)


def _voice(mention: Mention, product: Product) -> Sentence:
    where = Span(evidence_id=mention.review.evidence_id, start=mention.start, end=mention.end)
    return Sentence(claims=[Claim(text=quoted("review", mention.text), spans=[where])], product_id=product.id)


def _voice_of(review: Evidence, product: Product) -> Sentence:
    start, end = next(at for at in lines(review.text))
    return _voice(Mention(review, start, end, "neither"), product)


def _average(reviews: Sequence[Evidence], product: Product) -> Sentence | None:
    rated = [review for review in reviews if review.rating is not None]
    if not rated:
        return None
    mean = round(sum(review.rating or 0 for review in rated) / len(rated), 1)
    where = next((at for at in lines(rated[0].text) if RATING_LINE.match(rated[0].text[at[0] : at[1]])), None)
    start, end = where or next(lines(rated[0].text))
    derived = Derived(op="mean", of=[review.evidence_id for review in rated], value=mean)
    text = f"From {_reviews(len(rated))}, the average is {mean:g} of 5"
    where_span = Span(evidence_id=rated[0].evidence_id, start=start, end=end, derived=derived)
    return Sentence(claims=[Claim(text=text, spans=[where_span]), Claim(text=".")], product_id=product.id)
