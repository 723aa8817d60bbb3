from collections.abc import Mapping

from graph.catalog import LocalCatalog
from ingestion.evidence import Product


def catalog(names: Mapping[str, tuple[str, tuple[str, ...]]]) -> LocalCatalog:
    """A shop of one category: name to its maker and aliases."""
    return LocalCatalog(
        {
            name: Product(id=name, name=name, brand=brand, category=("Gear",), aliases=aliases)
            for name, (brand, aliases) in names.items()
        }
    )


BAGS = catalog(
    {
        "Dormouse 5": ("Oxbarrow", ()),
        "Dormouse 5 Down": ("Oxbarrow", ("Dormouse Down",)),
        "Pellow Flip": ("Pellow", ("Flip phone",)),
        "Corvane S13": ("Corvane", ()),
        "Corvane S13 Flip": ("Corvane", ("S13 Flip",)),
        "Brindle A1": ("Brindle", ()),
        "Brindle A1s": ("Brindle", ("Brindle A1 S",)),
        "Tarn 14": ("Tarn", ("the small Tarn",)),
        "Tarn 16": ("Tarn", ("the big Tarn",)),
    }
)


def found(query: str) -> list[str]:
    return [match.name for match in BAGS.find(query, [], []).matches]


def tied(query: str) -> set[str]:
    return {match.name for match in BAGS.find(query, [], []).tied}


def test_an_everyday_word_can_be_what_sets_a_product_apart() -> None:
    assert tied("How much does the Dormouse weigh?") == {"Dormouse 5", "Dormouse 5 Down"}
    assert found("How much does the Dormouse 5 weigh?") == ["Dormouse 5"]
    assert found("How much does the Dormouse 5 Down weigh?") == ["Dormouse 5 Down"]


def test_two_makers_may_use_the_same_word() -> None:
    assert tied("How big is the battery of the Flip?") == {"Pellow Flip", "Corvane S13 Flip"}
    assert found("How big is the battery of the Pellow Flip?") == ["Pellow Flip"]


def test_a_letter_makes_another_model() -> None:
    assert found("Is the Brindle A1 waterproof?") == ["Brindle A1"]
    assert found("Is the Brindle A1s waterproof?") == ["Brindle A1s"]


def test_what_an_alias_only_describes_does_not_name_alone() -> None:
    assert found("how big is the screen?") == []
    assert found("is the big Tarn heavy?") == ["Tarn 16"]


def test_words_around_a_name_take_no_part_of_the_next_one() -> None:
    assert found("how heavy are they, for Tarn 14 and Tarn 16?") == ["Tarn 14", "Tarn 16"]
