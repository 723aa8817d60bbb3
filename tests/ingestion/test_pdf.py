"""PDF files: paragraphs, lists and tables as a reader sees them, with their pages and sections."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingestion.readers.blocks import ParsedDocument
from ingestion.readers.notes import Notes
from ingestion.readers.opening import RefusedFileError
from ingestion.readers.pdf import parse_pdf

MakePdf = Callable[..., bytes]
Parse = Callable[[bytes], ParsedDocument]

SIZE = 10
LEADING = 12


@pytest.fixture
def notes() -> Notes:
    return Notes("a.pdf")


@pytest.fixture
def parse(tmp_path: Path, notes: Notes) -> Parse:
    def read(data: bytes) -> ParsedDocument:
        path = tmp_path / "a.pdf"
        path.write_bytes(data)
        return parse_pdf(path, notes)[0]

    return read


def lines(*texts: str, top: float = 100, left: float = 72, size: float = SIZE) -> list[tuple[float, float, float, str]]:
    return [(left, top + LEADING * number, size, text) for number, text in enumerate(texts)]


def shown(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(" > ".join(block.section), block.text) for block in document.blocks]


PROSE = (
    "The battery takes about two hours to charge when it is empty and the",
    "original adapter is used. Do not leave the device alone while it",
    "charges near water, and keep the cable away from heat at all times.",
)
WHOLE = " ".join(PROSE)


def test_the_lines_of_a_paragraph_are_one(parse: Parse, make_pdf: MakePdf) -> None:
    page = [*lines(*PROSE), *lines("Rinse it twice.", top=160)]
    assert [text for _, text in shown(parse(make_pdf(page)))] == [WHOLE, "Rinse it twice."]


def test_words_parted_at_line_ends_are_whole_and_compounds_keep_their_hyphen(parse: Parse, make_pdf: MakePdf) -> None:
    page = lines(
        "A well-known problem of every lamp is water. Read the manual in case of trou-",
        "ble, or ask for help from somebody. It comes with a USB-",
        "C cable that is long enough for most, as is well-",
        "known by now to all who have ever had one in their own hands at home.",
    )
    ((_, text),) = shown(parse(make_pdf(page)))
    assert "in case of trouble, or" in text
    assert "a USB-C cable" in text
    assert "as is well-known by now" in text


def test_larger_and_bold_lines_are_headings_and_the_largest_is_the_title(parse: Parse, make_pdf: MakePdf) -> None:
    page = [
        (72, 60, 24, "Brume kettle"),
        (72, 100, 16, "Charging"),
        *lines(*PROSE, top=120),
        (72, 180, -SIZE, "With a power bank"),
        *lines(*PROSE, top=195),
        (72, 260, 16, "Care"),
        *lines("Rinse it twice.", top=280),
    ]
    document = parse(make_pdf(page))
    assert document.title == "Brume kettle"
    assert shown(document) == [
        ("Charging", WHOLE),
        ("Charging > With a power bank", WHOLE),
        ("Care", "Rinse it twice."),
    ]


def test_the_outline_says_what_is_a_heading_where_no_letter_does(parse: Parse, make_pdf: MakePdf) -> None:
    first = [*lines("1 Charging", top=280), *lines(*PROSE, top=300)]
    second = [*lines("2 Care", top=280), *lines(*PROSE, top=300)]
    document = parse(make_pdf(first, second, outline=[("Charging", 1), ("Care", 2)]))
    assert shown(document) == [("1 Charging", WHOLE), ("2 Care", WHOLE)]
    assert [block.page for block in document.blocks] == [1, 2]


def test_an_outline_of_thousands_of_entries_is_read_to_its_end(parse: Parse, make_pdf: MakePdf) -> None:
    page = [*lines("2 Care", top=280), *lines(*PROSE, top=300)]
    outline = [*((f"Part {number}", 1) for number in range(2_000)), ("Care", 1)]
    assert shown(parse(make_pdf(page, outline=outline))) == [("2 Care", WHOLE)]


def test_a_table_repeats_what_hangs_down_and_leaves_a_gap_where_a_cell_spans(parse: Parse, make_pdf: MakePdf) -> None:
    drawn = [
        *((72, top, 372, top) for top in (90, 150)),
        (172, 110, 372, 110),
        (72, 130, 372, 130),
        *((left, 90, left, 150) for left in (72, 172, 372)),
        (272, 110, 272, 150),
    ]
    page = [
        *drawn,
        *lines("Zone", top=113, left=75),
        *lines("Days", top=103, left=175),
        *lines("Air", top=123, left=175),
        *lines("Sea", top=123, left=275),
        *lines("EU", top=143, left=75),
        *lines("1", top=143, left=175),
        *lines("5", top=143, left=275),
    ]
    assert [text for _, text in shown(parse(make_pdf(page)))] == ["Zone | Days\nZone | Air | Sea\nEU | 1 | 5"]


def test_letters_that_are_set_twice_to_look_bold_are_read_once(parse: Parse, make_pdf: MakePdf) -> None:
    page = [*lines("Never use soap."), (72.3, 100, SIZE, "Never use soap.")]
    assert shown(parse(make_pdf(page))) == [("", "Never use soap.")]


def test_a_title_of_the_properties_counts_where_the_first_pages_show_it(parse: Parse, make_pdf: MakePdf) -> None:
    page = [(72, 60, 24, "Manual"), *lines("Aurora X2", *PROSE)]
    assert parse(make_pdf(page, info="/Title (Aurora X2 manual)")).title == "Aurora X2 manual"
    assert parse(make_pdf(page, info="/Title (template_v3_final.indd)")).title == "Manual"


def test_running_heads_that_count_the_pages_are_left_out(parse: Parse, make_pdf: MakePdf) -> None:
    pages = [
        [
            (72, 40, 9, f"Chapter 1: Lamps  {number}"),
            *lines(*PROSE, top=300),
            (300, 770, 9, "Brume Ltd."),
        ]
        for number in range(1, 7)
    ]
    assert shown(parse(make_pdf(*pages))) == [("", WHOLE)] * 6


def test_a_page_number_at_the_edge_is_left_out_of_a_single_page(parse: Parse, make_pdf: MakePdf) -> None:
    assert shown(parse(make_pdf([*lines(*PROSE), (300, 770, 9, "- 7 -")]))) == [("", WHOLE)]


def test_a_paragraph_that_runs_over_the_page_end_has_the_page_it_begins_on(parse: Parse, make_pdf: MakePdf) -> None:
    first = [*lines("An early line.", top=80), *lines(*PROSE[:2], top=700)]
    second = [*lines(*PROSE[2:], top=80), *lines("A late line.", top=120)]
    document = parse(make_pdf(first, second))
    assert [(block.page, block.text) for block in document.blocks] == [
        (1, "An early line."),
        (1, WHOLE),
        (2, "A late line."),
    ]


def test_columns_are_read_one_after_the_other_below_what_spans_them(parse: Parse, make_pdf: MakePdf) -> None:
    left = [f"The left column says in its line {number} what" for number in range(1, 9)]
    right = [f"the right column goes on with in line {number} or" for number in range(1, 9)]
    page = [
        (72, 60, 16, "A heading that spans both of the columns here"),
        *lines(*left),
        *lines(*right, left=320, top=104),
    ]
    ((section, text),) = shown(parse(make_pdf(page, [])))[:1]
    assert section == ""
    assert text == " ".join([*left, *right])


GRID = [
    *((72, top, 372, top) for top in (90, 110, 145, 165)),
    *((left, 90, left, 165) for left in (72, 172, 272, 372)),
]


def test_a_drawn_table_has_a_row_a_line_however_its_cells_are_wrapped(parse: Parse, make_pdf: MakePdf) -> None:
    page = [
        *GRID,
        *lines("Model", top=103, left=75),
        *lines("Battery", top=103, left=175),
        *lines("Weight", top=103, left=275),
        *lines("X2", top=130, left=75),
        *lines("4,500 mAh", top=130, left=175),
        *lines("180 g with", "its cover", top=124, left=275),
        *lines("X3", top=158, left=75),
        *lines("210 g", top=158, left=275),
        *lines(*PROSE, top=200),
    ]
    assert [text for _, text in shown(parse(make_pdf(page)))] == [
        "Model | Battery | Weight\nX2 | 4,500 mAh | 180 g with its cover\nX3 |  | 210 g",
        WHOLE,
    ]


def test_a_table_without_lines_is_told_by_its_columns(parse: Parse, make_pdf: MakePdf) -> None:
    rows = [("Part", "Number", "Price"), ("Wire, long", "4712", "$2"), ("Lamp", "4713", "$20")]
    page = [
        *lines(*PROSE, top=60),
        *(
            (72 + 120 * column, 110 + 14 * row, SIZE, cell)
            for row, cells in enumerate(rows)
            for column, cell in enumerate(cells)
        ),
    ]
    assert shown(parse(make_pdf(page)))[1] == ("", "Part | Number | Price\nWire, long | 4712 | $2\nLamp | 4713 | $20")


def test_steps_keep_their_numbers_and_bullets_become_plain(parse: Parse, make_pdf: MakePdf) -> None:
    items = [("3.", "Open the lid and look whether the seal is clean before"), ("4.", "Fill it."), ("•", "Water")]
    page = [
        (left, 100 + 30 * number, SIZE, text)
        for number, (marker, item) in enumerate(items)
        for left, text in ((80, marker), (100, item))
    ]
    page.insert(2, (100, 112, SIZE, "you go on."))
    assert shown(parse(make_pdf(page))) == [
        ("", "3. Open the lid and look whether the seal is clean before you go on.\n4. Fill it.\n- Water")
    ]


def test_a_table_of_contents_is_left_out(parse: Parse, make_pdf: MakePdf) -> None:
    contents = [
        (72, 60, 16, "Contents"),
        *lines("Charging ............................ 2", "Care ................................ 3"),
    ]
    assert shown(parse(make_pdf(contents, [(72, 60, 16, "Charging"), *lines(*PROSE)]))) == [("Charging", WHOLE)]


def test_a_raised_number_does_not_join_the_number_before_it(parse: Parse, make_pdf: MakePdf) -> None:
    page = [(72, 100, 10, "It covers 25 m"), (134.9, 96.5, 6, "2"), (141, 100, 10, "of lawn.")]
    assert shown(parse(make_pdf(page))) == [("", "It covers 25 m² of lawn.")]


def test_pages_without_text_are_noted(parse: Parse, make_pdf: MakePdf, notes: Notes) -> None:
    parse(make_pdf([], lines(*PROSE), []))
    assert [note.reason for note in notes] == ["pages without text (scans?): 1, 3"]


def test_properties_give_date_and_keywords(tmp_path: Path, make_pdf: MakePdf, notes: Notes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf(lines(*PROSE), info="/Keywords (care, lamp) /ModDate (D:20260504101112Z)"))
    assert parse_pdf(path, notes)[1] == {"keywords": "care, lamp", "updated_at": "2026-05-04"}


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[: len(data) // 3], "damaged"),
        (lambda _: b"%PDF-1.4 nothing more", "damaged"),
    ],
)
def test_a_damaged_file_says_so(parse: Parse, make_pdf: MakePdf, spoil: Callable[[bytes], bytes], reason: str) -> None:
    with pytest.raises(RefusedFileError, match=reason):
        parse(spoil(make_pdf(lines(*PROSE))))


def test_an_encrypted_file_says_what_to_do(parse: Parse, make_pdf: MakePdf) -> None:
    secret = "00" * 32
    encrypt = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{secret}> /U <{secret}> /P -4 >> /ID [<00> <00>]"
    with pytest.raises(RefusedFileError, match="encrypted; save a copy without a password"):
        parse(make_pdf(lines(*PROSE), trailer=encrypt))
