"""What the support model looks at: figures with units, names, negations, and how much of a claim is covered."""

import pytest

from graph.support.contradiction import NAMES, contradiction
from graph.support.overlap import NAMES as OVERLAP
from graph.support.overlap import overlap
from graph.support.passages import KEPT, Rarity, passage
from graph.support.quantities import Quantity
from graph.support.wording import read

PLAIN = Rarity({})


def against(claim: str, *evidence: str) -> dict[str, float]:
    said = read(claim)
    return dict(zip(NAMES, contradiction(said, passage(said, evidence, PLAIN)), strict=True))


def covered(claim: str, *evidence: str) -> dict[str, float]:
    said = read(claim)
    return dict(zip(OVERLAP, overlap(said, passage(said, evidence, PLAIN), PLAIN), strict=True))


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        ("4,500 mAh", [Quantity("4500", "milliampere hour")]),
        ("a two-year warranty", [Quantity("2", "year")]),
        ("6.1-inch", [Quantity("6.1", "inch")]),
        ("$50 and 30 °C", [Quantity("50", "dollar"), Quantity("30", "celsius")]),
        ("50 dollars, USD 50", [Quantity("50", "dollar"), Quantity("50", "dollar")]),
        ("1,9 kg or 1.90 kg", [Quantity("1.9", "kilogram"), Quantity("1.9", "kilogram")]),
        ("10-12 hours, -5 °C", [Quantity("10", "hour"), Quantity("12", "hour"), Quantity("-5", "celsius")]),
        ("2 million", [Quantity("2000000", None)]),
        ("one year, one pole", [Quantity("1", "year")]),
        ("30 in stock, 2 a day", [Quantity("30", None), Quantity("2", None)]),
        ("3 lbs", [Quantity("3", "pound")]),
        ("12 colours", [Quantity("12", None)]),
    ],
)
def test_figures_are_read_with_their_units(text: str, quantities: list[Quantity]) -> None:
    assert list(read(text).quantities) == quantities


def test_the_names_of_a_sentence_keep_their_numbers() -> None:
    names = [" ".join(token.text for token in run) for run in read("The Aurora X2 Pro fits the Heron 2.").names]
    assert names == ["aurora x 2 pro", "heron 2"]


def test_a_figure_that_the_evidence_lacks_is_missing() -> None:
    assert against("It weighs 187 g.", "Weight: 172 g")["a figure is missing"] == 1
    assert against("It weighs 172 g.", "Weight: 172 g")["a figure is missing"] == 0


def test_a_figure_with_another_unit_is_told() -> None:
    assert against("It holds 2 litres.", "Capacity: 2 gallons")["other units"] == 1
    assert against("It holds 2 litres.", "Capacity: 2 L")["other units"] == 0
    assert against("It is 2 inches long.", "2 in the box")["other units"] == 0


@pytest.mark.parametrize(
    ("claim", "evidence", "turned"),
    [
        ("The Wren 1 is freestanding.", "Wren 1 specifications\nFreestanding: No", 1),
        ("The Wren 1 is not freestanding.", "Wren 1 specifications\nFreestanding: No", 0),
        ("Gas is not sold separately.", "Gas is sold separately.", 1),
        ("The pump isn't covered.", "We do not replace it. The pump is not covered.", 0),
        ("It is waterproof.", "It is not heavy, and it is waterproof.", 0),
    ],
)
def test_what_is_denied_here_and_said_there_is_turned_round(claim: str, evidence: str, turned: float) -> None:
    assert against(claim, evidence)["turned round"] == turned


def test_another_product_is_told_by_its_name() -> None:
    assert against("The Heron 2 has a vestibule.", "Kestrel 2 specifications\nVestibule: Yes")["a name is missing"] == 1
    assert (
        against("The Tarn 16 has 16 GB.", "Tarn 14 Air specifications\nMemory: 16 GB")["a numbered name is not found"]
        == 1
    )
    assert against("The Tarn 14 has 16 GB.", "Tarn 14 Air specifications\nMemory: 16 GB")["name goes on"] == 1
    own = against("The Tarn 14 has 16 GB.", "Tarn 14 specifications\nMemory: 16 GB")
    assert not own["a name is missing"] + own["a numbered name is not found"] + own["name goes on"]


def test_a_word_and_its_opposite_are_told() -> None:
    assert against("The delivery is expensive.", "The delivery is cheap.")["opposites"] == 1
    assert against("The delivery is cheap.", "The delivery is cheap.")["opposites"] == 0


def test_a_change_counts_as_much_as_the_rest_of_the_claim_is_covered() -> None:
    near = against("The frame weighs 5 kg in its bag.", "The frame weighs 4 kg in its bag.")["figure changed"]
    far = against("The frame weighs 5 kg in its bag.", "Delivery takes 4 days.")["figure changed"]
    assert near == 1
    assert far == 0


def test_words_are_covered_by_one_sentence_or_by_several() -> None:
    found = covered("The pump is steel and the hose is rubber.", "The pump is steel. It lasts.", "The hose is rubber.")
    assert found["terms covered"] == 1
    assert found["terms covered by a sentence"] == 0.5
    assert found["terms covered by two sentences"] == 1
    assert found["terms missing"] == 0


def test_rare_words_weigh_more() -> None:
    claim = read("The tent has a vestibule.")
    rarity = Rarity({"tent": 0.1})
    found = overlap(claim, passage(claim, ["This tent."], rarity), rarity)
    assert found[0] == pytest.approx(0.1 / 1.1)


def test_no_more_than_a_few_sentences_are_read_closely_the_nearest_first() -> None:
    evidence = " ".join(f"Sentence {place} is here." for place in range(30)) + " The pump is steel."
    claim = read("The pump is steel.")
    kept = passage(claim, [evidence], PLAIN).sentences
    assert len(kept) == KEPT
    assert kept[0].text == "The pump is steel."


def test_a_no_before_a_noun_denies_the_noun_and_not_the_name_before_it() -> None:
    assert read("Tarn 2: No return policy.").negated == read("The Tarn 2 has no return policy.").negated
    assert "waterproof" in read("Waterproof: No").negated
