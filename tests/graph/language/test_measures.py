"""Measures: what a figure measures by its unit, and which measure a question wants."""

import pytest

from graph.language.measures import agreement, measures_in


@pytest.mark.parametrize(
    ("value", "measures"),
    [
        ("25,000 hours", {"duration"}),
        ("3 min 20 s", {"duration"}),
        ("78 dB(A)", {"sound"}),
        ("34 pages per minute", {"speed"}),
        ("140 x 200 cm", {"length"}),
        ('27"', {"length"}),
        ("60 °C", {"temperature"}),
        ("500 Wh", {"energy"}),
        ("1,000:1", set()),
        ("Stainless steel", {"material"}),
        ("2 in 1", set()),
    ],
)
def test_units_tell_what_a_figure_measures(value: str, measures: set[str]) -> None:
    assert measures_in(value) == measures


@pytest.mark.parametrize(
    ("question", "attribute", "value"),
    [
        ("How loud is it?", "Sound pressure", "72 dB"),
        ("How long does it last?", "Expected life", "25,000 hours"),
        ("How long does the guarantee run?", "Cover", "Lifetime"),
        ("How many bars does it have?", "Pump", "15 bar"),
        ("How many parts are there?", "Parts", "52"),
        ("What is it made of?", "Body", "Brushed steel"),
        ("How long does it take to charge?", "Charging", "4 h"),
    ],
)
def test_a_value_of_the_measure_asked_for_agrees(question: str, attribute: str, value: str) -> None:
    assert agreement(question, attribute, value) == 1


@pytest.mark.parametrize(
    ("question", "attribute", "value"),
    [
        ("How loud is it?", "Weight", "2 kg"),
        ("How long does it last?", "Cord", "2 m"),
        ("How long does it last?", "Timer", "Yes"),
        ("And for how long?", "Cord", "2 m"),
        ("How many people can play?", "Playing time", "60 to 90 min"),
        ("How many microphones do they have?", "Bluetooth", "5.3"),
        ("How heavy is the bike?", "Maximum permitted weight", "135 kg"),
        ("How long does it take to charge?", "Playback time", "30 hours"),
        ("How long does it play?", "Charging time", "2 hours"),
    ],
)
def test_a_value_of_another_kind_disagrees(question: str, attribute: str, value: str) -> None:
    assert agreement(question, attribute, value) == -1


@pytest.mark.parametrize(
    ("question", "value"), [("How heavy is it?", "4"), ("What fits on it?", "2 kg"), ("How big is it?", "King size")]
)
def test_nothing_is_told_without_a_unit_or_a_measure_asked_for(question: str, value: str) -> None:
    assert agreement(question, "Detail", value) == 0


def test_a_measure_that_may_answer_agrees_less() -> None:
    assert 0 < agreement("How fast is it?", "Boost", "5 s") < agreement("How fast is it?", "Boost", "25 km/h")


def test_a_limit_answers_where_the_question_names_it() -> None:
    assert agreement("How heavy is the maximum load?", "Maximum load", "135 kg") == 1
