"""Documents: metadata, structure and text of every format."""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from ingestion.readers.repairs import Repairs

from ingestion.readers.discovery import discover
from ingestion.readers.documents import Document, UnreadableDocumentError, read_document

WriteShop = Callable[[Mapping[str, object]], Path]
ReadOne = Callable[[Mapping[str, object]], Document]


@pytest.fixture
def read_one(write_shop: WriteShop) -> ReadOne:
    def read(files: Mapping[str, object]) -> Document:
        (source,) = discover([write_shop(files)]).files
        return read_document(source, Repairs(source.relative))

    return read


def texts(document: Document) -> list[tuple[str, str]]:
    return [(" > ".join(block.section), block.text) for block in document.blocks]


def pdf(*pages: list[str]) -> bytes:
    """A PDF with a text line for each string."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return body + f"{trailer}startxref\n{len(body)}\n%%EOF".encode()


def docx(folder: Path, *paragraphs: str) -> bytes:
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{paragraph}</w:t></w:r></w:p>" for paragraph in paragraphs)
    path = folder / "made.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>')
    return path.read_bytes()


def test_front_matter_names_a_document(read_one: ReadOne) -> None:
    document = read_one({"a.md": "---\nid: cancel\ntitle: Cancel\naudience: buyer\nupdated_at: 2026-04-02\n---\nText."})
    assert (document.id, document.title, document.meta.audience) == ("cancel", "Cancel", "buyer")
    assert document.meta.updated_at == "2026-04-02"
    assert texts(document) == [("", "Text.")]


def test_metadata_that_cannot_be_used_is_left_out_and_reported(write_shop: WriteShop) -> None:
    (source,) = discover([write_shop({"a.md": "---\nkind: poem\nupdated_at: soon\ntitle: T\n---\nText."})]).files
    repairs = Repairs("a.md")
    document = read_document(source, repairs)
    assert (document.title, document.meta.kind, document.meta.updated_at) == ("T", None, None)
    ((kind, detail),) = [(repair.kind, repair.detail or "") for repair in repairs]
    assert kind == "metadata"
    assert "kind" in detail
    assert "'soon' is not an ISO date" in detail


def test_a_sidecar_wins_over_front_matter(read_one: ReadOne) -> None:
    document = read_one({"a.md": "---\nid: front\ntitle: T\n---\nText.", "a.meta.json": '{"id": "side"}'})
    assert (document.id, document.title) == ("side", "T")


def test_front_matter_with_an_unquoted_colon_is_read(read_one: ReadOne) -> None:
    assert read_one({"a.md": "---\ntitle: Returns: how to\n---\nText."}).title == "Returns: how to"


def test_a_rule_at_the_top_is_no_front_matter(read_one: ReadOne) -> None:
    assert "Just text." in texts(read_one({"a.md": "---\n\nJust text.\n\n---\n\nMore."}))[0][1]


def test_without_an_id_a_document_has_its_path_and_a_title_from_it(read_one: ReadOne) -> None:
    document = read_one({"help/track-my_order.txt": "Text."})
    assert (document.id, document.title) == ("help/track-my_order", "Track my order")


def test_a_first_heading_is_the_title_and_no_section(read_one: ReadOne) -> None:
    document = read_one({"a.md": "# Returns\n\nIntro.\n\n## Opened items\n\n### Tents\n\nFine.\n\n## Refunds\n\nSoon."})
    assert document.title == "Returns"
    assert texts(document) == [("", "Intro."), ("Opened items > Tents", "Fine."), ("Refunds", "Soon.")]


def test_markdown_becomes_plain_text(read_one: ReadOne) -> None:
    text = "Some *prose*\nwrapped `here`, see [the page](x.md) ![photo](y.png) &amp; 2*3*4.<br>Next line."
    assert texts(read_one({"a.md": text})) == [("", "Some prose wrapped here, see the page photo & 2*3*4.\nNext line.")]


def test_what_only_looks_like_a_tag_stays(read_one: ReadOne) -> None:
    text = "Open <INSTALL_DIR>/bin and press <Enter>, <b>then</b> wait."
    assert texts(read_one({"a.md": text})) == [("", "Open <INSTALL_DIR>/bin and press <Enter>, then wait.")]


def test_steps_keep_their_numbers_and_a_line_each(read_one: ReadOne) -> None:
    text = "3. Open **My orders**.\n   - On the phone: swipe.\n4. Press\n   *Cancel*.\n\n* One\n* Two\n"
    assert [text for _, text in texts(read_one({"a.md": text}))] == [
        "3. Open My orders.\n  - On the phone: swipe.\n4. Press Cancel.",
        "- One\n- Two",
    ]


def test_tables_have_a_row_a_line(read_one: ReadOne) -> None:
    assert texts(read_one({"a.md": "| EU | cm |\n|---|---|\n| 41 | **26.0** |\n"})) == [("", "EU | cm\n41 | 26.0")]


def test_struck_text_and_comments_of_markdown_are_gone_and_its_html_is_read(read_one: ReadOne) -> None:
    text = "~~$99~~ $79\n\n<!-- a note -->\n\n<table><tr><td>a<td>b<tr><td>c<td>d</table>\n"
    assert texts(read_one({"a.md": text})) == [("", "$79"), ("", "a | b\nc | d")]


def test_html_gives_its_main_content_alone(read_one: ReadOne) -> None:
    html = """<html><head><title>Shop</title><style>x</style></head><body><header>Logo</header><nav>Home</nav>
    <main><h1>Track</h1><p>Every parcel<br>has a number.</p><h2>Steps</h2><ol><li>Open <b>it</b>.
    <ul><li>Or not</li></ul></li><li>Press.</li></ol>
    <table><tr><th>By</th><th>Days</th></tr><tr><td>Air</td><td>2</td></tr></table>
    <aside>Ad</aside><script>x()</script></main><footer>Imprint</footer></body></html>"""
    document = read_one({"a.html": html})
    assert document.title == "Track"
    assert texts(document) == [
        ("", "Every parcel\nhas a number."),
        ("Steps", "1. Open it.\n  - Or not\n2. Press."),
        ("Steps", "By | Days\nAir | 2"),
    ]


def test_html_describes_itself_in_its_head(read_one: ReadOne) -> None:
    html = (
        '<head><meta name="description" content="Where is it"><meta name="keywords" content="a, b"></head><p>Text.</p>'
    )
    meta = read_one({"a.html": html}).meta
    assert (meta.description, meta.keywords) == ("Where is it", ("a", "b"))


def test_wrapped_lines_are_joined_and_short_ones_are_not(read_one: ReadOne) -> None:
    wrapped = "This line is as long as the paper was wide and\nso it goes on here until the sentence has ended."
    text = f"{wrapped}\n\n12 Mill Lane\nLeeds"
    assert [text for _, text in texts(read_one({"a.txt": text}))] == [
        "This line is as long as the paper was wide and so it goes on here until the sentence has ended.",
        "12 Mill Lane\nLeeds",
    ]


def test_lists_and_tables_of_plain_text_keep_their_lines(read_one: ReadOne) -> None:
    text = "To reset:\n1) Hold the button\n   for ten seconds\n2) Let go\n\nEU\tcm\n41\t26.0"
    assert [text for _, text in texts(read_one({"a.txt": text}))] == [
        "To reset:",
        "1. Hold the button for ten seconds\n2. Let go",
        "EU | cm\n41 | 26.0",
    ]


def test_headings_of_plain_text_are_guessed_and_stay_in_the_text(read_one: ReadOne) -> None:
    body = "The battery takes two hours to charge when it is empty. " * 4
    document = read_one({"a.txt": f"CHARGING\n\n{body}\n\nCleaning the body\n\n{body}"})
    assert [section for section, _ in texts(document)] == ["CHARGING", "CHARGING", *["Cleaning the body"] * 2]
    assert texts(document)[0][1] == "CHARGING"


def test_pages_of_a_pdf_are_numbered_and_lose_their_running_heads(read_one: ReadOne) -> None:
    pages = [["Brume manual", f"Never use soap of kind {number}.", f"Page {number}"] for number in range(1, 4)]
    document = read_one({"manual.pdf": pdf(*pages)})
    assert [(block.page, block.text) for block in document.blocks] == [
        (1, "Never use soap of kind 1."),
        (2, "Never use soap of kind 2."),
        (3, "Never use soap of kind 3."),
    ]


def test_a_word_file_is_read(read_one: ReadOne, tmp_path: Path) -> None:
    document = read_one({"manual.docx": docx(tmp_path, "Never use soap.", "Rinse it twice.")})
    assert [block.text for block in document.blocks] == ["Never use soap.", "Rinse it twice."]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.md": "---\naudience: staff\n---\nText."}, "audience"),
        ({"a.md": "---\nproduct_id: [1, 2]\n---\nText."}, "product_id"),
        ({"a.txt": "a" * (33 * 2**20)}, "33.0 MiB large"),
        ({"a.md": "Text.", "a.meta.json": "[1]"}, "not a JSON object"),
        ({"a.md": "Text.", "a.meta.json": "{"}, "not a JSON object"),
        ({"a.md": "\n"}, "no text"),
        ({"a.pdf": b"not a pdf"}, "cannot be read"),
        ({"a.pdf": pdf([])}, "no text"),
        ({"a.docx": b"not a zip"}, "cannot be read"),
    ],
)
def test_a_document_that_cannot_be_used_says_why(read_one: ReadOne, files: Mapping[str, object], reason: str) -> None:
    with pytest.raises(UnreadableDocumentError, match=reason):
        read_one(files)


def test_front_matter_is_read_as_it_is_written(read_one: ReadOne) -> None:
    front = "id: 0042\ntitle: 1.10\nkeywords: [1_000, 12:30:00, no]\nproduct_id: null"
    document = read_one({"a.md": f"---\n{front}\n---\nText."})
    assert (document.id, document.title, document.meta.product_id) == ("0042", "1.10", None)
    assert document.meta.keywords == ("1_000", "12:30:00", "no")


@pytest.mark.parametrize("day", ["2024-02-30", "!!timestamp 2024-02-30"])
def test_a_day_that_no_calendar_has_is_left_out_and_reported(write_shop: WriteShop, day: str) -> None:
    (source,) = discover([write_shop({"a.md": f"---\nid: x\nupdated_at: {day}\n---\nText."})]).files
    repairs = Repairs("a.md")
    document = read_document(source, repairs)
    assert (document.id, document.meta.updated_at, texts(document)) == ("x", None, [("", "Text.")])
    assert [repair.kind for repair in repairs] == ["metadata"]


def test_text_between_rules_that_names_nothing_of_a_document_is_text(read_one: ReadOne) -> None:
    document = read_one({"a.txt": "---\nNote: keep dry\n---\nText."})
    assert "keep dry" in " ".join(f"{section} {text}" for section, text in texts(document))


def test_a_word_parted_at_the_end_of_a_line_is_whole_again(read_one: ReadOne) -> None:
    text = (
        "Read all of the well-known safety notes and the infor-\nmation below before you use the tent, as is well-\n"
        "known.\n\n- Keep the instruc-\n  tions"
    )
    assert [text for _, text in texts(read_one({"a.txt": text}))] == [
        "Read all of the well-known safety notes and the information below before you use the tent, as is well-known.",
        "- Keep the instructions",
    ]


def test_a_note_that_a_markdown_page_sets_aside_is_read(read_one: ReadOne) -> None:
    assert ("", "Never use soap.") in texts(read_one({"a.md": "Text.\n\n<aside>\nNever use soap.\n</aside>\n"}))
