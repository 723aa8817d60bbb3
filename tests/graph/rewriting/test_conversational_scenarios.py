"""The illustrative scenarios (Table 1) of "Contextually Aware E-Commerce Product Question Answering using RAG"."""

from tests.graph.rewriting.conftest import Ask


def test_the_first_question_on_a_product_page_is_about_its_product(ask: Ask) -> None:
    result = ask("Battery size?", page="iphone-13")
    assert result.standalone_query == "Battery size for iPhone 13?"
    assert (result.rewritten_by, result.products) == ("rules", ("iphone-13",))


def test_follow_up_on_the_same_product(ask: Ask) -> None:
    before = ["What is the battery size of iPhone 13?"]
    result = ask("Display size?", page="iphone-13", focus=["iphone-13"], before=before)
    assert result.standalone_query == "Display size for iPhone 13?"


def test_switch_to_a_new_product(ask: Ask) -> None:
    before = ["What is the battery size of iPhone 13?"]
    result = ask("How about iPhone 14?", page="iphone-13", focus=["iphone-13"], before=before)
    assert result.standalone_query == "What is the battery size of iPhone 14?"


def test_from_a_product_to_its_accessories(ask: Ask) -> None:
    before = ["What is the battery size of iPhone 13?"]
    result = ask("Show me cases for this phone.", page="iphone-13", focus=["iphone-13"], before=before)
    assert result.standalone_query == "Show me cases for iPhone 13."
    assert result.searchable


def test_from_browsing_to_one_product(ask: Ask) -> None:
    shown = ["samsung-256-l-convertible", "lg-242-l-frost-free-2-star", "whirlpool-200-l-compact"]
    result = ask("Capacity of LG fridge?", browsed=shown, before=["Show 2 door refrigerators."])
    assert result.standalone_query == "Capacity of LG 242 L Frost Free 2 Star?"
    assert result.products == ("lg-242-l-frost-free-2-star",)
