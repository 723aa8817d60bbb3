from dataclasses import replace

import pytest

from graph.catalog import LocalCatalog
from ingestion.evidence import Product


def found(shop: LocalCatalog, query: str, session: tuple[str, ...] = (), page: tuple[str, ...] = ()) -> list[str]:
    return [match.name for match in shop.find(query, session, page).matches]


def tied(shop: LocalCatalog, query: str, session: tuple[str, ...] = ()) -> set[str]:
    return {match.name for match in shop.find(query, session, ()).tied}


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("How heavy is the Kestrel 2?", "Kestrel 2"),
        ("how heavy is the KESTREL 2", "Kestrel 2"),
        ("how heavy is the kestrel2", "Kestrel 2"),
        ("how heavy is the kestrel-2", "Kestrel 2"),
        ("is the AuroraX2 waterproof", "Aurora X2"),
        ("aurora x 2 battery", "Aurora X2"),
        ("iphone13 pro 256", "iPhone 13 Pro"),
        ("iphone 13pro 256 gb price", "iPhone 13 Pro"),
        ("does the creme brulee torch need gas", "Crème Brûlée Torch"),
        ("air pods price", "Apple AirPods"),
        ("lumenbook 14-inch silver weight", "Lumenbook 14 Inch Silver"),
        ('is the 14" silver lumenbook light?', "Lumenbook 14 Inch Silver"),
        ("lash princess mascara by essence", "Essence Mascara Lash Princess"),
        ("Fellmark Kestrel 3 weight", "Kestrel 3"),
    ],
)
def test_a_name_is_found_however_it_is_spelled(shop: LocalCatalog, query: str, name: str) -> None:
    assert found(shop, query) == [name]


def test_an_alias_and_a_model_number_are_names(shop: LocalCatalog) -> None:
    assert found(shop, "is the Lash Queen vegan") == ["Essence Mascara Lash Princess"]
    assert found(shop, "what is the KS-220B like") == ["Kestrel 2"]


def test_a_name_inside_longer_names_means_the_product_of_just_that_name(shop: LocalCatalog) -> None:
    assert found(shop, "battery of the Aurora X2") == ["Aurora X2"]
    assert found(shop, "battery of the Aurora X2 Pro") == ["Aurora X2 Pro"]
    assert found(shop, "battery of the X2 Pro") == ["Aurora X2 Pro"]


def test_a_name_said_many_times_is_found_each_time(shop: LocalCatalog) -> None:
    text = "Kestrel 2 or the Aurora X2 Pro, " * 30
    spans = [(mention.start, mention.end) for mention in shop.mentions(text)]
    assert [text[start:end] for start, end in spans] == ["Kestrel 2", "Aurora X2 Pro"] * 30


def test_a_model_number_alone_is_enough_when_only_one_product_has_it(shop: LocalCatalog) -> None:
    assert found(shop, "how big is the X3?") == ["Aurora X3"]


def test_typos_are_forgiven_in_words(shop: LocalCatalog) -> None:
    assert found(shop, "Kestrl 2 weight") == ["Kestrel 2"]
    assert found(shop, "auroa x2 battery") == ["Aurora X2"]


def test_an_ordinary_word_is_not_a_typo_of_a_name(shop: LocalCatalog) -> None:
    assert "Apple iPhone Charger" not in found(shop, "does an iphone charge fast")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("Compare the Kestrel 2 and the Kestrel 3", ["Kestrel 2", "Kestrel 3"]),
        ("is the aurora x3 better than the nova mini?", ["Aurora X3", "Nova Mini"]),
        ("Kestrel 2 or 3?", ["Kestrel 2", "Kestrel 3"]),
        ("is the Kestrel 2 worth it over the 3?", ["Kestrel 2", "Kestrel 3"]),
        ("is the Kestrel 2 roomier than the 3, and is it dry?", ["Kestrel 2", "Kestrel 3"]),
        ("the Kestrel 2 for the 3 of us", ["Kestrel 2"]),
        ("Aurora X2 vs X3", ["Aurora X2", "Aurora X3"]),
        ("red nail polish with red lipstick", ["Red Nail Polish", "Red Lipstick"]),
    ],
)
def test_several_products_are_found_in_their_order(shop: LocalCatalog, query: str, names: list[str]) -> None:
    assert found(shop, query) == names


def test_a_name_that_fits_several_is_a_tie(shop: LocalCatalog) -> None:
    assert tied(shop, "battery life of the Nova?") == {"Nova Plus", "Nova Mini"}
    assert tied(shop, "how heavy is the kestrel") == {"Kestrel 2", "Kestrel 3"}
    assert found(shop, "battery life of the Nova?") == []


def test_a_product_at_hand_decides_a_tie(shop: LocalCatalog) -> None:
    assert found(shop, "battery life of the Nova?", session=("Nova Mini",)) == ["Nova Mini"]
    assert found(shop, "battery life of the Nova?", page=("Nova Plus",)) == ["Nova Plus"]
    assert tied(shop, "battery life of the Nova?", session=("Nova Mini",)) == set()


def test_the_method_says_where_a_product_was_at_hand(shop: LocalCatalog) -> None:
    query = "how heavy is the Kestrel 2"
    assert [m.method for m in shop.find(query, [], []).matches] == ["exact"]
    assert [m.method for m in shop.find(query, ["Kestrel 2"], []).matches] == ["session"]
    assert [m.method for m in shop.find(query, [], ["Kestrel 2"]).matches] == ["page"]
    assert [m.method for m in shop.find("kestrl 2 weight", [], []).matches] == ["fuzzy"]


def test_a_whole_name_scores_more_than_a_mistyped_one_and_that_more_than_a_part(shop: LocalCatalog) -> None:
    whole, typo, part = (
        shop.find(query, [], []).matches[0].score
        for query in ("the Aurora X2 Pro", "the Auroa X2 Pro", "the lash princess")
    )
    assert 1.0 == whole > typo > part > 0.0


@pytest.mark.parametrize(
    "query",
    [
        "what lipstick do you sell",
        "do you have lipsticks",
        "which phone has the best battery",
        "do you have anything in red",
        "what payment methods do you accept",
        "is it water resistant?",
        "how do I cancel my order?",
        "does it fit two people",
        "",
        "???",
    ],
)
def test_words_of_many_names_are_no_mention(shop: LocalCatalog, query: str) -> None:
    result = shop.find(query, [], [])
    assert result.matches == result.tied == ()
    assert result.unknown == ()


def test_a_certain_product_may_be_meant_by_its_telling_word(shop: LocalCatalog) -> None:
    assert found(shop, "how much is the lipstick?") == ["Red Lipstick"]


def test_a_one_word_name_is_found_alone_but_not_in_a_compound(shop: LocalCatalog) -> None:
    assert found(shop, "how much is the water?") == ["Water"]
    assert found(shop, "how long does the water filter last?") == ["Water Filter"]


def test_what_is_at_hand_is_no_reason_to_find_it(shop: LocalCatalog) -> None:
    assert found(shop, "how heavy is it?", session=("Kestrel 2",), page=("Kestrel 2",)) == []


def test_a_name_from_elsewhere_is_searched(shop: LocalCatalog) -> None:
    result = shop.find("fellmark kestrel 3 three person tent green 2024", [], [])
    assert [match.name for match in result.matches] == ["Kestrel 3"]


def test_a_very_long_question_is_read(shop: LocalCatalog) -> None:
    assert found(shop, "Is the Kestrel 2 waterproof? " + "tell me more " * 2000) == ["Kestrel 2"]


def test_an_empty_catalog_finds_nothing() -> None:
    assert LocalCatalog({}).find("how heavy is the Kestrel 2?", [], []).matches == ()


def _shop(**aliases: tuple[str, ...]) -> LocalCatalog:
    products = [
        Product(id="night", name="Corin Retinol 0.3 Night Serum", brand="Corin", category=("Serums",)),
        Product(id="c10", name="Corin C10 Serum", brand="Corin", category=("Serums",)),
        Product(id="flip", name="Pellow Flip", brand="Pellow", category=("Phones",)),
        Product(id="s13", name="Arden S13", brand="Arden", category=("Phones",)),
        Product(id="s13-flip", name="Arden S13 Flip", brand="Arden", category=("Phones",)),
    ]
    return LocalCatalog({one.id: replace(one, aliases=aliases.get(one.id, ())) for one in products})


def test_a_part_of_a_name_with_its_kind_is_the_name() -> None:
    shop = _shop(night=("Corin retinol", "Retinol 0.3"))
    [mention] = shop.mentions("is the retinol serum vegan")
    assert (mention.known, [fit.product_id for fit in mention.fits]) == (True, ["night"])


def test_an_alias_may_leave_out_its_maker() -> None:
    shop = _shop(flip=("Pellow folding phone",))
    for query in ("the folding phone yeah", "is the folding phone any good"):
        assert [match.id for match in shop.find(query, [], []).matches] == ["flip"]
    assert not shop.mentions("do you sell folding phones")
    assert not _shop(flip=("Pellow phone",)).find("Pellow Wharf Phone", [], []).matches


def test_a_word_of_a_name_is_no_adjective_before_a_verb() -> None:
    found = _shop().find("can the flip go back?", [], [])
    assert {match.id for match in found.tied} == {"flip", "s13-flip"}


def test_what_something_does_is_no_name() -> None:
    go = Product(id="go", name="Kelda Go", brand="Kelda", category=("Blenders",), aliases=("Go",))
    shop = LocalCatalog({"go": go})
    assert not shop.mentions("it costs 99, does that go for the red one too?")
    for query in ("can the go be charged?", "can the Go be charged?"):
        assert [match.id for match in shop.find(query, [], []).matches] == ["go"]


def test_a_length_of_time_is_no_mark_of_a_model() -> None:
    uno = Product(id="uno", name="Pellino Uno", brand="Pellino", category=("Coffee machines",), aliases=("Uno",))
    latte = Product(id="latte", name="Pellino Uno Latte", brand="Pellino", category=("Coffee machines",))
    shop = LocalCatalog({"uno": uno, "latte": latte})
    assert [match.id for match in shop.find("I bought the uno 2 weeks ago, can it go back?", [], []).matches] == ["uno"]


def test_a_line_is_the_products_of_a_kind_that_share_what_names_it(shop: LocalCatalog) -> None:
    assert set(shop.line("Aurora X2")) == {"Aurora X2", "Aurora X2 Pro", "Aurora X3"}
    assert shop.line("Kestrel 2 Footprint") == ["Kestrel 2 Footprint"]


def test_a_number_that_counts_names_nothing() -> None:
    trail = Product(id="trail", name="Aurora Trail 4", brand="Aurora", category=("Phones",), aliases=("Aurora 4",))
    wren = Product(id="wren", name="Wren 1", brand="Orra", category=("Tents",), aliases=("one-person tent",))
    shop = LocalCatalog({"trail": trail, "wren": wren})
    assert found(shop, "is it big enough for 4?") == []
    assert found(shop, "which of the shoes have a drop of 4 mm") == []
    assert found(shop, "is the Trail 4 big enough?") == ["Aurora Trail 4"]
    assert "Wren 1" not in found(shop, "a 2 person tent that keeps dry")
    assert "Wren 1" not in found(shop, "need a two person tent that keeps dry")
    assert found(shop, "is the one-person tent dry?") == ["Wren 1"]
    nova = Product(id="x2", name="Nova X2", brand="Nova", category=("Phones",), aliases=("X2",))
    phones = LocalCatalog({"x2": nova})
    assert found(phones, "you charged me 89.99 x2 for one order") == []
    assert found(phones, "what does the x2 cost?") == ["Nova X2"]


def test_products_are_ranked_by_the_likeness_of_their_names_whether_accepted_or_not(shop: LocalCatalog) -> None:
    ranked = shop.rank("kestrel tent footprint for two", 3)
    assert ranked[0].name == "Kestrel 2 Footprint"
    assert [match.score for match in ranked] == sorted((match.score for match in ranked), reverse=True)
    assert len(ranked) == len({match.id for match in ranked}) == 3


def test_a_text_that_shares_nothing_with_any_name_ranks_nothing(shop: LocalCatalog) -> None:
    assert shop.rank("zzz", 5) == []


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("show me your laptops", ("Laptops",)),
        ("do you have a laptop for school", ("Laptops",)),
        ("what lamps do you have", ("Furniture", "Lamps")),
        ("your two-person tents", ("Camping", "Two-person tents")),
        ("phone accessories", ("Phone accessories",)),
        ("camping gear", ("Camping",)),
    ],
)
def test_a_category_is_named_in_singular_or_plural(shop: LocalCatalog, query: str, path: tuple[str, ...]) -> None:
    assert shop.find(query, [], []).category == path


def test_the_products_of_a_category_that_is_named_are_told(shop: LocalCatalog) -> None:
    assert (
        shop.find("can I return a lamp?", [], []).members == shop.find("what lamps do you have", [], []).members != ()
    )
    assert shop.find("how long is delivery?", [], []).members == ()


def test_a_noun_of_several_categories_names_what_they_share(shop: LocalCatalog) -> None:
    assert shop.find("which tents do you sell?", [], []).category == ("Camping",)


def test_an_everyday_word_for_a_category_names_it_unless_it_names_another() -> None:
    phone = Product(id="p", name="Nova 5", category=("Electronics", "Phones"))
    laptop = Product(id="l", name="Fell 13", category=("Electronics", "Laptops"))
    desktop = Product(id="d", name="Fell Tower", category=("Electronics", "Computers"))
    shop = LocalCatalog({product.id: product for product in (phone, laptop, desktop)})
    assert shop.find("do you sell smartphones?", [], []).category == ("Electronics", "Phones")
    assert shop.find("do you sell computers?", [], []).category == ("Electronics", "Computers")


def test_who_points_at_the_only_one_of_a_kind_names_it() -> None:
    stove = Product(id="solo", name="Cinder Solo", category=("Camping", "Stoves"))
    tent = Product(id="wren", name="Wren 1", category=("Camping", "Tents"), aliases=("one-person tent",))
    shop = LocalCatalog({product.id: product for product in (stove, tent)})
    pointed = ("is the stove loud?", "which gas fits your camping stove", "the Camping stoves, are they loud?")
    for query in (*pointed, "is the burner loud?"):
        assert found(shop, query) == ["Cinder Solo"]
    stove_too = ("is the hob timer exact?", "what is the burner size?")
    others = (
        *stove_too,
        "a stove for two",
        "is the Duo stove loud?",
        "is the Duo burner loud?",
        "is the two-person tent dry?",
    )
    for query in ("do you sell stoves?", *others):
        assert found(shop, query) == []


def test_a_part_of_a_name_before_what_something_else_is_names_nothing() -> None:
    phone = Product(id="trail", name="Skarn Trail 4", brand="Skarn", category=("Electronics", "Phones"))
    shoe = Product(id="bramble", name="Brackle Bramble", brand="Brackle", category=("Sport", "Running shoes"))
    shop = LocalCatalog({product.id: product for product in (phone, shoe)})
    assert found(shop, "are the trail shoes vegan?") == []
    assert found(shop, "is the trail phone heavy?") == ["Skarn Trail 4"]


def test_words_of_a_product_name_are_no_category(shop: LocalCatalog) -> None:
    assert shop.find("how bright is the Corin Desk Lamp", [], []).category == ()


def test_no_category_is_named_by_other_words(shop: LocalCatalog) -> None:
    assert shop.find("do you ship to Norway?", [], []).category == ()
