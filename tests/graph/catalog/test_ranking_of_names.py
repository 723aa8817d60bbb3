from graph.catalog import LocalCatalog


def test_products_are_ranked_by_the_likeness_of_their_names_whether_accepted_or_not(shop: LocalCatalog) -> None:
    ranked = shop.rank("kestrel tent footprint for two", 3)
    assert ranked[0].name == "Kestrel 2 Footprint"
    assert [match.score for match in ranked] == sorted((match.score for match in ranked), reverse=True)
    assert len(ranked) == len({match.id for match in ranked}) == 3


def test_a_text_that_shares_nothing_with_any_name_ranks_nothing(shop: LocalCatalog) -> None:
    assert shop.rank("zzz", 5) == []
