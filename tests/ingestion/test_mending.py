"""Repairs: what is put right while reading, what is left as it is, and what is told of it."""

import codecs

import pytest
from ingestion.readers.repairs import Repairs

from ingestion.readers.opening import decode, mend, mend_row


@pytest.fixture
def repairs() -> Repairs:
    return Repairs("reviews.csv")


def told(repairs: Repairs) -> list[tuple[str, str | None]]:
    return [(repair.kind, repair.detail) for repair in repairs]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Größe 42, schöne Tür für 5 € – „gut“", "cp1252"),
        ("Café crème, très léger, livré à côté", "cp1252"),
        ("Café", "cp1252"),
        ("Zwrot towaru w ciągu trzydziestu dni jest możliwy", "cp1250"),
        ("Ürün iade süresi on beş gündür, lütfen şartları okuyun", "cp1254"),  # noqa: RUF001
        ("Гарантия два года. Доставка бесплатна при заказе", "cp1251"),
        ("この商品は防水です。保証は二年間です。返品は三十日以内にお願いします。", "shift_jis"),
        ("id,name\n1,Heron\n", "utf-16"),
        ("id,name\n1,Heron\n", "utf-16-le"),
        ("id,name\n1,Heron\n", "utf-16-be"),
        ("id,name\n1,Heron\n", "utf-32"),
    ],
)
def test_encodings_are_recognised_and_told(repairs: Repairs, text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), repairs).removeprefix("\ufeff") == text
    ((kind, name),) = told(repairs)
    assert kind == "encoding"
    assert codecs.lookup(name or "").name[:5] == codecs.lookup(encoding).name[:5] or (name, encoding) == (
        "cp932",
        "shift_jis",
    )


@pytest.mark.parametrize("data", [b"", b"plain", "Größe €".encode(), codecs.BOM_UTF8 + b"marked"])
def test_utf_8_is_no_repair(repairs: Repairs, data: bytes) -> None:
    assert decode(data, repairs) == data.removeprefix(codecs.BOM_UTF8).decode()
    assert told(repairs) == []


def test_a_page_is_decoded_as_it_says(repairs: Repairs) -> None:
    page = '<meta charset="windows-1251"><p>Возврат</p>'
    assert decode(page.encode("cp1251"), repairs) == page


def test_broken_bytes_are_told_by_line(repairs: Repairs) -> None:
    assert decode("Café Müller\n".encode() + b"br\xffken\n", repairs) == "Café Müller\nbr\ufffdken\n"
    assert [(repair.kind, repair.lines) for repair in repairs] == [("broken_bytes", (2,))]


@pytest.mark.parametrize(
    ("spoilt", "meant"),
    [
        ("CafÃ© MÃ¼ller â‚¬5", "Café Müller €5"),  # noqa: RUF001
        ("itâ€™s fine", "it’s fine"),
        ("it\x92s fine", "it’s fine"),
        ("РџСЂРёРІРµС‚", "Привет"),  # noqa: RUF001
    ],
)
def test_text_that_was_decoded_wrongly_is_mended_and_told(repairs: Repairs, spoilt: str, meant: str) -> None:
    assert mend(spoilt, repairs, 7) == meant
    assert [(repair.kind, repair.count, repair.lines) for repair in repairs] == [("mojibake", 1, (7,))]


@pytest.mark.parametrize(
    "text",
    [
        "Größe 42 – „gut“, naïve façade, São Paulo à noite",
        "L’été à la plage, ÇA VA, ÀÉÎ ÕÜ ÃÃ",
        "25 °C ± 5 µm², ½ £5 €3 ©®™",
        "日本語 Привет 안녕",
        "a < b &amp c; {x}",
    ],
)
def test_text_that_is_fine_is_left_alone(repairs: Repairs, text: str) -> None:
    assert mend(text, repairs) == text
    assert told(repairs) == []


def test_entities_and_what_cannot_be_seen_are_told_wherever_they_stand_in_a_row(repairs: Repairs) -> None:
    row = {"text": "AT&amp;T", "attributes": {"Wei\u200bght": ["2\x00 kg"]}, "n": 3}
    assert mend_row(row, repairs, 4)["n"] == 3
    assert [(repair.kind, repair.count, repair.lines) for repair in repairs] == [
        ("entities", 1, (4,)),
        ("invisible_characters", 2, (4,)),
    ]


def test_half_a_character_is_removed_since_it_could_not_be_stored(repairs: Repairs) -> None:
    assert mend("ok\ud83d! \ud83d\ude00", repairs) == "ok! 😀"


def test_many_repairs_are_counted_and_ten_lines_shown(repairs: Repairs) -> None:
    for line in range(1, 31):
        repairs.note("blank_rows", line)
    ((count, lines),) = [(repair.count, repair.lines) for repair in repairs]
    assert (count, lines) == (30, tuple(range(1, 11)))
