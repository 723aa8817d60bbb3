"""Figures: each number with its unit is found in the cited words, however either is written."""

import pytest

from graph.turn import Derived
from graph.verification.claim import Case
from graph.verification.figures import unfound_dates, unfound_figures, without_ranking
from tests.graph.fakes import saying
from tests.graph.verification.cases import case


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The Tarn 2 weighs 1.9 kg.", "Weight: 1.9 kg"),
        ("The Tarn 2 weighs 1,9 kilograms.", "Weight: 1.9 kg"),
        ("The head is 3000 mm.", "Hydrostatic head: 3,000 mm"),
        ("It has a 2-year warranty.", "The warranty is two years."),
        ("It has four poles.", "Poles: 4"),
        ("It costs $249.", "Price: 249 USD"),
        ("It costs 249 euros.", "Price: €249.00"),
        ("Delivery takes 3 to 5 days.", "Delivery takes 3-5 days."),
        ("It holds down to -5 °C.", "Comfort: -5 °C"),
        ("It weighs 300 g.", "Weight (g): 300"),
        ("A man and a woman are two people.", "A man and a woman."),
    ],
)
def test_a_figure_is_found_however_it_is_spelled(claim: str, line: str) -> None:
    assert unfound_figures(case(claim, line)) == ()


@pytest.mark.parametrize(
    ("claim", "line", "failing"),
    [
        ("It lasts 30 hours.", "Battery: 300 hours", ("30",)),
        ("It weighs 1.9 lb.", "Weight: 1.9 kg", ("1.9 lb",)),
        ("It weighs 300 g.", "Weight: 300", ("300 g",)),
        ("It has a three-year warranty.", "The warranty is two years.", ("three",)),
        ("It has three poles.", "It has four poles.", ("three",)),
        ("It costs €249.", "Price: $249", ("249 €",)),
        ("It holds down to 5 °C.", "Comfort: -5 °C", ("5",)),
        ("Delivery takes 5 to 5 days.", "Delivery takes 3 to 5 days.", ("5",)),
        ("It weighs 2 kg.", "The Tarn 2 is light.", ("2",)),
    ],
)
def test_a_figure_that_is_not_there_is_named(claim: str, line: str, failing: tuple[str, ...]) -> None:
    assert unfound_figures(case(claim, line)) == failing


def test_a_date_is_found_by_its_month_in_words_or_digits() -> None:
    assert unfound_dates(case("It gets updates until May 2029.", "Updates: until 2029-05-31")) == ()
    assert unfound_dates(case("It gets updates until May 2029.", "Updates: until May 2029")) == ()
    assert unfound_dates(case("It gets updates until June 2029.", "Updates: until May 2029")) == ("June",)
    assert unfound_dates(case("It ships on Monday.", "It ships on Sundays.")) == ("Monday",)
    assert unfound_dates(case("It may sit in the sun.", "It can lie there.")) == ()


def test_the_words_of_a_ranking_need_no_source() -> None:
    plain = case("The Tarn 2 weighs 1.9 kg, the lightest of the 3 tents.", "Weight: 1.9 kg")
    assert without_ranking(plain) == plain.sentence.text
    counted = plain.sentence.spans[0].model_copy(update={"derived": Derived(op="count", of=["a", "b", "c"], value=3)})
    assert (
        without_ranking(Case(saying(plain.sentence.text, counted), plain.evidence, None)) == "The Tarn 2 weighs 1.9 kg."
    )
