"""Sentences: a fact is said in plain English, with the product's name and a verb that fits."""

import pytest

from graph.language.sentences import ended, lower_name, plural, state, the, titled, with_article


@pytest.mark.parametrize(
    ("attribute", "value", "part"),
    [
        ("Weight", "1.9 kg", "Tarn 2 weighs 1.9 kg"),
        ("Price", "$249", "Tarn 2 costs $249"),
        ("Battery", "4,500 mAh", "Tarn 2 has a 4,500 mAh battery"),
        ("Battery capacity", "8,000 mAh", "an 8,000 mAh battery"),
        ("Screen size", "6.1-inch OLED", "Tarn 2 has a 6.1-inch OLED"),
        ("Country of origin", "Portugal", "made in Portugal"),
        ("Hem drop", "8 mm", "hem drop of the Tarn 2 is 8 mm"),
        ("Pole sections", "12", "Tarn 2 has 12 pole sections"),
    ],
)
def test_a_quantity_is_said_with_a_fitting_verb(attribute: str, value: str, part: str) -> None:
    sentence = state("Tarn 2", attribute, value)
    assert part in sentence
    assert sentence.endswith(".")
    assert ":" not in sentence


def test_a_family_does_not_speak_of_values_that_do_not_fit_it() -> None:
    assert "AA cells battery" not in state("Tarn Lamp", "Battery", "2 AA cells")
    assert "2 AA cells" in state("Tarn Lamp", "Battery", "2 AA cells")


@pytest.mark.parametrize(
    ("attribute", "yes", "no"),
    [
        ("Wireless charging", "has wireless charging", "does not have wireless charging"),
        ("NFC", "has NFC", "does not have NFC"),
        ("Headphone jack", "has a headphone jack", "does not have a headphone jack"),
        ("Dishwasher safe", "is dishwasher safe", "is not dishwasher safe"),
        ("Machine washable", "is machine washable", "is not machine washable"),
        ("Waterproof", "is waterproof", "is not waterproof"),
        ("Includes pegs", "includes pegs", "does not include pegs"),
        ("Vegan", "is vegan", "is not vegan"),
    ],
)
def test_yes_and_no_become_a_predicate(attribute: str, yes: str, no: str) -> None:
    assert yes in state("Tarn 2", attribute, "Yes")
    assert yes in state("Tarn 2", attribute, "true")
    assert no in state("Tarn 2", attribute, "No")


def test_what_a_shop_adds_to_yes_or_no_is_kept() -> None:
    assert "15 W" in state("Orbit", "Wireless charging", "Yes, 15 W")
    assert "adapter" in state("Orbit", "Headphone jack", "No, adapter sold separately")


@pytest.mark.parametrize(
    ("attribute", "value", "part"),
    [
        ("Weight", "60 g", "Socks weigh 60 g"),
        ("Machine washable", "Yes", "Socks are machine washable"),
        ("Includes mesh bag", "No", "Socks do not include mesh bag"),
        ("NFC", "No", "Socks do not have NFC"),
    ],
)
def test_a_plural_name_takes_a_plural_verb(attribute: str, value: str, part: str) -> None:
    assert part in state("Moor Socks", attribute, value)


@pytest.mark.parametrize("name", ["Moor Socks", "Pulse Buds", "Hill Trousers", "Rear cameras"])
def test_names_that_read_as_plurals(name: str) -> None:
    assert plural(name)


@pytest.mark.parametrize(
    "name", ["Tarn 2", "Nova Plus", "Pocket Compass", "Gas", "Iris", "Paris Kettle", "Canvas", "Kelda Christmas"]
)
def test_names_that_only_end_in_s_are_one_thing(name: str) -> None:
    assert not plural(name)


def test_a_name_with_its_own_article_gets_no_other() -> None:
    assert the("The Kettle") == "The Kettle"
    assert state("The Kettle", "Weight", "1 kg").startswith("The Kettle ")


def test_a_capitalised_phrase_loses_its_capital_and_a_name_keeps_it() -> None:
    assert "is true to size" in state("Tarn 2", "Shape", "True to size")
    assert "Vireo 7" in state("Orbit", "Codec", "Vireo 7")
    assert "Gore-Tex" in state("Tarn 2", "Membrane", "Gore-Tex")


@pytest.mark.parametrize("name", ["USB ports", "pH value", "Wi-Fi standard"])
def test_names_written_in_capitals_keep_them(name: str) -> None:
    assert lower_name(name).split(" ")[0] == name.split(" ", maxsplit=1)[0]
    assert lower_name("Packed Size") == "packed size"


@pytest.mark.parametrize(
    ("value", "article"), [("1.9 kg tent", "a"), ("8-inch screen", "an"), ("11 h battery", "an"), ("OLED screen", "an")]
)
def test_an_article_fits_how_a_value_is_read_aloud(value: str, article: str) -> None:
    assert with_article(value) == f"{article} {value}"


def test_a_value_with_an_article_gets_no_other() -> None:
    assert with_article("a mesh bag") == "a mesh bag"


@pytest.mark.parametrize("text", ["Dry.", "Dry!", "Is it?", "“Dry.”"])
def test_a_sentence_that_ends_gets_no_other_stop(text: str) -> None:
    assert ended(text) == text
    assert ended("Dry") == "Dry."


@pytest.mark.parametrize(
    ("attribute", "value", "sentence"),
    [
        ("Rain cover", "Included", "The rain cover of the Tarn 2 is included."),
        ("sku", "AB-1", "The SKU of the Tarn 2 is AB-1."),
        ("Number of items", "1", "The number of items of the Tarn 2 is 1."),
        ("Batteries required", "Yes", "The Tarn 2 requires batteries."),
        ("Preheat needed", "No", "The Tarn 2 does not need a preheat."),
        ("Pegs included", "No", "The Tarn 2 does not include pegs."),
        ("Pegs supplied", "12 aluminium", "The pegs supplied with the Tarn 2 are 12 aluminium."),
        ("Fits height up to", "183 cm", "The Tarn 2 fits height up to 183 cm."),
        ("Contains wool", "Trim only", "On “Contains wool”, the specification of the Tarn 2 says “Trim only”."),
        ("Use in pregnancy", "Do not use", "On “Use in pregnancy”, the specification of the Tarn 2 says “Do not use”."),
        ("Folding", "Can be folded", "On “Folding”, the specification of the Tarn 2 says “Can be folded”."),
        ("weight", "4", "The weight of the Tarn 2 is listed as 4."),
        ("Doors", "2", "The Tarn 2 has 2 doors."),
    ],
)
def test_every_form_of_an_attributes_name_makes_a_sentence(attribute: str, value: str, sentence: str) -> None:
    assert state("Tarn 2", attribute, value) == sentence


@pytest.mark.parametrize(("name", "title"), [("sku", "SKU"), ("packed size", "Packed size"), ("pH", "pH")])
def test_a_row_is_headed_by_a_capital(name: str, title: str) -> None:
    assert titled(name) == title


@pytest.mark.parametrize(
    ("attribute", "value", "sentence"),
    [
        ("Weight", "1.9 kg", "The Heron 2 weighs 1.9 kg."),
        ("Item weight", "1.9 kg", "The Heron 2 weighs 1.9 kg."),
        ("Maximum pot weight", "3 kg", "The maximum pot weight of the Heron 2 is 3 kg."),
        ("Packed weight", "2 kg", "The packed weight of the Heron 2 is 2 kg."),
        ("Price", "$20", "The Heron 2 costs $20."),
        ("List price", "$30", "The list price of the Heron 2 is $30."),
        ("Battery capacity", "4,500 mAh", "The Heron 2 has a 4,500 mAh battery."),
        ("Replacement battery", "50 Wh", "The replacement battery of the Heron 2 is 50 Wh."),
    ],
)
def test_what_a_name_adds_to_its_family_is_said(attribute: str, value: str, sentence: str) -> None:
    assert state("Heron 2", attribute, value) == sentence
