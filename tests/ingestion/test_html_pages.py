"""Web pages: what a page says itself, however it is written, without what the site puts around it."""

import pytest

from ingestion.readers.html_page import parse_html

LONG = "Every parcel has a number by which you can follow it until it has arrived at your door."


def shown(html: str) -> list[tuple[str, str]]:
    return [(" > ".join(block.section), block.text) for block in parse_html(html)[0].blocks]


def texts(html: str) -> list[str]:
    return [text for _, text in shown(html)]


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>Home</nav>",
        "<footer>Imprint</footer>",
        "<aside>Ad</aside>",
        '<div id="cookie-banner">We use cookies <button>OK</button></div>',
        '<div class="js-CookieConsent">We use cookies</div>',
        '<div role="navigation">Home</div>',
        '<ol class="breadcrumb"><li>Home<li>Help</ol>',
        '<div class="newsletter-signup">Subscribe</div>',
        "<form><label>Search</label><input value=x></form>",
        "<div hidden>secret</div>",
        '<div style="color: red; DISPLAY : none">secret</div>',
        '<span aria-hidden="true">★</span>',
        "<script>x()</script><style>p{}</style><noscript>no</noscript><template>t</template>",
        "<button>Print</button>",
        "<s>$99</s><del>old</del>",
        "<!-- a comment -->",
    ],
)
@pytest.mark.parametrize("container", ["main", "article", "div"])
def test_what_surrounds_the_text_is_left_out(furniture: str, container: str) -> None:
    html = f"<body><{container}>{furniture}<p>{LONG}</p>{furniture}</{container}>"
    assert texts(html) == [LONG]


def test_a_page_without_marked_content_loses_its_head_and_its_menus() -> None:
    menu = "<ul><li><a>Home</a><li><a>Shop</a><li><a>Help</a></ul>"
    html = f"<body><header><a>Logo</a></header>{menu}<div><p>{LONG}</p><ul><li>One</li></ul></div>"
    assert texts(html) == [LONG, "- One"]


def test_a_page_about_cookies_and_one_in_a_single_form_are_read() -> None:
    assert texts(f'<div class="cookie-policy"><p>{LONG}</p></div>') == [LONG]
    assert texts(f"<form id=aspnetForm><p>{LONG}</p></form>") == [LONG]


def test_an_empty_main_element_does_not_hide_the_page() -> None:
    assert texts(f"<main></main><div>{LONG}</div>") == [LONG]


def test_several_articles_are_all_read() -> None:
    html = "<article><h2>One</h2><p>First.</p></article><article><h2>Two</h2><p>Second.</p></article>"
    assert shown(html) == [("One", "First."), ("Two", "Second.")]


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Returns &amp; refunds | Fellmark</title>", "Returns & refunds"),
        ("<title>Returns - Fellmark Shop</title>", "Returns"),
        ("<title>Aurora X2 - 128 GB</title>", "Aurora X2 - 128 GB"),
        ('<title>A - B - Shop</title><meta property="og:site_name" content="Shop">', "A - B"),
        ('<title>Care - Lamps</title><meta property="og:site_name" content="Fellmark">', "Care - Lamps"),
    ],
)
def test_the_title_is_that_of_the_head_without_the_site(head: str, title: str) -> None:
    assert parse_html(f"<head>{head}</head><body><p>Text.</p>")[0].title == title


def test_a_heading_of_level_1_is_the_title() -> None:
    html = "<title>Shop</title><header><h1>Fellmark</h1></header><main><h1>Track <small>it</small></h1><p>Text.</main>"
    assert parse_html(html)[0].title == "Track it"


def test_the_head_says_description_keywords_address_date_and_language() -> None:
    html = """<html lang="de-DE"><head>
    <meta name="description" content="How to return"><meta name=keywords content="a, b"><link rel="canonical" href="https://shop.example/returns">
    <meta property="article:modified_time" content="2026-03-04T23:30:00-05:00"></head><p>Text."""
    assert parse_html(html)[1] == {
        "description": "How to return",
        "keywords": "a, b",
        "url": "https://shop.example/returns",
        "updated_at": "2026-03-04T23:30:00-05:00",
        "lang": "de-DE",
    }


def test_an_address_without_a_host_is_none() -> None:
    assert "url" not in parse_html('<link rel=canonical href="/returns"><p>Text.')[1]


def test_elements_that_are_not_closed_end_where_the_next_begins() -> None:
    html = "<h2>Steps</h2><p>First<p>Second<ul><li>One<li>Two</ul><dl><dt>SKU<dd>Number<dt>RMA<dd>Return</dl>"
    assert shown(html) == [
        ("Steps", "First"),
        ("Steps", "Second"),
        ("Steps", "- One\n- Two"),
        ("Steps", "SKU: Number\nRMA: Return"),
    ]


def test_lists_keep_their_numbers_letters_and_order() -> None:
    html = """<ol start=3><li>Open <b>it</b><ul><li>On phone</li></ul>then wait<li value=7><p>Press</p><p>twice</p></ol>
    <ol type=a><li>One</ol><ul><ul><li>Deep</ul></ul>"""
    assert texts(html) == [
        "3. Open it\n  - On phone\n  then wait\n7. Press twice",
        "a. One",
        "  - Deep",
    ]


def test_lines_with_bullets_are_a_list_as_well() -> None:
    assert texts("<p>Included:<br>• Tent<br>• Poles<br>Not included.") == [
        "Included:",
        "- Tent\n- Poles",
        "Not included.",
    ]


def test_definitions_share_terms_and_have_a_line_each() -> None:
    html = "<dl><dt>SKU</dt><dt>EAN</dt><dd>Number</dd><dt>RMA:</dt><dd>Return</dd><dd>By us</dd><dt>Alone</dt></dl>"
    assert texts(html) == ["SKU, EAN: Number\nRMA: Return\nRMA: By us\nAlone"]


def test_a_folded_answer_is_a_section_of_its_question() -> None:
    html = "<h2>FAQ</h2><details><summary>Opened <i>items</i>?</summary><p>Yes.</p></details><p>After."
    assert shown(html) == [("FAQ > Opened items?", "Yes."), ("FAQ", "After.")]


def test_a_question_on_a_button_heads_its_answer() -> None:
    assert shown("<h3><button>Is it safe?</button></h3><div>It is.</div>") == [("Is it safe?", "It is.")]


def test_tables_repeat_what_hangs_down_and_leave_gaps_below_what_spans() -> None:
    html = """<table><caption>Delivery</caption><tr><th rowspan=2>Zone<th colspan=2>Days<tr><th>Air<th>Sea
    <tr><td>EU<td>1<td>5<table><tr><td>or<td>6</table></table>"""
    assert texts(html) == ["Delivery", "Zone | Days\nZone | Air | Sea\nEU | 1 | 5 or 6"]


def test_a_table_that_only_arranges_the_page_is_no_table() -> None:
    inner = "<table><tr><td>A<td>B<tr><td>C<td>D</table>"
    html = f"<table><tr><td><h2>Care</h2><p>Rinse it.</p></td><td>{inner}</td></tr></table>"
    assert shown(html) == [("Care", "Rinse it."), ("Care", "A | B\nC | D")]


def test_raised_numbers_do_not_join_the_number_before_them() -> None:
    html = '4,500<sup>1</sup> mAh, 25 m<sup>2</sup>, H<sub>2</sub>O, noted<sup><a href="#n">[2]</a></sup>.'
    assert texts(html) == ["4,500¹ mAh, 25 m², H2O, noted."]


def test_entities_quotes_code_and_pictures_are_read() -> None:
    html = '<p>a &lt; b &amp; <q>c</q> <code>x = 1</code> <img src=x alt="a lamp"><pre>if x:\n    y</pre>'
    assert texts(html) == ["a < b & “c” x = 1 a lamp", "if x:\n    y"]


@pytest.mark.parametrize("container", ["main", "article"])
def test_a_note_set_aside_within_the_text_is_part_of_it(container: str) -> None:
    note = "<aside class=warning><p>Never use soap, see <a>care</a>.</p></aside>"
    related = "<aside><h2>Related</h2><ul><li><a>Tents and poles</a><li><a>Care of tents</a></ul></aside>"
    html = f"<body>{note}<{container}><p>{LONG}</p>{note}{related}</{container}>"
    assert texts(html) == [LONG, "Never use soap, see care."]


def test_a_paragraph_about_sharing_is_read() -> None:
    info = "You can share a list with a link. Whoever has it can read the list."
    html = f'<main><p>{LONG} {LONG}</p><p class="share-info">{info}</p></main>'
    assert texts(html) == [f"{LONG} {LONG}", info]


def test_a_page_of_headings_alone_says_what_they_say() -> None:
    assert texts("<body><h1>We ship to Norway</h1>") == ["We ship to Norway"]
    assert texts("<body><h1></h1>") == []
