"""Names, marks and negations: what a sentence names, certifies or denies is what its cited words do."""

import pytest

from graph.verification.coverage import lost_negation, unfound_negation
from graph.verification.names import unknown_marks, unknown_names
from tests.graph.verification.cases import case


def test_the_products_own_name_needs_no_source() -> None:
    assert unknown_names(case("The Fell Tarn 2 weighs 1.9 kg.", "Weight: 1.9 kg")) == ()


@pytest.mark.parametrize(
    ("claim", "line", "name"),
    [
        ("The Oakdale 3 weighs 1.9 kg.", "Weight: 1.9 kg", "Oakdale 3"),
        ("The Tarn 2 Pro weighs 1.9 kg.", "Weight: 1.9 kg", "Tarn 2 Pro"),
        ("It fits the Brindle A1s.", "Fits: Brindle A1", "Brindle A1s"),
        ("It fits the Brindle A1.", "Fits: Brindle A1s", "Brindle A1"),
    ],
)
def test_a_name_that_is_anothers_or_a_part_of_anothers_is_told(claim: str, line: str, name: str) -> None:
    assert unknown_names(case(claim, line)) == (name,)


@pytest.mark.parametrize(
    ("claim", "line", "marks"),
    [
        ("It is rated IP68.", "Protection: IP 68", ()),
        ("It is rated IP68.", "Protection: IP67", ("IP68",)),
        ("It carries the GOTS mark.", "Cotton: organic", ("GOTS",)),
        ("It is OEKO-TEX certified.", "Certificate: Oeko-Tex 100", ()),
        ("It is certified.", "It is warm.", ("certified",)),
        ("It follows the rules of the WHO.", "It follows the World Health Organization.", ()),
        ("It weighs 2 KG.", "Weight: 2 kg", ()),
    ],
)
def test_codes_marks_and_assurances_must_be_there(claim: str, line: str, marks: tuple[str, ...]) -> None:
    assert unknown_marks(case(claim, line)) == marks


@pytest.mark.parametrize(
    ("claim", "line", "denial"),
    [
        ("It does not include pegs.", "Pegs are included.", ("not",)),
        ("It does not include pegs.", "Pegs: No", ()),
        ("It can't be washed.", "Do never wash it.", ()),
        ("It is without seams.", "It is seam-free.", ()),
    ],
)
def test_only_what_is_denied_there_is_denied(claim: str, line: str, denial: tuple[str, ...]) -> None:
    assert unfound_negation(case(claim, line)) == denial


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Opened cosmetics can be returned.", "Opened cosmetics cannot be returned."),
        ("It needs preheating.", "It needs no preheating."),
        ("There is not no express service.", "There is no express service."),
        ("The Tarn 2 has a repair kit.", "Repair kit: No"),
    ],
)
def test_what_is_denied_there_is_not_said(claim: str, line: str) -> None:
    assert lost_negation(case(claim, line))
    assert not lost_negation(case(line, line))


def test_what_another_sentence_denies_is_another_matter() -> None:
    assert not lost_negation(case("It is waterproof.", "It is not heavy, and it is waterproof."))


def test_a_quotation_of_two_sentences_that_deny_denies_as_they_do() -> None:
    line = "I would not. It draws 1,500 W, which travel converters cannot supply."
    assert not lost_negation(case(f"In the customer Q&A: “{line}”", line))
