import pytest

from graph.discourse import Pending
from tests.graph.rewriting.conftest import Ask

BATTERY = "What is the battery size of Aurora X2?"


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("and the display?", "the display for Aurora X2?"),
        ("what about the display", "the display for Aurora X2"),
        ("and its weight?", "and Aurora X2's weight?"),
        ("how heavy?", "how heavy for Aurora X2?"),
        ("pros and cons?", "pros and cons for Aurora X2?"),
        ("and machine washable?", "machine washable for Aurora X2?"),
        ("any discounts?", "any discounts for Aurora X2?"),
        ("and in red?", "What is the battery size of Aurora X2 in red?"),
    ],
)
def test_what_a_fragment_leaves_out_is_filled_in(ask: Ask, query: str, standalone: str) -> None:
    result = ask(query, focus=["aurora-x2"], before=[BATTERY])
    assert result.standalone_query == standalone
    assert (result.rewritten_by, result.products) == ("rules", ("aurora-x2",))


def test_a_phrase_takes_the_place_of_its_like_in_the_previous_question(ask: Ask) -> None:
    before = ["Is Aurora X2 available in blue?"]
    assert ask("and in red?", focus=["aurora-x2"], before=before).standalone_query == "Is Aurora X2 available in red?"
    shop = ask("and to Norway?", before=["Do you ship to Canada?"])
    assert shop.standalone_query == "Do you ship to Norway?"


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("is it waterproof?", "is Aurora X2 waterproof?"),
        ("Is it waterproof?", "Is Aurora X2 waterproof?"),
        ("what is its weight?", "what is Aurora X2's weight?"),
        ("Can I return it if I don't like it?", "Can I return Aurora X2 if I don't like it?"),
        ("does this come with a charger", "does Aurora X2 come with a charger"),
        ("is the phone any good", "is Aurora X2 any good"),
        ("how long does that phone last?", "how long does Aurora X2 last?"),
        ("do you have a case for it?", "do you have a case for Aurora X2?"),
        ("is it better than the Aurora X3?", "is Aurora X2 better than the Aurora X3?"),
        ("Compare it with the X3", "Compare Aurora X2 with the X3"),
    ],
)
def test_a_pronoun_or_noun_gives_way_to_the_name(ask: Ask, query: str, standalone: str) -> None:
    result = ask(query, focus=["aurora-x2"], before=[BATTERY])
    assert result.standalone_query == standalone
    assert result.products == ("aurora-x2",)


def test_a_noun_means_the_product_of_that_kind(ask: Ask) -> None:
    result = ask("and is the tent waterproof?", focus=["aurora-x2"], mentioned=["kestrel-2"], before=[BATTERY])
    assert result.products == ("kestrel-2",)
    assert "Kestrel 2" in result.standalone_query


def test_this_on_a_page_is_the_product_of_the_page(ask: Ask) -> None:
    result = ask("is this waterproof?", page="iphone-13", focus=["aurora-x2"], before=[BATTERY])
    assert result.products == ("iphone-13",)


def test_that_is_what_was_said_of_the_product(ask: Ask) -> None:
    before = ["How heavy is the Kestrel 2?"]
    result = ask("is that with the pegs?", focus=["kestrel-2"], attributes=["Weight"], before=before)
    assert result.standalone_query == "is the weight of Kestrel 2 with the pegs?"


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("how long does the battery last?", "how long does the battery last for Aurora X2?"),
        ("what's the price", "what's the price for Aurora X2"),
        ("What colours are available?", "What colours are available for Aurora X2?"),
        ("what do customers say?", "what do customers say for Aurora X2?"),
        ("is there a discount right now", "is there a discount right now for Aurora X2"),
    ],
)
def test_a_whole_question_about_a_quality_gets_its_product(ask: Ask, query: str, standalone: str) -> None:
    assert ask(query, focus=["aurora-x2"], before=[BATTERY]).standalone_query == standalone


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("and the X3?", "Aurora X3"),
        ("What about the Aurora X3?", "Aurora X3"),
        ("X3?", "Aurora X3"),
        ("how about the iPhone 13 instead?", "iPhone 13"),
        ("and the Aurora X9?", "Aurora X9"),
        ("And the Pixel 8?", "Pixel 8"),
        ("and the nova?", "nova"),
    ],
)
def test_the_previous_question_is_asked_of_another_product(ask: Ask, query: str, name: str) -> None:
    result = ask(query, focus=["aurora-x2"], before=[BATTERY])
    assert result.standalone_query == f"What is the battery size of {name}?"
    assert "aurora-x2" not in result.products


def test_another_product_may_come_with_another_quality(ask: Ask) -> None:
    query = "and the Aurora X3's display?"
    assert ask(query, focus=["aurora-x2"], before=[BATTERY]).standalone_query == query


def test_after_a_comparison_the_last_product_is_exchanged(ask: Ask) -> None:
    before = ["Compare Aurora X2 and Aurora X3"]
    result = ask("and the Nova Plus?", focus=["aurora-x2", "aurora-x3"], before=before)
    assert result.standalone_query == "Compare Aurora X2 and Nova Plus"


def test_several_products_are_named_in_place_of_they(ask: Ask) -> None:
    result = ask("are they waterproof?", focus=["kestrel-2", "heron-2"], before=["Compare Kestrel 2 and Heron 2"])
    assert result.standalone_query == "are Kestrel 2 and Heron 2 waterproof?"
    assert result.products == ("kestrel-2", "heron-2")


def test_two_names_asked_together_are_a_comparison_of_their_own(ask: Ask) -> None:
    result = ask("Kestrel 2 or Heron 2?", focus=["aurora-x2"], before=[BATTERY])
    assert result.standalone_query == "Kestrel 2 or Heron 2?"


def test_a_name_that_is_not_sold_is_not_taken_for_the_product_before(ask: Ask) -> None:
    query = "How much does the Aurora X9 weigh?"
    result = ask(query, focus=["aurora-x2"], listed=["aurora-x2", "aurora-x3"], before=[BATTERY])
    assert (result.standalone_query, result.products) == (query, ())


def test_a_longer_name_is_not_cut_short_by_a_list(ask: Ask) -> None:
    query = "What does the Aurora X2 Pro cost?"
    assert ask(query, listed=["aurora-x2", "aurora-x2-pro"], before=["phones?"]).standalone_query == query


@pytest.mark.parametrize(
    ("before", "query", "standalone"),
    [
        ("What is Slow Parcel?", "can a laptop go by it?", "can a laptop go by Slow Parcel?"),
        ("Do you have gift cards?", "do they expire?", "do gift cards expire?"),
    ],
)
def test_after_a_question_to_the_shop_its_topic_is_carried_on(
    ask: Ask, before: str, query: str, standalone: str
) -> None:
    result = ask(query, before=[before])
    assert (result.standalone_query, result.products) == (standalone, ())


@pytest.mark.parametrize(
    ("before", "query", "standalone"),
    [
        (
            "How long does a refund to my card take?",
            "and to a gift card?",
            "How long does a refund to a gift card take?",
        ),
        (
            "Is it in stock in Oslo with free delivery?",
            "and in Bergen?",
            "Is it in stock in Bergen with free delivery?",
        ),
    ],
)
def test_what_stands_around_an_exchanged_phrase_stays(ask: Ask, before: str, query: str, standalone: str) -> None:
    assert ask(query, before=[before]).standalone_query == standalone


@pytest.mark.parametrize(
    ("before", "query", "standalone"),
    [
        ("Is Strider 5 in stock in Slate, standard?", "and in wide?", "Is Strider 5 in stock in Slate, wide?"),
        ("Is Strider 5 in stock in Slate, standard?", "and Moss?", "Is Strider 5 in stock in Moss, standard?"),
        ("Is Strider 5 in stock?", "the moss one?", "Is Strider 5 in stock in moss?"),
    ],
)
def test_another_variant_takes_the_place_of_its_like(ask: Ask, before: str, query: str, standalone: str) -> None:
    result = ask(query, focus=["strider-5"], before=[before])
    assert (result.standalone_query, result.products) == (standalone, ("strider-5",))


@pytest.mark.parametrize(
    ("before", "query", "standalone"),
    [
        (
            "How long does it take to ship the Kestrel 2?",
            "to Ireland?",
            "How long does it take to ship the Kestrel 2 to Ireland?",
        ),
        ("Can Kestrel 2 be returned?", "even if opened?", "Can Kestrel 2 be returned even if opened?"),
        ("Is Kestrel 2 delivered?", "without a signature?", "Is Kestrel 2 delivered without a signature?"),
    ],
)
def test_a_phrase_or_a_condition_narrows_the_previous_question_down(
    ask: Ask, before: str, query: str, standalone: str
) -> None:
    assert ask(query, focus=["kestrel-2"], before=[before]).standalone_query == standalone


def test_true_to_size_is_said_of_the_product(ask: Ask) -> None:
    result = ask("Is it true to size?", focus=["strider-5"], before=["What does Strider 5 cost?"])
    assert result.standalone_query == "Is Strider 5 true to size?"


@pytest.mark.parametrize(
    "query",
    [
        "fine, I bought the liquid. walk me through it",
        "truth is it came 3 weeks ago",
        "its for my wife, can you wrap it",
    ],
)
def test_what_a_pronoun_beside_the_question_stands_for_is_not_decided(ask: Ask, query: str) -> None:
    assert ask(query, focus=["aurora-x2"], before=[BATTERY]).standalone_query == f"{query} for Aurora X2"


@pytest.mark.parametrize(
    ("before", "query"),
    [
        ("it is 15 less on your page, do you pay me that", "and when its some guy on ebay"),
        ("where is the nearest one", "will they take a sealed one"),
        ("part of it was paid by card, is that ok", "and what do I get for the wait"),
        ("do you have the Aurora X9", "does it float"),
    ],
)
def test_what_is_no_topic_is_not_carried_on(ask: Ask, before: str, query: str) -> None:
    assert ask(query, before=[before]).standalone_query == query


def test_a_question_of_its_own_does_not_get_the_one_before(ask: Ask) -> None:
    query = "from dead to full, how long on the cable"
    assert ask(query, focus=["aurora-x2"], before=[BATTERY]).standalone_query == f"{query} for Aurora X2"


def test_a_phrase_goes_into_the_last_sentence_of_what_was_asked(ask: Ask) -> None:
    before = ["People in our library glare. Is Aurora X2 loud?"]
    assert ask("in decibels?", focus=["aurora-x2"], before=before).standalone_query == "Is Aurora X2 loud in decibels?"


def test_a_correction_of_a_variant_asks_again(ask: Ask) -> None:
    before = ["Is Strider 5 in stock in slate, wide?"]
    result = ask("oh wait no I meant moss", focus=["strider-5"], before=before)
    assert result.standalone_query == "Is Strider 5 in stock in moss, wide?"


def test_what_one_asks_whether_one_needs_is_part_of_the_product(ask: Ask) -> None:
    result = ask("is a charger in the box or do I need to buy one", focus=["aurora-x2"], before=[BATTERY])
    assert result.products == ("aurora-x2",)


def test_what_a_question_back_left_open_is_spoken_of_together(ask: Ask) -> None:
    waiting = Pending(
        kind="product",
        question="Which one?",
        standalone_query="Is the tent light?",
        options={"Kestrel 2": "kestrel-2", "Heron 2": "heron-2"},
    )
    result = ask("and how big is it packed?", focus=["aurora-x2"], pending=waiting, before=["Is the tent light?"])
    assert result.products == ("kestrel-2", "heron-2")


def test_the_thing_that_a_question_itself_asks_for_is_its_own_antecedent(ask: Ask) -> None:
    result = ask("what tent do you have, and does it come with pegs", focus=["aurora-x2"], before=[BATTERY])
    assert result.products == ()
