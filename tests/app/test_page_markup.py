"""What the page shows of a turn: safe HTML, numbers that open their source, marked words."""

from collections.abc import Callable

import pytest

from app.storefront import ProductDetails
from app.turns import Searched, Understood
from app.ui.markup import card_html, coming_html, kept_html, literal, tools_html, turn_html
from graph.turn import Citation, Confidence, Derived, Escalation, Turn
from ingestion.evidence import Evidence, Money, Product

TurnMaker = Callable[..., Turn]
Cite = Callable[..., Citation]


def test_words_of_an_answer_are_escaped_and_structure_is_not() -> None:
    html = coming_html("**For:** <script>x</script> & *stars* [1]\n\n- a_b_c\n\n1. $5\n2. `code`", [])
    assert (
        '<div class="paragraph"><strong>For:</strong> &lt;script&gt;x&lt;/script&gt; &amp; *stars*'
        '&#8288;<span class="cite"><span class="number">1</span></span>&#8288;</div>'
        '<ul><li>a_b_c</li></ul><ol start="1"><li>$5</li><li>`code`</li></ol>'
    ) in html.replace("\n", "")


def test_until_it_says_something_a_turn_shows_its_stages_and_no_markup_of_theirs() -> None:
    assert "Reading the question" in coming_html("", [])
    stages = [Understood("Is the <Kestrel 2> light?", ("product_spec", "opinion")), Searched(1)]
    html = coming_html("", stages)
    assert "Understood as <em>Is the &lt;Kestrel 2&gt; light?</em>" in html
    assert "Looking up product spec, opinion" in html
    assert "Found 1 source, checking what they say" in html
    assert "Understood" not in coming_html("It is", stages)


def test_a_table_has_heads_and_row_names() -> None:
    html = coming_html("| | A<b> |\n|---|---|\n| Weight | 1.9 kg |", [])
    assert "<thead><tr><th></th><th>A&lt;b&gt;</th></tr></thead>" in html
    assert "<tr><th>Weight</th><td>1.9 kg</td></tr>" in html


def test_a_label_shows_every_sign_as_itself() -> None:
    assert literal("*Heron* 2 [x](y) :smile: $5\n#1") == r"\*Heron\* 2 \[x\]\(y\) \:smile\: \$5 \#1"


def test_a_marker_opens_its_source_with_the_cited_words_marked(a_turn: TurnMaker, spec: Evidence) -> None:
    html = turn_html(a_turn(), lambda *_: spec, {})
    assert '<details class="cite"' in html
    assert "<mark>Weight: 1.9 kg</mark>\nCapacity: 2 people" in html
    assert "spec:kestrel-2" in html


def test_markup_in_a_source_is_shown_as_text(a_turn: TurnMaker, nasty: Evidence, cite: Cite) -> None:
    html = turn_html(a_turn(citations=[cite(nasty, "*stars*")]), lambda *_: nasty, {})
    assert "<script" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;great&lt;/b&gt; <mark>*stars*</mark> | pipes | [1] $5" in html


def test_a_source_that_is_gone_still_shows_its_quote(a_turn: TurnMaker) -> None:
    html = turn_html(a_turn(), lambda *_: None, {})
    assert "<mark>Weight: 1.9 kg</mark>" in html
    assert "no longer kept" in html


def test_a_long_source_shows_the_quote_first(a_turn: TurnMaker, cite: Cite) -> None:
    long = Evidence("manual:m", "manual", "x " * 600 + "Press reset.", "Manual", "m")
    html = turn_html(a_turn(citations=[cite(long, "Press reset.")]), lambda *_: long, {})
    assert html.count("<mark>Press reset.</mark>") == 2


def test_a_computed_figure_lists_what_it_was_computed_from(a_turn: TurnMaker, spec: Evidence, cite: Cite) -> None:
    derived = Derived(op="count", of=["spec:kestrel-2", "gone"], value=2)
    turn = a_turn(citations=[cite(spec, "Weight: 1.9 kg").model_copy(update={"derived": derived})])
    html = turn_html(turn, lambda evidence_id, _: spec if evidence_id.startswith("spec") else None, {})
    assert "Computed (count) from 2 sources: 2" in html
    assert "<li>Weight: 1.9 kg" in html


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", None])
def test_only_web_addresses_become_links(url: str | None, a_turn: TurnMaker, spec: Evidence, cite: Cite) -> None:
    unsafe = cite(spec, "Weight: 1.9 kg").model_copy(update={"url": url})
    safe = cite(spec, "Weight: 1.9 kg").model_copy(update={"url": 'https://shop.example/"x'})
    assert "<a " not in turn_html(a_turn(citations=[unsafe]), lambda *_: spec, {})
    assert 'href="https://shop.example/&#34;x"' in turn_html(a_turn(citations=[safe]), lambda *_: spec, {})


def test_a_marker_without_a_citation_is_a_plain_number(a_turn: TurnMaker) -> None:
    html = turn_html(a_turn(citations=[]), lambda *_: None, {})
    assert '<span class="cite"><span class="number">1</span></span>' in html
    assert "<summary" not in html.partition('class="foot"')[0]


def test_marked_text_counts_in_code_points(a_turn: TurnMaker, cite: Cite) -> None:
    hot = Evidence("review:r1", "review", "🔥 <hot> 🔥", "A review", "r1")
    html = turn_html(a_turn(citations=[cite(hot, "<hot>")]), lambda *_: hot, {})
    assert "🔥 <mark>&lt;hot&gt;</mark> 🔥" in html


def test_sources_are_listed_with_kind_title_and_quote(a_turn: TurnMaker) -> None:
    html = turn_html(a_turn(), lambda *_: None, {})
    assert "1 source<" in html
    assert "Specification" in html
    assert "<q>Weight: 1.9 kg</q>" in html
    assert "fold sources" not in turn_html(a_turn(citations=[]), lambda *_: None, {})


def test_the_standalone_question_is_shown_only_when_it_differs(a_turn: TurnMaker) -> None:
    assert "Understood as" not in turn_html(a_turn(), lambda *_: None, {})
    rewritten = a_turn(query="and its weight?", standalone_query="What is the weight of the <Kestrel 2>?")
    assert "What is the weight of the &lt;Kestrel 2&gt;?" in turn_html(rewritten, lambda *_: None, {})


def test_confidence_is_shown_where_an_answer_was_tried(a_turn: TurnMaker) -> None:
    low = Confidence(score=0.2, label="low")
    for outcome, shown in {"clear": True, "non_decision": False, "handoff": False}.items():
        html = turn_html(a_turn(outcome=outcome, confidence=low), lambda *_: None, {})
        assert ("Low confidence" in html) is shown


def test_a_hand_over_names_team_and_ticket(a_turn: TurnMaker) -> None:
    ticket = Escalation(reason="The customer asked for a person.", ticket_id="T-1", to="customer care", summary="s")
    html = turn_html(a_turn(escalation=ticket), lambda *_: None, {})
    assert "Customer care" in html
    assert "T-1" in html
    assert "will take over" not in turn_html(a_turn(), lambda *_: None, {})


def test_details_show_intents_decisions_and_times(a_turn: TurnMaker) -> None:
    html = turn_html(a_turn(), lambda *_: None, {})
    assert '<div class="bar selected"><span class="name">Product spec</span>' in html
    assert "90%" in html
    assert "Kestrel 2 (exact, 1.00)" in html
    assert "12.0 ms" in html


def test_how_it_was_answered_begins_in_plain_words_and_folds_the_terms_away(a_turn: TurnMaker) -> None:
    plain, folded, terms = turn_html(a_turn(), lambda *_: None, {}).partition('<details class="technical">')
    assert "about 93 are right" in plain.partition("How this was answered")[2]
    assert "entropy" not in plain
    assert folded
    assert "entropy" in terms


def test_only_an_answer_with_sources_is_copied_with_them(a_turn: TurnMaker) -> None:
    assert "Copy with sources" in tools_html(a_turn())
    assert tools_html(a_turn(citations=[])) == ""
    spoken = tools_html(a_turn(citations=[], style="voice"))
    assert "Listen" in spoken
    assert "Copy" not in spoken


@pytest.mark.parametrize(("days", "told"), [(365, "kept for 365 days"), (0, "kept until you delete them")])
def test_a_visitor_is_told_what_is_kept_and_with_which_code_it_is_deleted(days: int, told: str) -> None:
    html = kept_html("3f1a77", days)
    assert told in html
    assert '<code title="3f1a77">3f1a77</code>' in html


def test_a_product_is_shown_with_what_it_costs_and_no_markup_of_its_own() -> None:
    product = Product("k2", "Kestrel <2>", brand="R&D", category=("Camping", "Tents"), price=Money(249, "USD"))
    html = card_html(ProductDetails(product, 4.25, 12, ()))
    assert "Kestrel &lt;2&gt;" in html
    assert "R&amp;D · Camping › Tents" in html  # noqa: RUF001
    assert "$249" in html
    assert "4.2" in html
    assert "<a " not in html
    assert "★" not in card_html(ProductDetails(product, None, 0, ()))


@pytest.mark.parametrize(
    ("image", "shown"),
    [
        ("https://shop.example/p.jpg", True),
        ("http://shop.example/p.jpg", False),
        ("javascript:alert(1)", False),
        ('https://x/" onerror="alert(1)', True),
        (None, False),
    ],
)
def test_a_picture_is_shown_from_a_safe_address_and_cannot_add_markup(image: str | None, *, shown: bool) -> None:
    html = card_html(ProductDetails(Product("k2", "Kestrel 2", image=image), None, 0, ()))
    assert ("<img" in html) == shown
    assert 'onerror="' not in html
