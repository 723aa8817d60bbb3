"""Single reviews: which aspect a sentence is about, and whether it speaks for or against."""

from dataclasses import replace

import pytest

from graph.answering.reviews import Aspect, aspect_words, aspects, average_rating, mentions, polarity, sentiment
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem


def review(text: str, rating: float | None = None, key: str = "r1") -> Evidence:
    return Evidence(f"review:{key}", "review", text, "Review", key, product_id="t", rating=rating)


PEGS = Aspect("pegs", frozenset({stem("pegs")}))


@pytest.mark.parametrize(
    "text", ["The pegs broke on day one.", "It leaks.", "Not worth the money.", "It runs small.", "Too heavy for me."]
)
def test_complaints_speak_against(text: str) -> None:
    assert polarity(review(text), 0, len(text)) == "against"


@pytest.mark.parametrize(
    "text", ["I love it.", "True to size.", "It has never leaked.", "No blisters at all.", "It kept us dry."]
)
def test_praise_speaks_for(text: str) -> None:
    assert polarity(review(text), 0, len(text)) == "for"


@pytest.mark.parametrize(("stars", "side"), [(5, "neither"), (3, "neither"), (1, "against"), (None, "neither")])
def test_where_the_words_are_even_only_few_stars_decide(stars: float | None, side: str) -> None:
    text = "It has eight pegs."
    assert polarity(review(text, stars), 0, len(text)) == side


def test_clear_words_count_more_than_the_stars() -> None:
    text = "The pegs are flimsy."
    assert polarity(review(text, 5), 0, len(text)) == "against"


def test_what_the_stars_gainsay_faintly_is_no_judgement() -> None:
    assert polarity(review("Crushed a whole tray of ice.", 5), 0, 28) == "neither"
    assert polarity(review("Yes it is noisy.", 2), 0, 16) != "for"


def test_a_negation_turns_what_it_negates() -> None:
    assert sentiment("It leaked.") < 0 < sentiment("It never leaked.")
    assert sentiment("It is true to size.") > 0 > sentiment("It is not true to size and runs small.")


def test_the_sentence_that_speaks_of_the_aspect_is_found() -> None:
    item = review("I love this tent. The pegs are flimsy. We camped twice.")
    [mention] = mentions(PEGS, [item, review("Nice colour.", key="r2")])
    assert mention.text == item.text[mention.start : mention.end] == "The pegs are flimsy."
    assert mention.polarity == "against"


def test_a_review_counts_once_by_its_clearest_sentence() -> None:
    item = review("It has pegs. The pegs are terrible and broke.")
    [mention] = mentions(PEGS, [item])
    assert mention.text == "The pegs are terrible and broke."


def test_what_the_stars_bear_out_is_clearer_than_what_they_gainsay() -> None:
    text = "The pegs held in weak sand on a bad pitch. The pegs impressed me."
    item = review(text, 5)
    assert sentiment(text[:42]) < -sentiment(text[43:])
    [mention] = mentions(PEGS, [item])
    assert (mention.text, mention.polarity) == ("The pegs impressed me.", "for")


def test_the_line_of_stars_is_nobodys_opinion() -> None:
    rating = Aspect("rating", frozenset({stem("rating")}))
    assert mentions(rating, [review("Rating: 4 of 5\nGood tent.")]) == []


def test_words_that_belong_together_must_stand_in_one_sentence() -> None:
    both = Aspect("fire retardant", frozenset({stem("fire"), stem("retardant")}), together=True)
    assert both.spoken_of("Is it fire retardant?")
    assert not both.spoken_of("We sat at the fire.")
    assert not Aspect("nothing", frozenset(), together=True).spoken_of("Anything.")


def test_every_aspect_has_words_and_all_are_named() -> None:
    assert all(aspect.stems for aspect in aspects())
    assert {stem(word) for aspect in aspects() for word in aspect.name.split()} <= aspect_words()


def test_a_review_of_several_chunks_is_one_voice_by_its_clearest_sentence() -> None:
    chunks = [
        replace(review("The pegs are there. Nothing else.", 2), evidence_id="review:r1#1"),
        replace(review("The pegs broke at once and are awful.\nRating: 2 of 5", 2), evidence_id="review:r1#2"),
        review("I love the pegs.", 5, "r2"),
    ]
    told = [(mention.review.evidence_id, mention.polarity) for mention in mentions(PEGS, chunks)]
    assert told == [("review:r1#2", "against"), ("review:r2", "for")]
    average = average_rating(chunks, Product(id="t", name="Tarn"))
    assert average is not None
    (span,) = average.spans
    assert span.derived is not None
    assert (span.derived.of, span.derived.value) == (["review:r1#2", "review:r2"], 3.5)
