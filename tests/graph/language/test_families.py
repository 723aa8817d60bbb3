"""Attribute families: an attribute is found by the words customers use for it."""

import pytest

from graph.language.families import covered_terms, families, family_of
from graph.language.lexicon import positive
from ingestion.stems import stem


@pytest.mark.parametrize(
    ("attribute", "asked"),
    [
        ("Weight", "heavy"),
        ("Hydrostatic head", "waterproof"),
        ("Screen size", "display"),
        ("Capacity (people)", "sleep"),
        ("Country of origin", "manufactured"),
    ],
)
def test_an_attribute_is_asked_for_by_other_words_than_its_name(attribute: str, asked: str) -> None:
    assert stem(asked) in covered_terms(attribute, "")


def test_an_attribute_covers_its_own_words_and_its_value() -> None:
    assert {stem("poles"), stem("aluminium")} <= covered_terms("Poles", "Aluminium")


def test_the_closest_family_wins() -> None:
    assert family_of("Battery capacity") is not family_of("Capacity")
    assert family_of("Battery capacity") is family_of("Battery")


def test_an_unheard_of_attribute_has_no_family_and_covers_its_own_words_alone() -> None:
    assert family_of("Frobnication") is None
    assert covered_terms("Frobnication", "3 nodes") == {stem("frobnication"), "3", stem("nodes")}


@pytest.mark.parametrize(
    ("comparative", "plain"), [("heavier", "heavy"), ("biggest", "big"), ("wider", "wide"), ("cheapest", "cheap")]
)
def test_a_comparative_asks_as_its_plain_form_does(comparative: str, plain: str) -> None:
    assert positive(comparative) == plain


@pytest.mark.parametrize("word", ["charger", "water", "rest", "power", "heavy"])
def test_other_words_that_end_like_comparatives_stay(word: str) -> None:
    assert positive(word) == word


def test_every_family_has_a_name_and_cues_and_speaks_of_one_and_of_many() -> None:
    for family in families():
        assert all(family.names)
        assert family.cues
        assert (family.says is None) == (family.are is None)
        for frame in (family.says, family.are):
            assert frame is None or "value}" in frame
