"""A claim holds when a primary source makes it in the same words: spelling may differ, what is said may not."""

import pytest

from graph.options import shipped_classes
from graph.sensitive.claims import claims_in, primary, stated
from ingestion.evidence import Evidence

CLASSES = shipped_classes()


def source(text: str, kind: str = "spec", product_id: str | None = "p1") -> Evidence:
    return Evidence(
        evidence_id=f"{kind}:1", source_type=kind, text=text, title="Source", row_id="1", product_id=product_id
    )


def holds(sentence: str, *texts: str) -> bool:
    claims = claims_in(sentence, CLASSES)
    assert claims
    return all(stated(claim, [source(text) for text in texts]) for claim in claims)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The pump is FDA-approved.", "Approvals: FDA approved"),
        ("The pump is approved by the FDA.", "The pump is FDA approved."),
        ("It has the rating IP 67.", "Water resistance: IP67"),
        ("The lid is BPA free.", "BPA-free lid: Yes"),
        ("It is free of BPA.", "Material: BPA-free plastic"),
        ("It is NSF/ANSI 61 certified.", "Certifications: NSF/ANSI 61, NSF 372"),
        ("It meets MIL STD 810H.", "Tests: MIL-STD-810H"),
        ("It is dermatologically tested.", "Dermatologically tested: Yes, on 40 volunteers"),
        ("Not suitable for children under 3.", "Warning: not suitable for children under 3 years."),
        ("Not suitable for kids under 3.", "This toy is not suitable for children under 3."),
        ("The maximum load is 120 kilograms.", "Maximum load: 120 kg"),
        ("It holds up to 120 kg.", "Max. load: 120kg"),
        ("It withstands 1,000 psi.", "It withstands 1000 PSI."),
        ("It has a two year warranty.", "The kettle has a 2-year warranty on the switch."),
        ("It is non toxic.", "Paint: non-toxic"),
    ],
)
def test_case_hyphens_plurals_and_the_spelling_of_units_do_not_matter(sentence: str, text: str) -> None:
    assert holds(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The pump is FDA approved.", "The pump is FDA registered."),
        ("The pump is FDA approved.", "Approvals: FDA registered"),
        ("It is FDA certified.", "Certifications: CE certified, FDA registered"),
        ("It is IP67.", "Water resistance: IP65"),
        ("It is certified.", "The pump was tested by an independent laboratory."),
        ("It is NSF/ANSI 61 certified.", "Tested to NSF/ANSI 61"),
        ("It is BPA-free.", "BPA-free: No"),
        ("It is BPA-free.", "The lid is not BPA-free."),
        ("It is gluten-free.", "Gluten-free: not guaranteed"),
        ("It is gluten-free.", "Gluten-free: Don’t rely on it"),
        ("It is gluten-free.", "Contains gluten: Oat extract, not certified gluten-free"),
        ("Suitable for children under 3.", "Not suitable for children under 3 years."),
        ("It is flame retardant.", "Fabric: flame tested"),
        ("The maximum load is 150 kg.", "Maximum load: 120 kg"),
        ("The maximum load is 120 kg.", "Weight: 120 kg"),
        ("The maximum temperature is 80 °C.", "Minimum temperature: 80 °C"),
        ("It has a 5-year warranty.", "The kettle has a 2-year warranty. The motor lasts 5 years."),
        ("It has a lifetime warranty.", "The kettle has a 2-year warranty."),
        ("It is safe for dogs.", "It is safe for cats."),
    ],
)
def test_another_claim_is_not_the_same(sentence: str, text: str) -> None:
    assert not holds(sentence, text)


def test_only_what_the_shop_answers_for_counts() -> None:
    kinds = ("spec", "datasheet", "manual", "warranty", "help_article", "description", "feature", "qa", "review")
    found = primary([source("BPA-free", kind) for kind in kinds], "p1")
    assert {item.source_type for item in found} == {"spec", "datasheet", "manual", "warranty", "help_article"}


def test_a_source_about_another_product_does_not_count() -> None:
    found = primary([source("IP67", product_id=None), source("IP67", product_id="p2")], "p1")
    assert [item.product_id for item in found] == [None]
