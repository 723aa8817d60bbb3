import pytest

from tests.graph.rewriting.conftest import Ask

LG, SAMSUNG, WHIRLPOOL = "lg-242-l-frost-free-2-star", "samsung-256-l-convertible", "whirlpool-200-l-compact"
SHOWN = [SAMSUNG, LG, WHIRLPOOL]


@pytest.mark.parametrize(
    ("query", "picked"),
    [
        ("the second one", LG),
        ("is the first one quiet?", SAMSUNG),
        ("tell me more about the last one", WHIRLPOOL),
        ("capacity of the 3rd one", WHIRLPOOL),
        ("how much is the cheapest one?", WHIRLPOOL),
        ("is the most expensive one quiet?", SAMSUNG),
        ("the bigger one?", SAMSUNG),
        ("price of the black one", SAMSUNG),
        ("does the LG one have a freezer?", LG),
        ("is the whirlpool quiet?", WHIRLPOOL),
    ],
)
def test_a_phrase_picks_from_the_products_shown(ask: Ask, query: str, picked: str) -> None:
    result = ask(query, listed=SHOWN, before=["Show me refrigerators"])
    assert result.products == (picked,)
    assert result.searchable


def test_a_browse_page_is_a_list_too(ask: Ask) -> None:
    result = ask("the second one's price", browsed=SHOWN)
    assert (result.standalone_query, result.products) == ("LG 242 L Frost Free 2 Star's price", (LG,))


def test_a_bare_choice_after_browsing_asks_about_the_product(ask: Ask) -> None:
    result = ask("the second one", listed=SHOWN, before=["Show me refrigerators"])
    assert result.standalone_query == "Tell me about LG 242 L Frost Free 2 Star."


def test_weights_compare_across_units(ask: Ask) -> None:
    before = ["Compare Kestrel 2 and Heron 2"]
    result = ask("is the lighter one freestanding?", focus=["kestrel-2", "heron-2"], before=before)
    assert result.standalone_query == "is Kestrel 2 freestanding?"


def test_what_no_product_states_cannot_be_compared(ask: Ask) -> None:
    result = ask("is the lighter one quiet?", listed=SHOWN, before=["Show me refrigerators"])
    assert result.products == ()


@pytest.mark.parametrize(
    "query", ["which is cheaper?", "which one is bigger?", "what's the difference?", "compare them"]
)
def test_a_choice_names_the_products_to_choose_from(ask: Ask, query: str) -> None:
    result = ask(query, listed=SHOWN, before=["Show me refrigerators"])
    assert result.products == tuple(SHOWN)
    assert all(name in result.standalone_query for name in ("LG 242 L", "Samsung 256 L", "Whirlpool 200 L"))


@pytest.mark.parametrize(
    "query",
    ["what happens the second time I use it", "how long do they last", "do you sell second hand fridges"],
)
def test_other_uses_of_the_same_words_pick_nothing(ask: Ask, query: str) -> None:
    assert len(ask(query, listed=SHOWN, before=["Show me refrigerators"]).products) != 1


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("which is lighter?", "which is lighter, Heron 2 or Kestrel 2?"),
        ("is the first one freestanding?", "is Heron 2 freestanding?"),
        ("is the other one freestanding?", "is Heron 2 freestanding?"),
    ],
)
def test_two_products_spoken_of_one_after_the_other_are_to_choose_from(ask: Ask, query: str, standalone: str) -> None:
    result = ask(query, focus=["kestrel-2"], mentioned=["heron-2"], before=["How heavy is the Kestrel 2?"])
    assert result.standalone_query == standalone


def test_both_of_them_is_one_phrase(ask: Ask) -> None:
    result = ask("Are both of them quiet?", focus=["kestrel-2", "heron-2"], before=["Compare Kestrel 2 and Heron 2"])
    assert result.standalone_query == "Are both of Kestrel 2 and Heron 2 quiet?"


@pytest.mark.parametrize(
    "query", ["which of these is the cheapest", "which one is the biggest?", "and which is the cheapest?"]
)
def test_a_question_for_the_winner_keeps_its_superlative(ask: Ask, query: str) -> None:
    result = ask(query, listed=SHOWN, before=["Show me refrigerators"])
    assert set(result.products) == set(SHOWN)
    assert query.rstrip("?").rsplit(" ", 1)[-1] in result.standalone_query


@pytest.mark.parametrize(
    ("query", "picked"),
    [
        ("the 14 then. does it have a case", "iphone-14"),
        ("is the older 13 waterproof too", "iphone-13"),
        ("thirteen it is. how heavy", "iphone-13"),
        ("the 14", "iphone-14"),
        ("my last phone broke", None),
        ("I need 14 of them", None),
        ("which of the two is cheaper", None),
    ],
)
def test_a_figure_of_a_name_picks_among_what_was_shown(ask: Ask, query: str, picked: str | None) -> None:
    products = ask(query, listed=["iphone-13", "iphone-14"], before=["Show me phones"]).products
    assert products == (picked,) if picked else len(products) != 1


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("is the bigger one waterproof", "is Aurora X2 Pro waterproof"),
        ("is the pro waterproof", "is Aurora X2 Pro waterproof"),
        ("pro one sorry", "what does Aurora X2 Pro cost"),
        ("pros and cons?", "pros and cons for Aurora X2?"),
    ],
)
def test_the_line_of_the_product_at_hand_is_there_to_choose_from(ask: Ask, query: str, standalone: str) -> None:
    result = ask(query, focus=["aurora-x2"], before=["what does Aurora X2 cost"])
    assert result.standalone_query == standalone
