"""Polarity: evidence says yes, says no, or decides nothing, and what it leaves out is never a no."""

import numpy as np
import pytest

from graph.polarity import Polarity, Verdict
from graph.polarity.bounds import fit
from graph.polarity.features import DENYING, NAMES
from graph.polarity.question import can_be_settled, claim_and_denial, without_name
from graph.polarity.statement import read_statement
from graph.polarity.weights import shipped
from ingestion.encoder import shared_encoder
from tests.graph.fakes import BagOfWords


def verdict(question: str, statement: str, kind: str = "feature", product: str = "") -> bool | None:
    return Polarity(shared_encoder()).verdict(question, statement, kind, product).said


@pytest.mark.parametrize(
    ("question", "statement", "kind"),
    [
        ("Does it have NFC?", "NFC: Yes", "spec"),
        ("Is it dishwasher safe?", "The lid is dishwasher safe.", "feature"),
        ("Is it suitable for a 6 year old?", "Recommended for ages 5 and up.", "feature"),
        ("Is it made of leather?", "made of hand sewn pliable leather", "feature"),
    ],
)
def test_evidence_that_holds_what_is_asked_says_yes(question: str, statement: str, kind: str) -> None:
    assert verdict(question, statement, kind) is True


@pytest.mark.parametrize(
    ("question", "statement", "kind"),
    [
        ("Is it waterproof?", "Waterproof: No", "spec"),
        ("Is it dishwasher safe?", "It is not dishwasher safe.", "feature"),
        ("Does it come with a charger?", "The charger is not included in the box.", "feature"),
        ("Is this a video game?", "a fun board game for the family", "description"),
    ],
)
def test_evidence_that_denies_what_is_asked_says_no(question: str, statement: str, kind: str) -> None:
    assert verdict(question, statement, kind) is False


@pytest.mark.parametrize(
    ("question", "statement", "kind"),
    [
        ("Does it come with a charger?", "In the box: phone, cable, SIM tool", "spec"),
        ("Does it come with a train?", "includes straight track and curved track", "feature"),
        ("Is it waterproof?", "The jacket is made of cotton.", "description"),
        ("Does it work with Linux?", "Compatible with: Windows", "spec"),
    ],
)
def test_what_evidence_leaves_out_is_neither_a_yes_nor_a_no(question: str, statement: str, kind: str) -> None:
    assert verdict(question, statement, kind) is None
    assert Polarity(shared_encoder()).verdict(question, statement, kind).no == 0


@pytest.mark.parametrize(
    "question", ["Is it wood or plastic?", "Isn't it loud?", "Does it come without a charger?", "Is it not loud?"]
)
def test_a_choice_or_a_denial_gets_neither(question: str) -> None:
    assert not can_be_settled(question)
    assert Polarity(BagOfWords()).verdict(question, "Yes, it is loud plastic.", "qa") == Verdict(0.0, 0.0)


def test_whether_or_not_is_no_choice() -> None:
    assert can_be_settled("Is it loud or not?")


def test_a_question_is_a_claim_and_a_denial() -> None:
    assert claim_and_denial("So is it hard to clean?") == ("it is hard to clean.", "it is not hard to clean.")
    assert claim_and_denial("does the set fit?") == ("the set fit.", "the set does not fit.")


def test_the_name_of_the_product_is_not_what_is_asked() -> None:
    assert without_name("Is the Aurora X2 loud?", "Aurora X2") == "Is it loud?"
    assert without_name("Is the Aurora X2s loud?", "Aurora X2") == "Is the Aurora X2s loud?"
    assert without_name("Is it loud?", "") == "Is it loud?"


@pytest.mark.parametrize(
    "text",
    ["yes, it fits. Question: does it fit a Mac?", "Question: does it fit a Mac?\nAnswer: yes, it fits."],
)
def test_of_a_customer_answer_the_question_is_set_apart(text: str) -> None:
    found = read_statement(text, "qa")
    assert (found.said, found.earlier) == ("yes, it fits.", "does it fit a Mac?")


def test_an_idiom_denies_nothing() -> None:
    assert "no problem" not in read_statement("It fits with no problems.", "review").said


@pytest.mark.parametrize(
    ("question", "said", "how"),
    [
        ("good for a four year old?", "ages 3 and up", "inside"),
        ("good for a 12 month old?", "2+ years", "outside"),
        ("can six people play?", "for 2 to 4 players", "outside"),
        ("good for a five year old?", "48 months to 144 months", "inside"),
        ("will it hold 100 pounds?", "supports up to 115 lbs", "inside"),
        ("is it 10 inches tall?", "height: 10 inches", "same"),
        ("is it 10 inches tall?", "height: 12 inches", "different"),
        ("is it 10 inches tall?", "weighs 12 pounds", "unknown"),
    ],
)
def test_a_figure_asked_about_is_compared_with_what_is_stated(question: str, said: str, how: str) -> None:
    assert fit(question, said) == how


def test_many_statements_are_judged_at_once_as_one_by_one() -> None:
    polarity = Polarity(BagOfWords())
    statements = [("It is loud.", "review"), ("It is not loud.", "review")]
    together = polarity.verdicts("Is it loud?", statements)
    alone = [polarity.verdict("Is it loud?", text, kind) for text, kind in statements]
    assert [one.yes for one in together] == pytest.approx([one.yes for one in alone])
    assert polarity.verdicts("Is it loud?", []) == []


def test_without_a_sign_of_denial_there_is_no_no_whatever_the_weights_say() -> None:
    described = np.ones((1, len(NAMES)))
    described[0, [place for place, name in enumerate(NAMES) if name in DENYING]] = 0.0
    assert shipped().probabilities(described)[0, 1] == 0
