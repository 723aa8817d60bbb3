"""Misspellings: a word that nobody knows is read as the one word it is clearly meant to be."""

import pytest

from graph.rewriting.misspellings import Misspellings

NOBODY = Misspellings(lambda _: False)
NEARBY = frozenset({"groundsheet", "flysheet", "head"})


def read(word: str, nearby: frozenset[str] = frozenset(), spelling: Misspellings = NOBODY) -> str | None:
    """What a word is read as; None where it stays."""
    return spelling.meant(word, nearby) if spelling.is_unknown(word) else None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wieght", "weight"), ("teh", "the"), ("waht", "what"), ("retrun", "return"), ("lenght", "length"),
        ("hevy", "heavy"), ("batery", "battery"), ("waranty", "warranty"), ("warrenty", "warranty"),
        ("guarentee", "guarantee"), ("capasity", "capacity"), ("shiping", "shipping"),
        ("discout", "discount"), ("sizze", "size"), ("compatable", "compatible"), ("delivry", "delivery"),
    ],
)  # fmt: skip
def test_a_mistyped_word_of_questions_is_read_as_meant(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(("typed", "meant"), [("whats", "what's"), ("dont", "don't"), ("isnt", "isn't")])
def test_a_missing_apostrophe_is_put_in(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(("typed", "meant"), [("u", "you"), ("ur", "your"), ("plz", "please")])
def test_a_word_cut_short_in_a_hurry_is_written_out(typed: str, meant: str) -> None:
    assert read(typed) == meant
    assert read(typed, spelling=Misspellings(lambda word: word == typed)) is None


def test_a_missing_apostrophe_is_put_in_whatever_the_shop_says() -> None:
    assert read("whats", spelling=Misspellings(lambda _: True)) == "what's"


@pytest.mark.parametrize("word", ["its", "well", "were", "lets"])
def test_a_word_that_is_one_without_its_apostrophe_stays(word: str) -> None:
    assert read(word) is None


@pytest.mark.parametrize(
    "word",
    [
        "prise", "retardant", "hydrostatic", "groundsheets", "instal", "colour", "color", "grey", "gray",
        "installments", "earbuds", "wristband", "smartwatch", "lasered",
    ],
)  # fmt: skip
def test_a_real_word_stays_however_rare(word: str) -> None:
    assert read(word) is None


@pytest.mark.parametrize("word", ["oled", "qled", "nvme", "hdmi", "lte", "hsa", "imei", "ssl", "bpa", "xxl", "upi"])
def test_an_abbreviation_is_no_mistyped_word(word: str) -> None:
    assert read(word) is None


@pytest.mark.parametrize("word", ["haier", "ryzen", "huawei", "xiaomi", "klarna", "asus", "sata", "latour"])
def test_a_name_that_english_does_not_know_stays(word: str) -> None:
    assert read(word) is None


@pytest.mark.parametrize("word", ["x2", "kestr3l", "ß", "", "a", "weíght"])
def test_what_is_not_made_of_plain_letters_stays(word: str) -> None:
    assert not NOBODY.is_unknown(word)


def test_a_word_between_two_others_stays() -> None:
    assert read("collor") is None  # collar or colour
    assert read("colur") is None  # colour or color


def test_words_of_the_product_at_hand_are_known_and_meant() -> None:
    assert read("flysheat", NEARBY) == "flysheet"
    assert read("flysheat") is None
    assert read("wieght", NEARBY | {"wieght"}) is None


def test_what_the_shop_says_is_spelled_as_the_shop_spells_it() -> None:
    shop = Misspellings(lambda word: word in {"wieght", "retardant"})
    assert read("wieght", spelling=shop) is None
    assert read("batery", spelling=shop) == "battery"


def test_an_english_word_that_customers_do_not_ask_with_is_meant_only_where_the_shop_uses_it() -> None:
    assert read("polycarbonte") is None
    assert read("polycarbonte", spelling=Misspellings(lambda word: word == "polycarbonate")) == "polycarbonate"
