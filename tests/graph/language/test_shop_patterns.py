"""A shop's own patterns: read in any case, never slow, and refused by name where they cannot be read."""

import pytest

from graph.options import shop_places


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\bmade in \w+", "It is Made in Österreich, is it?", ["Made in Österreich"]),
        (r"\bösterreich\b", "Made in Österreich", ["Österreich"]),
        (r"\bcafe\b", "A CAFÉ and a café.", ["CAFÉ", "café"]),
        (r"(?:halal|kosher)", "漢漢 halal 漢 kosher", ["halal", "kosher"]),
        ("безопас", "Это БЕЗОПАСНО?", ["БЕЗОПАС"]),
        (r"\d+ ?%", "10 % or 20%", ["10 %", "20%"]),
    ],
)
def test_a_pattern_finds_the_texts_own_words(pattern: str, text: str, found: list[str]) -> None:
    assert [text[slice(*place)] for place in shop_places(pattern, text)] == found


@pytest.mark.parametrize("pattern", [r"(a+)+!$", r"(\w+\s?)*!$", r"(?:a|aa)+b", r".*.*.*=.*"])
def test_a_pattern_that_would_never_end_ends(pattern: str) -> None:
    assert not any(shop_places(pattern, "a" * 100_000))


@pytest.mark.parametrize("pattern", ["made (in", r"a(?!b)", r"(?<=a)b", r"(a)\1", r"a{5000}"])
def test_what_cannot_be_read_is_refused_by_name(pattern: str) -> None:
    with pytest.raises(ValueError, match="is no regular expression that RE2 reads") as refused:
        shop_places(pattern, "")
    assert repr(pattern) in str(refused.value)


def test_a_pattern_that_could_never_match_is_refused() -> None:
    with pytest.raises(ValueError, match="letters that are not Latin"):
        shop_places("\\b\u0434\u0430\\b", "")


def test_half_of_a_surrogate_pair_is_no_fault() -> None:
    assert list(shop_places("safe", "\ud83d safe")) == [(2, 6)]
