"""What a fluent writer may lose or add while all its words stand in its sources."""

from collections.abc import Callable

import pytest

from graph.answering.candidate import cited, span
from graph.reader import shared_reader
from graph.verification import SentenceVerifier, SupportModel
from graph.verification.claim import Case
from graph.verification.coverage import lost_row
from graph.verification.figures import exchanged_days, halved_ranges, turned_limits, unlimited_figures
from graph.verification.names import strange_contacts
from graph.verification.speakers import unattributed_opinions
from graph.verification.verifier import CHECKS
from ingestion.encoder import shared_encoder
from ingestion.evidence import Evidence
from tests.graph.verification.cases import case

RETURNS = "Tents can be returned within 30 days of delivery if they are unused."
REFUND = "Refunds are paid within 5 working days after we receive the parcel."
DELIVERY = "Orders over €50 are delivered free of charge in Germany."
SALE = "20% off all Reedbed tents until 30 June 2026."
REVIEW = "It is loud in strong wind."


@pytest.fixture(scope="module")
def verifier() -> SentenceVerifier:
    """What a writer's own words are held to."""
    return SentenceVerifier(SupportModel(shared_reader(), shared_encoder()), paraphrases=True)


@pytest.mark.parametrize(
    ("check", "said", "line", "kind"),
    [
        (turned_limits, "20% off all Reedbed tents from 30 June 2026.", SALE, "offer"),
        (unattributed_opinions, "It is loud in strong wind.", REVIEW, "review"),
        (unlimited_figures, "It weighs over 1.9 kg.", "Weight: 1.9 kg", "spec"),
        (halved_ranges, "Delivery takes 2 working days.", "Delivery takes 2 to 4 working days.", "delivery"),
        (exchanged_days, "Refunds are paid within 5 days after we receive the parcel.", REFUND, "return_policy"),
        (strange_contacts, "Write to help@fell.com.", "Write to help@fell.example.", "help_article"),
    ],
)
def test_what_the_reader_does_not_see_is_found(
    check: Callable[[Case], tuple[str, ...]], said: str, line: str, kind: str
) -> None:
    assert check(case(said, line, kind=kind))
    assert check in [one.finds for one in CHECKS]


@pytest.mark.parametrize(
    ("said", "line", "kind"),
    [
        ("Refunds are paid in cash within 5 working days after we receive the parcel.", REFUND, "return_policy"),
        ("It is the best tent for two.", "It is a light tent for two.", "description"),
        ("The Tarn 2 comfortably holds 2 people.", "Capacity: 2 people", "spec"),
        ("It is light, and waterproof.", "It is a light tent for two.", "description"),
        ("Tents can be returned within 30 days of delivery.", RETURNS, "return_policy"),
        ("All products can be returned within 30 days.", RETURNS, "return_policy"),
        ("Orders are delivered free of charge in Germany.", DELIVERY, "delivery"),
        ("Orders over €50 are delivered free of charge.", DELIVERY, "delivery"),
        ("There is 20% off all Reedbed tents.", SALE, "offer"),
        ("It is in stock in York.", "In stock in Leeds, sold out in York.", "stock"),
        ("Reviewers agree that it is loud in strong wind.", REVIEW, "review"),
        ("A customer writes: “It is never loud.”", REVIEW, "review"),
        ("A footprint is included.", "A footprint is sold separately.", "description"),
    ],
)
def test_what_is_added_or_lost_is_for_the_reader_to_refuse(
    verifier: SentenceVerifier, said: str, line: str, kind: str
) -> None:
    read = case(said, line, kind=kind)
    assert not verifier.verify(read.sentence, read.evidence, read.product).accepted


@pytest.mark.parametrize(
    ("said", "line", "kind"),
    [
        ("You can send unused tents back within 30 days of delivery.", RETURNS, "return_policy"),
        ("In Germany, orders over €50 are delivered free of charge.", DELIVERY, "delivery"),
        ("The Tarn 2 weighs 1.9 kg.", "Weight: 1.9 kg", "spec"),
    ],
)
def test_other_words_for_the_same_are_shown(verifier: SentenceVerifier, said: str, line: str, kind: str) -> None:
    read = case(said, line, kind=kind)
    assert verifier.verify(read.sentence, read.evidence, read.product).accepted


@pytest.mark.parametrize(
    ("said", "line", "kind"),
    [
        ("Unused tents can be returned within 30 days of delivery.", RETURNS, "return_policy"),
        ("Refunds are paid within 5 working days after we receive the parcel.", REFUND, "return_policy"),
        ("In Germany, orders over €50 are delivered free of charge.", DELIVERY, "delivery"),
        ("Until 30 June 2026, all Reedbed tents are 20% off.", SALE, "offer"),
        ("It is in stock in Leeds.", "In stock in Leeds, sold out in York.", "stock"),
        ("A customer says it is loud in strong wind.", REVIEW, "review"),
        ("One of the customers writes: “It is loud in strong wind.”", REVIEW, "review"),
        ("The Tarn 2 weighs 1.9 kg.", "Weight: 1.9 kg", "spec"),
        ("The column of the fly is 3 m.", "Column of the fly: 3 m\nColumn of the floor: 5 m", "spec"),
        ("Write to help@fell.example.", "Write to help@fell.example.", "help_article"),
    ],
)
def test_a_true_paraphrase_passes_all_checks(said: str, line: str, kind: str) -> None:
    read = case(said, line, kind=kind)
    assert not [failing for check in CHECKS if check.paraphrases and (failing := check.finds(read))]


TABLE = """Kind | Postage of a return
Tents | Costs $8
Pegs | Free of charge"""


@pytest.mark.parametrize(
    ("said", "row", "passes"),
    [
        ("The postage of a returned tent costs $8.", "Tents | Costs $8", True),
        ("The postage of a return costs $8.", "Tents | Costs $8", False),
        ("A return is free of charge.", "Pegs | Free of charge", False),
        ("The postage of a return is of a kind.", "Kind | Postage of a return", False),
    ],
)
def test_a_row_of_a_table_is_told_with_what_it_is_the_row_of(said: str, row: str, passes: bool) -> None:  # noqa: FBT001 - expected
    item = Evidence("help_article:e", "help_article", TABLE, "Returns", "e")
    start = TABLE.index(row)
    sentence = cited(said, span(item, start, start + len(row)))
    assert bool(lost_row(Case(sentence, {item.evidence_id: item}, None))) is not passes
