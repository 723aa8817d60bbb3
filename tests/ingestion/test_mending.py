"""Notes: what is put right while reading, what is left as it is, and what is told of it."""

import codecs

import pytest

from ingestion.readers.notes import Notes
from ingestion.readers.opening import decode, mend, mend_row


@pytest.fixture
def notes() -> Notes:
    return Notes("reviews.csv")


def told(notes: Notes) -> list[str]:
    return [note.reason for note in notes]


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
def test_encodings_are_recognised_and_told(notes: Notes, text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), notes).removeprefix("\ufeff") == text
    name = told(notes)[0].removeprefix("is read as ")
    assert codecs.lookup(name).name[:5] == codecs.lookup(encoding).name[:5] or (name, encoding) == (
        "cp932",
        "shift_jis",
    )


@pytest.mark.parametrize("data", [b"", b"plain", "Größe €".encode(), codecs.BOM_UTF8 + b"marked"])
def test_utf_8_is_nothing_to_tell(notes: Notes, data: bytes) -> None:
    assert decode(data, notes) == data.removeprefix(codecs.BOM_UTF8).decode()
    assert told(notes) == []


def test_a_page_is_decoded_as_it_says(notes: Notes) -> None:
    page = '<meta charset="windows-1251"><p>Возврат</p>'
    assert decode(page.encode("cp1251"), notes) == page


def test_broken_bytes_are_told(notes: Notes) -> None:
    assert decode("Café Müller\n".encode() + b"br\xffken\n", notes) == "Café Müller\nbr\ufffdken\n"
    assert told(notes) == ["has bytes that are no UTF-8, read as \ufffd"]


@pytest.mark.parametrize(
    ("spoilt", "meant"),
    [
        ("CafÃ© MÃ¼ller â‚¬5", "Café Müller €5"),  # noqa: RUF001
        ("itâ€™s fine", "it’s fine"),
        ("it\x92s fine", "it’s fine"),
        ("РџСЂРёРІРµС‚", "Привет"),  # noqa: RUF001
    ],
)
def test_text_that_was_decoded_wrongly_is_mended(spoilt: str, meant: str) -> None:
    assert mend(spoilt) == meant


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
def test_text_that_is_fine_is_left_alone(text: str) -> None:
    assert mend(text) == text


def test_all_texts_of_a_row_are_mended() -> None:
    row = {"text": "CafÃ©", "attributes": {"MÃ¼ller": ["â‚¬5"]}, "n": 3}  # noqa: RUF001
    assert mend_row(row) == {"text": "Café", "attributes": {"Müller": ["€5"]}, "n": 3}


def test_half_a_character_is_removed_since_it_could_not_be_stored() -> None:
    assert mend("ok\ud83d! \ud83d\ude00") == "ok! 😀"


def test_a_thing_is_told_once_and_of_many_a_hundred(notes: Notes) -> None:
    for line in range(1, 1_000):
        notes.add(f"note {line % 300}", line)
    assert [note.line for note in notes] == list(range(1, 101))
