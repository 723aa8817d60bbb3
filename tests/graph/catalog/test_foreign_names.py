"""Names from elsewhere: long and noisy, matched as a whole, accepted only where a match is probable."""

import pytest

from graph.catalog import LocalCatalog
from ingestion.evidence import Product

ELSEWHERE = {
    "p1": ("encore software 10568 hoyle card games 2007 win 98 me 2000 xp", "encore software", {}),
    "p2": ("encore software 10570 hoyle board games 2007 win 98 me 2000 xp", "encore software", {}),
    "p3": ("kodak easyshare m530 12 mp digital camera 3x optical zoom red", "kodak", {"model number": "m530-red"}),
    "p4": ("kodak easyshare m580 14 mp digital camera 8x optical zoom blue", "kodak", {"model number": "m580"}),
    "p5": ("transcend storejet 25d2 320 gb external hard drive white", "transcend", {}),
    "p6": ("storejet 25d2 500 gb external hard drive white", "transcend", {"model number": "ts500gsj25d2"}),
    "p7": ("spy sweeper antispyware 3 pc", "webroot", {}),
    "p8": ("gear head quick webcam with night vision blue", "gear head", {"model number": "wc1100blu"}),
    "p9": ("microspot interiors professional edition for mac", "microspot", {}),
}


@pytest.fixture(scope="module")
def elsewhere() -> LocalCatalog:
    return LocalCatalog(
        {key: Product(id=key, name=name, brand=brand, attributes=own) for key, (name, brand, own) in ELSEWHERE.items()}
    )


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("hoyle card games 2007", "p1"),
        ("hoyle board games 2007 cd", "p2"),
        ("kodak easyshare m530 red 12mp digital camera w 3x optical zoom", "p3"),
        ("transcend storejet 25d2 500gb external hard drive white", "p6"),
        ("webroot spysweeper antispyware 3 user", "p7"),
        ("microspot interiors pro ( mac )", "p9"),
    ],
)
def test_the_likeliest_name_comes_first(elsewhere: LocalCatalog, query: str, key: str) -> None:
    assert elsewhere.rank(query, 3)[0].id == key


def test_a_long_name_is_accepted_as_a_whole_and_says_how_probable_it_is(elsewhere: LocalCatalog) -> None:
    [match] = elsewhere.find("kodak easyshare m530 12mp digital camera 3x optical zoom red", (), ()).matches
    assert match.id == "p3"
    assert match.method == "search"
    assert 0.5 < match.score <= 1


def test_a_product_at_hand_is_told_as_such(elsewhere: LocalCatalog) -> None:
    query = "kodak easyshare m530 12mp digital camera 3x optical zoom red"
    assert [match.method for match in elsewhere.find(query, ["p3"], ()).matches] == ["session"]
    assert [match.method for match in elsewhere.find(query, ["p3"], ["p3"]).matches] == ["page"]


def test_another_colour_or_size_makes_a_name_less_probable(elsewhere: LocalCatalog) -> None:
    same, other = (
        elsewhere.rank(f"gear head quick webcam with night vision {colour}", 1) for colour in ("blue", "red")
    )
    assert other[0].id == same[0].id
    assert other[0].score < same[0].score
    own, larger = (elsewhere.rank(f"storejet 25d2 {size} external hard drive white", 1) for size in ("500gb", "2tb"))
    assert larger[0].score < own[0].score


def test_a_name_of_which_hardly_anything_is_sold_here_is_not_accepted(elsewhere: LocalCatalog) -> None:
    found = elsewhere.find("canon powershot elph 100 hs digital camera silver bundle", (), ())
    assert found.matches == ()


def test_a_name_may_hold_words_of_speech_that_its_product_has_too() -> None:
    catalog = LocalCatalog(
        {"1": Product(id="1", name="Who Wants to Be a Millionaire"), "2": Product(id="2", name="Bee")}
    )
    assert [match.id for match in catalog.find("who wants to be a millionaire?", (), ()).matches] == ["1"]


def test_an_alias_is_as_good_as_the_name() -> None:
    catalog = LocalCatalog(
        {
            "lite": Product(id="lite", name="Skarn Shell Lite", brand="Skarn", aliases=("Skarn Shell Light",)),
            "shell": Product(id="shell", name="Skarn Shell", brand="Skarn"),
        }
    )
    assert catalog.rank("skarn shell light black size M", 2)[0].id == "lite"
