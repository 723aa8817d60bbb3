"""What a fluent writer may lose or add while all its words stand in its sources."""

import pytest

from graph.verification.paraphrase import CHECKS
from tests.graph.verification.cases import case

RETURNS = "Tents can be returned within 30 days of delivery if they are unused."
REFUND = "Refunds are paid within 5 working days after we receive the parcel."
DELIVERY = "Orders over €50 are delivered free of charge in Germany."
SALE = "20% off all Reedbed tents until 30 June 2026."
REVIEW = "It is loud in strong wind."


@pytest.mark.parametrize(
    ("check", "said", "line", "kind"),
    [
        ("condition", "Tents can be returned within 30 days of delivery.", RETURNS, "return_policy"),
        ("condition", "Refunds are paid within 5 working days.", REFUND, "return_policy"),
        ("condition", "Orders are delivered free of charge in Germany.", DELIVERY, "delivery"),
        ("condition", "Orders over €50 are delivered free of charge.", DELIVERY, "delivery"),
        ("condition", "There is 20% off all Reedbed tents.", SALE, "offer"),
        ("turned", "20% off all Reedbed tents from 30 June 2026.", SALE, "offer"),
        ("widened", "All products can be returned within 30 days.", RETURNS, "return_policy"),
        ("displaced", "It is in stock in York.", "In stock in Leeds, sold out in York.", "stock"),
        ("opinion", "It is loud in strong wind.", REVIEW, "review"),
        ("voices", "Reviewers agree that it is loud in strong wind.", REVIEW, "review"),
        ("quotation", "A customer writes: “It is never loud.”", REVIEW, "review"),
        ("limit", "It weighs over 1.9 kg.", "Weight: 1.9 kg", "spec"),
        ("range", "Delivery takes 2 working days.", "Delivery takes 2 to 4 working days.", "delivery"),
        ("days", "Refunds are paid within 5 days after we receive the parcel.", REFUND, "return_policy"),
        ("contact", "Write to help@fell.com.", "Write to help@fell.example.", "help_article"),
        ("promise", "We promise a refund within 5 working days.", REFUND, "return_policy"),
        ("rank", "It is the best tent for two.", "It is a light tent for two.", "description"),
        ("included", "A footprint is included.", "A footprint is sold separately.", "description"),
        ("added", "The Tarn 2 comfortably holds 2 people.", "Capacity: 2 people", "spec"),
        ("sibling", "The column of the floor is 3 m.", "Column of the fly: 3 m\nColumn of the floor: 5 m", "spec"),
    ],
)
def test_what_is_lost_or_added_is_found(check: str, said: str, line: str, kind: str) -> None:
    assert CHECKS[check](case(said, line, kind=kind))


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
    found = {name: failing for name, check in CHECKS.items() if (failing := check(case(said, line, kind=kind)))}
    assert not found
