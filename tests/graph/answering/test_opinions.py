"""Opinions: counts for and against that recompute, and a voice of each side."""

import re

import pytest

from graph.answering.reviews import aspects, mentions
from graph.draft import Draft, Sentence
from tests.graph.answering.asking import draft_of, facts_said, question, said
from tests.graph.shops import TARN_2, Row, make_shop, reviews_of

TEXTS = (
    "The pegs are flimsy. Pitching is easy.",
    "The pegs bent at once and broke. Lovely colour.",
    "Pegs are great and strong.",
    "Easy to pitch. I love the pegs.",
    "Very light.",
)
STARS = (2.0, 1.0, 5.0, 5.0, 4.0)
SHOP = make_shop([TARN_2], reviews=reviews_of("tarn-2", *TEXTS, ratings=STARS))


def opinion(text: str, *rows: Row) -> Draft:
    shop = make_shop([TARN_2], reviews=rows) if rows else SHOP
    return draft_of(question(shop, text, "tarn-2", intents=["opinion"]))


def sentences(draft: Draft) -> list[Sentence]:
    return [sentence for block in draft.blocks for sentence in block.sentences]


def counts_in(sentence: Sentence) -> list[tuple[int, list[str]]]:
    """What each count of a sentence says, and the reviews it counts."""
    found = [span.derived for span in sentence.spans if span.derived and span.derived.op == "count"]
    return [(int(derived.value), sorted(derived.of)) for derived in found]


def test_the_aspect_asked_for_is_counted_by_side() -> None:
    [counted, *_] = sentences(opinion("What do customers say about the pegs of the Tarn 2?"))
    assert "pegs" in counted.text
    assert "4" in counted.text
    assert sorted(counts_in(counted)) == [
        (2, ["review:r1", "review:r2"]),
        (2, ["review:r3", "review:r4"]),
    ]


def test_each_side_has_a_voice_that_is_quoted_from_its_review() -> None:
    _, first, second = sentences(opinion("What do customers say about the pegs of the Tarn 2?"))
    for voice in (first, second):
        [span] = voice.spans
        quote = SHOP.evidence([span.evidence_id])[0].text[span.start : span.end]
        assert quote in voice.text
    assert {first.spans[0].evidence_id, second.spans[0].evidence_id} & {"review:r1", "review:r2"}
    assert {first.spans[0].evidence_id, second.spans[0].evidence_id} & {"review:r3", "review:r4"}


def test_every_count_is_the_number_of_reviews_it_names() -> None:
    for text in ("What do customers say about the pegs?", "What are the pros and cons of the Tarn 2?"):
        found = [count for sentence in sentences(opinion(text)) for count in counts_in(sentence)]
        assert found
        for value, of in found:
            assert value == len(of) == len(set(of))
            assert set(of) <= {f"review:r{number}" for number in range(1, 6)}


def test_what_is_counted_speaks_of_the_aspect() -> None:
    known = {aspect.name: aspect for aspect in aspects()}
    reviews = [item for item in SHOP.everything if item.source_type == "review"]
    for sentence in sentences(opinion("What are the pros and cons of the Tarn 2?")):
        for claim in sentence.segments:
            name = re.sub(r"^, | \(.*", "", claim.text)
            if name in known:
                spoken = {mention.review.evidence_id for mention in mentions(known[name], reviews)}
                assert all(set(span.derived.of) <= spoken for span in claim.spans if span.derived)


def test_pros_and_cons_stand_apart_the_most_named_first() -> None:
    blocks = opinion("What are the pros and cons of the Tarn 2?").blocks
    liked, disliked = blocks[0].sentences[0], blocks[1].sentences[0]
    assert "For" in liked.text
    assert "Against" in disliked.text
    for side in (liked, disliked):
        values = [value for value, _ in counts_in(side)]
        assert values == sorted(values, reverse=True)


def test_the_average_is_that_of_the_stars() -> None:
    average = sentences(opinion("What are the pros and cons of the Tarn 2?"))[-1]
    [derived] = [span.derived for span in average.spans if span.derived]
    assert derived.op == "mean"
    assert derived.value == pytest.approx(sum(STARS) / len(STARS), abs=0.05)
    assert len(derived.of) == len(STARS)
    assert "3.4" in average.text


def test_without_stars_there_is_no_average() -> None:
    assert "average" not in said(opinion("Pros and cons of the Tarn 2?", *reviews_of("tarn-2", *TEXTS)))


def test_reviews_of_another_product_are_not_counted() -> None:
    rows = [*reviews_of("tarn-2", "The pegs are flimsy."), {"id": "x", "product_id": "other", "text": "Bad pegs."}]
    for sentence in sentences(opinion("What do people say about the pegs?", *rows)):
        assert all("review:x" not in of for _, of in counts_in(sentence))


def test_a_view_of_the_size_is_counted_by_what_it_says() -> None:
    rows = reviews_of("tarn-2", "It runs small.", "True to size.", "Runs small, order one size up.")
    [counted, *_] = sentences(opinion("What do customers say about the size of the Tarn 2?", *rows))
    assert "runs small" in counted.text
    assert "true to size" in counted.text
    assert sorted(value for value, _ in counts_in(counted)) == [1, 2]


def test_customers_speak_beside_a_seller_they_contradict() -> None:
    shop = make_shop(
        [dict(TARN_2) | {"features": ["True to size"]}],
        reviews=reviews_of("tarn-2", "It runs small.", "Runs small.", "True to size."),
    )
    draft = draft_of(question(shop, "Is the Tarn 2 true to size?", "tarn-2", intents=["size_and_fit"]))
    answer = said(draft)
    assert "True to size" in answer
    assert "small" in answer
    assert not answer.startswith("Yes.")


def test_what_only_customers_report_is_said_to_be_theirs() -> None:
    shop = make_shop([TARN_2], reviews=reviews_of("tarn-2", "The zip jams in sand and is awful."))
    answer = said(draft_of(question(shop, "Does the zip of the Tarn 2 jam?", "tarn-2")))
    assert "review" in answer or "customer" in answer
    assert "Yes." not in answer


def test_without_reviews_nobody_is_said_to_have_said_anything() -> None:
    shop = make_shop([TARN_2])
    draft = draft_of(question(shop, "What do customers say about the pegs?", "tarn-2", intents=["opinion"]))
    assert all(span.derived is None for sentence in sentences(draft) for span in sentence.spans)
    assert "customer" not in facts_said(draft).lower()
    assert "review" not in facts_said(draft).lower()


def test_the_rating_alone_answers_what_the_rating_is() -> None:
    [average] = sentences(opinion("What is the rating of the Tarn 2?"))
    assert average.text.startswith("From 5 reviews, the average is 3.4")


def test_what_no_review_speaks_of_is_no_opinion() -> None:
    assert opinion("What do customers say about the zips of the Tarn 2?").outcome == "no_answer"
