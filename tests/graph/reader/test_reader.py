"""The reader: what answers, what says yes or no, what bears a statement out."""

from pathlib import Path

import pytest

from graph.reader import shared_reader
from ingestion.errors import AlteredModelError
from ingestion.inference import checked

KETTLE = "Marrow K2 Kettle > Specification: "


def answers(question: str, *passages: str) -> list[float]:
    return [one.answers for one in shared_reader().judge([(question, one) for one in passages])]


def test_what_answers_in_other_words_comes_before_what_only_sounds_alike() -> None:
    right, other, near = answers(
        "will it keep quiet enough not to wake the kids",
        KETTLE + "Boils at 62 dB, about as loud as people talking.",
        KETTLE + "The lid opens with one hand.",
        KETTLE + "Children should not use it without an adult beside them.",
    )
    assert right > max(other, near)


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        ("Every part but the base may go in the dishwasher.", "yes"),
        ("The jug is not dishwasher safe: wash it by hand.", "no"),
    ],
)
def test_yes_and_no_are_read_out_of_a_passage(passage: str, said: str) -> None:
    [found] = shared_reader().judge([("can I put the jug in the dishwasher?", KETTLE + passage)])
    assert (found.yes > found.no) == (said == "yes")


def test_a_statement_is_borne_out_by_what_says_it_and_not_by_what_says_otherwise() -> None:
    claim = "Returns are free within 30 days."
    right = "Returns > How long: You may send goods back free of charge for 30 days."
    borne, otherwise = shared_reader().judge([(claim, right), (claim, "Returns: A return costs $6.")])
    assert borne.supported > otherwise.supported


def test_no_pairs_are_no_judgements() -> None:
    assert shared_reader().judge([]) == []


def test_weights_that_were_altered_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"other")
    with pytest.raises(AlteredModelError):
        checked(tmp_path / "weights", "0" * 64)
