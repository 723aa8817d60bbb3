"""Word files: headings, lists with Word's own numbers, tables and notes."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ingestion.readers.blocks import ParsedDocument
from ingestion.readers.opening import RefusedFileError
from ingestion.readers.word import parse_docx

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STYLES = {
    "Title": '<w:name w:val="Title"/>',
    "Heading1": '<w:name w:val="heading 1"/>',
    "Heading2": '<w:name w:val="heading 2"/>',
    "Steps": '<w:name w:val="Steps"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
}
NUMBERING = """
<w:abstractNum w:abstractNumId="0">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/>
  <w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
"""
CORE = """<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
  <dc:title>Care of lamps</dc:title><cp:keywords>lamp, care</cp:keywords>
  <dcterms:modified>2026-05-04T10:11:12Z</dcterms:modified></cp:coreProperties>"""

Parse = Callable[..., tuple[ParsedDocument, dict[str, str]]]


def paragraph(text: str, style: str = "", number: str = "", level: int = 0) -> str:
    listed = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>' if number else ""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    run = text if text.startswith("<w:") else f"<w:r><w:t>{text}</w:t></w:r>"
    return f"<w:p><w:pPr>{styled}{listed}</w:pPr>{run}</w:p>"


@pytest.fixture
def parse(tmp_path: Path) -> Parse:
    def read(*body: str, core: str = "") -> tuple[ParsedDocument, dict[str, str]]:
        path = tmp_path / "a.docx"
        styles = "".join(
            f'<w:style w:type="paragraph" w:styleId="{name}">{content}</w:style>' for name, content in STYLES.items()
        )
        parts = {
            "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{"".join(body)}</w:body></w:document>',
            "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
            "word/numbering.xml": f'<w:numbering xmlns:w="{W}">{NUMBERING}</w:numbering>',
            "docProps/core.xml": core,
        }
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                if content:
                    archive.writestr(name, content)
        return parse_docx(path)

    return read


def shown(parsed: tuple[ParsedDocument, dict[str, str]]) -> list[tuple[str, str]]:
    return [(" > ".join(block.section), block.text) for block in parsed[0].blocks]


def test_headings_are_sections_and_the_title_is_the_title(parse: Parse) -> None:
    parsed = parse(
        paragraph("Brume kettle", "Title"),
        paragraph("Care", "Heading1"),
        paragraph("Daily", "Heading2"),
        paragraph("Rinse it twice."),
    )
    assert parsed[0].title == "Brume kettle"
    assert shown(parsed) == [("Care > Daily", "Rinse it twice.")]


def test_a_first_of_several_chapters_is_no_title(parse: Parse) -> None:
    chapters = [paragraph(text, style) for text in ("Charging", "Care") for style in ("Heading1", "")]
    parsed = parse(*chapters, core=CORE)
    assert parsed[0].title == "Care of lamps"
    assert shown(parsed) == [("Charging", "Charging"), ("Care", "Care")]


def test_steps_keep_the_numbers_that_word_shows_also_after_a_note(parse: Parse) -> None:
    parsed = parse(
        paragraph("Open the lid.", number="1"),
        paragraph("Fill it.", number="1"),
        paragraph("with water", number="1", level=1),
        paragraph("Do not overfill."),
        paragraph("Close the lid.", number="1"),
        paragraph("Start anew.", number="3"),
    )
    assert shown(parsed) == [
        ("", "1. Open the lid.\n2. Fill it.\n  a. with water"),
        ("", "Do not overfill."),
        ("", "3. Close the lid.\n1. Start anew."),
    ]


def test_a_style_can_number_its_paragraphs(parse: Parse) -> None:
    parsed = parse(
        paragraph("Open it.", "Steps", number="1"), paragraph("Wait."), paragraph("Close it.", "Steps", number="1")
    )
    assert [text for _, text in shown(parsed)] == ["1. Open it.", "Wait.", "2. Close it."]


def test_bullets_are_a_list(parse: Parse) -> None:
    assert shown(parse(paragraph("One", number="2"), paragraph("Two", number="2"))) == [("", "- One\n- Two")]


def test_tables_have_a_row_a_line_and_merged_cells_stand_in_each(parse: Parse) -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    rows = [
        cell("Zone", '<w:vMerge w:val="restart"/>') + cell("Air"),
        cell("", "<w:vMerge/>") + cell("Sea"),
    ]
    table = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    assert shown(parse(table)) == [("", "Zone | Air\nZone | Sea")]


def test_what_was_deleted_under_tracking_is_gone_and_what_was_inserted_is_there(parse: Parse) -> None:
    runs = (
        "<w:r><w:t xml:space='preserve'>Two </w:t></w:r><w:del><w:r><w:delText>weeks</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>years</w:t></w:r></w:ins>"
    )
    assert shown(parse(paragraph(runs))) == [("", "Two years")]


def test_a_line_in_bold_heads_what_follows_and_stays(parse: Parse) -> None:
    bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>Warranty</w:t></w:r>"
    assert shown(parse(paragraph(bold), paragraph("Two years."))) == [
        ("Warranty", "Warranty"),
        ("Warranty", "Two years."),
    ]


def test_properties_give_date_and_keywords(parse: Parse) -> None:
    _, properties = parse(paragraph("Text."), core=CORE)
    assert properties == {"keywords": "lamp, care", "updated_at": "2026-05-04T10:11:12Z"}


def test_an_encrypted_or_old_file_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 100)
    with pytest.raises(RefusedFileError, match=r"save it as \.docx without a password"):
        parse_docx(path)
