"""Entries: the value of one attribute under the name of another is refused, whoever drafted it."""

import pytest

from graph.answering.candidate import cited, span
from graph.verification import SentenceVerifier
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import SharedWords

STOVE = Product(id="solo", name="Cinder Solo")
SPEC = Evidence(
    evidence_id="spec:solo",
    source_type="spec",
    text="Weight: 85 g\nMaximum pot weight: 3 kg\nPacked size: 8 x 5 cm\nBoil time: 4 min",
    title="Cinder Solo specifications",
    row_id="solo",
    product_id="solo",
)


def accepted(text: str, *quotes: str) -> bool:
    spans = [span(SPEC, SPEC.text.index(quote), SPEC.text.index(quote) + len(quote)) for quote in quotes]
    sentence = cited(text, *spans, product_id="solo")
    return SentenceVerifier(SharedWords()).verify(sentence, {SPEC.evidence_id: SPEC}, STOVE).accepted


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The Cinder Solo weighs 85 g.", "Weight: 85 g"),
        ("The maximum pot weight of the Cinder Solo is 3 kg.", "Maximum pot weight: 3 kg"),
        ("The Cinder Solo takes pots of up to 3 kg maximum weight.", "Maximum pot weight: 3 kg"),
        ("The packed size of the Cinder Solo is 8 x 5 cm.", "Packed size: 8 x 5 cm"),
    ],
)
def test_an_entry_is_told_under_its_own_name(text: str, quote: str) -> None:
    assert accepted(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The Cinder Solo weighs 3 kg.", "Maximum pot weight: 3 kg"),
        ("The Cinder Solo has a weight of 3 kg.", "Maximum pot weight: 3 kg"),
        ("The boil time of the Cinder Solo is 85 g.", "Weight: 85 g"),
        ("The packed size of the Cinder Solo is 4 min.", "Boil time: 4 min"),
    ],
)
def test_a_value_under_the_name_of_another_entry_is_refused(text: str, quote: str) -> None:
    assert not accepted(text, quote)


def test_a_sentence_that_cites_both_entries_may_speak_of_both() -> None:
    assert accepted(
        "The Cinder Solo weighs 85 g, its maximum pot weight is 3 kg.", "Weight: 85 g", "Maximum pot weight: 3 kg"
    )


def test_a_bare_value_names_no_entry() -> None:
    """A cell of a table says the value alone; the name stands at the head of its row."""
    assert accepted("3 kg", "Maximum pot weight: 3 kg")
