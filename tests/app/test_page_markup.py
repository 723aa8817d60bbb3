"""What the page shows of a turn: safe HTML, numbers that open their source, marked words."""

from collections.abc import Callable

import pytest

from app.ui.markup import (
    answer_html,
    chips,
    confidence_html,
    details_html,
    escalation_html,
    literal,
    marked_text,
    plain_chip,
    source_list,
    understood_html,
)
from graph.turn import Citation, Confidence, Derived, Escalation, Turn
from ingestion.evidence import Evidence

TurnMaker = Callable[..., Turn]
Cite = Callable[..., Citation]


def _chip(marker: int) -> str:
    return f"({marker})"


def test_words_of_an_answer_are_escaped_and_structure_is_not() -> None:
    html = answer_html("**For:** <script>x</script> & *stars* [1]\n\n- a_b_c\n\n1. $5\n2. `code`", _chip)
    assert html == (
        '<div class="paragraph"><strong>For:</strong> &lt;script&gt;x&lt;/script&gt; &amp; *stars*(1)</div>'
        '<ul><li>a_b_c</li></ul><ol start="1"><li>$5</li><li>`code`</li></ol>'
    )


def test_a_table_has_heads_and_row_names() -> None:
    html = answer_html("| | A<b> |\n|---|---|\n| Weight | 1.9 kg [1] |", _chip)
    assert "<thead><tr><th></th><th>A&lt;b&gt;</th></tr></thead>" in html
    assert "<tr><th>Weight</th><td>1.9 kg(1)</td></tr>" in html


def test_a_label_shows_every_sign_as_itself() -> None:
    assert literal("*Heron* 2 [x](y) :smile: $5\n#1") == r"\*Heron\* 2 \[x\]\(y\) \:smile\: \$5 \#1"


def test_a_marker_opens_its_source_with_the_cited_words_marked(a_turn: TurnMaker, spec: Evidence) -> None:
    chip = chips(a_turn(), lambda *_: spec, {})(1)
    assert "<details" in chip
    assert "<mark>Weight: 1.9 kg</mark>\nCapacity: 2 people" in chip
    assert "spec:kestrel-2" in chip


def test_markup_in_a_source_is_shown_as_text(a_turn: TurnMaker, nasty: Evidence, cite: Cite) -> None:
    chip = chips(a_turn(citations=[cite(nasty, "*stars*")]), lambda *_: nasty, {})(1)
    assert "<script" not in chip
    assert "<i>" not in chip
    assert "&lt;b&gt;great&lt;/b&gt; <mark>*stars*</mark> | pipes | [1] $5" in chip


def test_a_source_that_is_gone_still_shows_its_quote(a_turn: TurnMaker) -> None:
    chip = chips(a_turn(), lambda *_: None, {})(1)
    assert "<mark>Weight: 1.9 kg</mark>" in chip
    assert "no longer kept" in chip


def test_a_long_source_shows_the_quote_first(a_turn: TurnMaker, cite: Cite) -> None:
    long = Evidence("manual:m", "manual", "x " * 600 + "Press reset.", "Manual", "m")
    chip = chips(a_turn(citations=[cite(long, "Press reset.")]), lambda *_: long, {})(1)
    assert chip.count("<mark>Press reset.</mark>") == 2


def test_a_computed_figure_lists_what_it_was_computed_from(a_turn: TurnMaker, spec: Evidence, cite: Cite) -> None:
    derived = Derived(op="count", of=["spec:kestrel-2", "gone"], value=2)
    turn = a_turn(citations=[cite(spec, "Weight: 1.9 kg").model_copy(update={"derived": derived})])
    chip = chips(turn, lambda evidence_id, _: spec if evidence_id.startswith("spec") else None, {})(1)
    assert "Computed (count) from 2 sources: 2" in chip
    assert "<li>Weight: 1.9 kg" in chip


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", None])
def test_only_web_addresses_become_links(url: str | None, a_turn: TurnMaker, spec: Evidence, cite: Cite) -> None:
    unsafe = cite(spec, "Weight: 1.9 kg").model_copy(update={"url": url})
    safe = cite(spec, "Weight: 1.9 kg").model_copy(update={"url": 'https://shop.example/"x'})
    assert "<a " not in chips(a_turn(citations=[unsafe]), lambda *_: spec, {})(1)
    assert 'href="https://shop.example/&quot;x"' in chips(a_turn(citations=[safe]), lambda *_: spec, {})(1)


def test_a_marker_without_a_citation_is_a_plain_number(a_turn: TurnMaker) -> None:
    assert chips(a_turn(citations=[]), lambda *_: None, {})(7) == plain_chip(7)


def test_marked_text_counts_in_code_points() -> None:
    assert marked_text("🔥 <hot> 🔥", 2, 7) == "🔥 <mark>&lt;hot&gt;</mark> 🔥"


def test_sources_are_listed_with_kind_title_and_quote(a_turn: TurnMaker) -> None:
    html = source_list(a_turn())
    assert "1 source" in html
    assert "Specification" in html
    assert "<q>Weight: 1.9 kg</q>" in html
    assert source_list(a_turn(citations=[])) == ""


def test_the_standalone_question_is_shown_only_when_it_differs(a_turn: TurnMaker) -> None:
    assert understood_html(a_turn()) == ""
    rewritten = a_turn(query="and its weight?", standalone_query="What is the weight of the <Kestrel 2>?")
    assert "What is the weight of the &lt;Kestrel 2&gt;?" in understood_html(rewritten)


def test_confidence_is_shown_where_an_answer_was_tried(a_turn: TurnMaker) -> None:
    low = Confidence(score=0.2, label="low")
    assert "Low confidence" in confidence_html(a_turn(confidence=low))
    assert confidence_html(a_turn(outcome="non_decision", confidence=low)) == ""
    assert confidence_html(a_turn(outcome="handoff", confidence=low)) == ""


def test_a_hand_over_names_team_and_ticket(a_turn: TurnMaker) -> None:
    ticket = Escalation(reason="The customer asked for a person.", ticket_id="T-1", to="customer care", summary="s")
    html = escalation_html(a_turn(escalation=ticket))
    assert "Customer care" in html
    assert "T-1" in html
    assert escalation_html(a_turn()) == ""


def test_details_show_intents_decisions_and_times(a_turn: TurnMaker) -> None:
    html = details_html(a_turn())
    assert '<div class="bar selected"><span class="name">Product spec</span>' in html
    assert "90%" in html
    assert "Kestrel 2 (exact, 1.00)" in html
    assert "12.0 ms" in html
