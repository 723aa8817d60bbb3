"""Counts of reviews in sentences: how many judge something and how, with citations that recompute."""

from collections.abc import Sequence

from graph.answering.reviews import RATING_LINE, Aspect, Mention, voices
from graph.draft import Claim, Sentence, Span
from graph.turn import Derived
from ingestion.evidence import Evidence, Product, lines

SHOWN_EACH = 2
"""Citations shown for one side of one aspect; `derived` names all that were counted."""


def counted_sides(aspect: Aspect, found: Sequence[Mention], product: Product) -> Sentence:
    """Which of the mentions are for and against, or take which view, each counted."""
    sides = sides_of(aspect, found)
    counted = sum(len(group) for _, group in sides)
    verb = "judges" if counted == 1 else "judge"
    claims = [Claim(text=f"{_reviews(counted)} {verb} {'this' if aspect.together else _aspect_noun(aspect)}: ")]
    for index, (predicate, group) in enumerate(sides):
        joint = "" if index == 0 else " and " if index == len(sides) - 1 else ", "
        text = f"{joint}{_share(len(group), counted)} {_agreeing(predicate, len(group))}"
        claims.append(Claim(text=text, spans=_counted(group)))
    return Sentence(claims=[*claims, Claim(text=".")], product_id=product.id)


def telling_sentence(telling: Sequence[Mention], found: Sequence[Mention], product: Product) -> Sentence:
    """How many of the reviews that mention a matter report it."""
    verb = "reports" if len(telling) == 1 else "report"
    text = f"{len(telling)} of {_reviews(len(found))} that mention this {verb} it"
    claim = Claim(text=text, spans=[*_counted(telling), *_total(found, telling)])
    return Sentence(claims=[claim, Claim(text=".")], product_id=product.id)


def critical_sentence(
    aspect: Aspect, against: Sequence[Mention], found: Sequence[Mention], product: Product
) -> Sentence:
    """How many of the reviews that mention an aspect are critical of it."""
    verb = "is" if len(against) == 1 else "are"
    count = Claim(
        text=f"{len(against)} of {_reviews(len(found))} {_on(aspect)} {verb} critical",
        spans=[*_counted(against), *_total(found, against)],
    )
    return Sentence(claims=[count, Claim(text=".")], product_id=product.id)


def listed_side(head: str, rows: Sequence[tuple[str, list[Mention]]], product: Product) -> Sentence:
    """Aspects of one side in a row, each with its count."""
    claims = [Claim(text=head)]
    for index, (name, group) in enumerate(rows):
        joint = "" if index == 0 else ", "
        claims.append(Claim(text=f"{joint}{name} ({_reviews(len(group))})", spans=_counted(group)))
    return Sentence(claims=[*claims, Claim(text=".")], product_id=product.id)


def average_rating(reviews: Sequence[Evidence], product: Product) -> Sentence | None:
    """The mean of the stars; None where nobody gave any."""
    rated = [max(chunks, key=_tells_stars) for chunks in voices(reviews) if chunks[0].rating is not None]
    if not rated:
        return None
    mean = round(sum(review.rating or 0 for review in rated) / len(rated), 1)
    start, end = _stars(rated[0]) or next(lines(rated[0].text))
    derived = Derived(op="mean", of=[review.evidence_id for review in rated], value=mean)
    text = f"From {_reviews(len(rated))}, the average is {mean:g} of 5"
    where_span = Span(evidence_id=rated[0].evidence_id, start=start, end=end, derived=derived)
    return Sentence(claims=[Claim(text=text, spans=[where_span]), Claim(text=".")], product_id=product.id)


def _stars(review: Evidence) -> tuple[int, int] | None:
    """Where the line with the stars stands."""
    return next((at for at in lines(review.text) if RATING_LINE.match(review.text[at[0] : at[1]])), None)


def _tells_stars(review: Evidence) -> bool:
    return _stars(review) is not None


def sides_of(aspect: Aspect, found: Sequence[Mention]) -> list[tuple[str, list[Mention]]]:
    """Mentions by the views of an aspect, or by whether they speak for or against; each side with its predicate."""
    return _views(aspect, found) or _judging(found)


def _views(aspect: Aspect, found: Sequence[Mention]) -> list[tuple[str, list[Mention]]]:
    """Group mentions by the views of an aspect; reviews that take none are left out of the sides."""
    groups: dict[str, list[Mention]] = {}
    for mention in found:
        view = next((name for name, pattern in aspect.views.items() if pattern.search(mention.text)), None)
        if view:
            groups.setdefault(f"say {view}", []).append(mention)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def _judging(found: Sequence[Mention]) -> list[tuple[str, list[Mention]]]:
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
