"""Markers: one number per evidence and span, by first appearance."""

from graph.draft import Span
from graph.rendering.written import MarkerBook
from graph.turn import Derived
from ingestion.evidence import Evidence
from tests.graph.fakes import span_of, whole

SPEC = Evidence(
    evidence_id="spec:tarn-2",
    source_type="spec",
    text="Weight: 1.9 kg\nPoles: Aluminium",
    title="Tarn 2 specifications",
    row_id="tarn-2",
    product_id="tarn-2",
    url="https://shop.example/p/tarn-2",
    updated_at="2026-05-01",
)
REVIEW = Evidence(evidence_id="review:r1", source_type="review", text="Größe 💯 passt.", title="Review", row_id="r1")
MANUAL = Evidence(
    evidence_id="manual:m", source_type="manual", text="Rinse it.", title="Manual", row_id="m", section="Care", page=4
)


def book() -> MarkerBook:
    return MarkerBook({item.evidence_id: item for item in (SPEC, REVIEW, MANUAL)}, "g7")


def test_numbers_follow_the_first_appearance() -> None:
    markers = book()
    spans = [whole(REVIEW), span_of(SPEC, "Poles: Aluminium"), whole(REVIEW), span_of(SPEC, "Weight: 1.9 kg")]
    assert [markers.marker(span) for span in spans] == [1, 2, 1, 3]
    assert [citation.marker for citation in markers.citations] == [1, 2, 3]


def test_one_evidence_has_a_marker_for_every_span() -> None:
    markers = book()
    assert markers.marker(span_of(SPEC, "Weight")) != markers.marker(span_of(SPEC, "Weight: 1.9 kg"))


def test_a_quote_is_the_text_at_its_place_in_code_points() -> None:
    markers = book()
    markers.marker(span_of(REVIEW, "💯 passt"))
    [citation] = markers.citations
    assert citation.quote == REVIEW.text[citation.start : citation.end] == "💯 passt"


def test_a_citation_says_where_its_source_is() -> None:
    markers = book()
    markers.marker(span_of(SPEC, "Weight: 1.9 kg"))
    markers.marker(whole(MANUAL))
    spec, manual = markers.citations
    assert (spec.evidence_id, spec.source_type, spec.product_id) == ("spec:tarn-2", "spec", "tarn-2")
    assert (spec.url, spec.updated_at, spec.generation) == ("https://shop.example/p/tarn-2", "2026-05-01", "g7")
    assert (manual.section, manual.page) == ("Care", 4)


def test_the_section_of_a_specification_is_the_attribute() -> None:
    markers = book()
    markers.marker(span_of(SPEC, "Poles: Aluminium"))
    assert markers.citations[0].section == "Poles"


def test_what_was_computed_stands_with_the_citation_whoever_cites_it_first() -> None:
    derived = Derived(op="count", of=["review:r1"], value=1)
    counted = Span(evidence_id="review:r1", start=0, end=5, derived=derived)
    markers = book()
    assert markers.marker(counted.model_copy(update={"derived": None})) == markers.marker(counted) == 1
    assert [citation.derived for citation in markers.citations] == [derived]
