"""Speakable text: what a voice reads holds no digits outside names and no signs that only the eye reads."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.rendering.speakable import speakable

MEASURES = [
    ("1.9 kg", "one point nine kilograms"),
    ("1 kg", "one kilogram"),
    ("0.5 kg", "zero point five kilograms"),
    ("1 l", "one litre"),
    ("2 l", "two litres"),
    ("½ l", "zero point five litres"),
    ("1½ l", "one point five litres"),
    ("50,5 cm", "fifty point five centimetres"),
    ("4,500 mAh", "four thousand, five hundred milliamp hours"),
    ("256GB", "two hundred and fifty-six gigabytes"),
    ("1 GB", "one gigabyte"),
    ("65W", "sixty-five watts"),
    ("120 km/h", "one hundred and twenty kilometres per hour"),
    ("12,000 g/m²/24 h", "twelve thousand grams per square metre per twenty-four hours"),
    ("S/M", "S/M"),
    ("300 g/m²", "three hundred grams per square metre"),
    ("0.8 m² each", "zero point eight square metres each"),
    ("60 °C", "sixty degrees Celsius"),
    ("-5 °C", "minus five degrees Celsius"),
    ("20%", "twenty percent"),
    ("20 %", "twenty percent"),
    ("6.1-inch", "six point one inch"),
    ('27"', "twenty-seven inches"),
    ("5' 11\"", "five foot eleven"),
    ("-5 million", "minus five million"),
    ("12 in.", "twelve inches."),
    ("5 in stock", "five in stock"),
    ("3-year warranty", "three year warranty"),
    ("a 66 W charger", "a sixty-six watt charger"),
    ("the 4,500 mAh battery", "the four thousand, five hundred milliamp hour battery"),
    ("the 5 kg are", "the five kilograms are"),
    ("(1.9 kg)", "(one point nine kilograms)"),
]
DIMENSIONS_AND_RANGES = [
    ("2 x 3 cm", "two by three centimetres"),
    ("30 × 20 × 10 cm", "thirty by twenty by ten centimetres"),
    ("2 cm x 3 cm", "two centimetres by three centimetres"),
    ("2 x AA batteries", "two AA batteries"),
    ("10x zoom", "ten times zoom"),
    ("5-8 working days", "five to eight working days"),
    ("3–5 days", "three to five days"),
    ("1.5–2 kg", "one point five to two kilograms"),
    ("−20 °C to 60 °C", "minus twenty degrees Celsius to sixty degrees Celsius"),
    ("±2 %", "plus or minus two percent"),
    ("≥ 5 kg", "at least five kilograms"),
    ("50+ reviews", "fifty plus reviews"),
    ("4.5/5", "four point five out of five"),
    ("1/2 inch", "zero point five inches"),
    ("18/10 steel", "eighteen ten steel"),
    ("2-in-1", "two in one"),
]
MONEY = [
    ("$249.99", "two hundred and forty-nine dollars and ninety-nine cents"),
    ("It costs $1.2 million.", "It costs one million, two hundred thousand dollars."),
    ("$249", "two hundred and forty-nine dollars"),
    ("$1", "one dollar"),
    ("$0.99", "ninety-nine cents"),
    ("$1,299.00", "one thousand, two hundred and ninety-nine dollars"),
    ("€9", "nine euros"),
    ("9,99 €", "nine euros and ninety-nine cents"),
    ("CHF 20", "twenty francs"),
    ("$5/month", "five dollars per month"),
    ("$5–$8", "five dollars to eight dollars"),
    ("a $10 voucher", "a ten dollar voucher"),
    ("$20 off", "twenty dollars off"),
]
DATES_AND_TIMES = [
    ("since 2026", "since twenty twenty-six"),
    ("15 September 2026", "the fifteenth of September twenty twenty-six"),
    ("the 15th of September", "the fifteenth of September"),
    ("September 15, 2026", "the fifteenth of September twenty twenty-six"),
    ("2026-05-01", "the first of May twenty twenty-six"),
    ("the 1990s", "the nineteen nineties"),
    ("14:30", "fourteen thirty"),
    ("2 pm", "two p.m."),
    ("9:00", "nine o'clock"),
    ("9:05 a.m.", "nine oh five a.m."),
    ("7am-9pm", "seven a.m. to nine p.m."),
    ("24/7", "around the clock"),
    ("the 22nd", "the twenty-second"),
]
CODES_AND_SIGNS = [
    ("IP68", "IP sixty-eight"),
    ("X2", "X two"),
    ("CR2032", "CR twenty thirty-two"),
    ("MIL-STD-810H", "MIL-STD eight hundred and ten H"),
    ("Wi-Fi 6E", "Wi-Fi six E"),
    ("HDMI 2.1", "HDMI two point one"),
    ("v2.1.3", "v two point one point three"),
    ("5G", "five G"),
    ("4K", "four K"),
    ("SPF 50+", "SPF fifty plus"),
    ("#5", "number five"),
    ("ZIP 97209", "ZIP nine seven two zero nine"),
    ("+1 503 555 0123", "one five zero three five five five zero one two three"),
    ("help@larkspur.example", "help at larkspur dot example"),
    ("See https://larkspur.example/help/x.", "See the web page."),
    ("[the page](https://larkspur.example)", "the page"),
    ("**My orders** > Cancel", "My orders, then Cancel"),
    ("`reset` & restart", "reset and restart"),
    ("black/white", "black or white"),
    ('"size 5"', '"size five"'),
]
SAID = [*MEASURES, *DIMENSIONS_AND_RANGES, *MONEY, *DATES_AND_TIMES, *CODES_AND_SIGNS]
SAMPLES = st.lists(st.sampled_from([written for written, _ in SAID]), max_size=6)


@pytest.mark.parametrize(("written", "spoken"), SAID)
def test_a_written_thing_is_said_as_people_say_it(written: str, spoken: str) -> None:
    assert speakable(written) == spoken


@pytest.mark.parametrize(("written", "_spoken"), SAID)
def test_it_is_said_the_same_inside_a_sentence(written: str, _spoken: str) -> None:
    said = speakable(f"It has {written}, as stated.")
    assert said.startswith("It has ")
    assert said.endswith(", as stated.")


def test_a_products_name_stays_as_the_shop_writes_it() -> None:
    said = speakable("The Aurora X2 has 2 cameras, the X2 Plus 3.", ["Aurora X2"])
    assert said == "The Aurora X2 has two cameras, the X two Plus three."


def test_the_longer_of_two_names_is_kept_whole() -> None:
    assert speakable("Tarn 2 Footprint, Tarn 2, 2", ["Tarn 2", "Tarn 2 Footprint"]) == "Tarn 2 Footprint, Tarn 2, two"


@given(SAMPLES)
def test_nothing_is_left_that_only_the_eye_reads(pieces: list[str]) -> None:
    said = speakable(" and ".join(pieces))
    assert not re.search(r"\d|[*_`$€£%°²³×~≥|<>#@]|https?:", said)
    assert speakable(said) == said


@given(st.text(max_size=60))
def test_any_text_is_spoken_without_digits_or_markdown(text: str) -> None:
    said = speakable(text)
    assert not re.search(r"[0-9]|\*\*", said)


@pytest.mark.parametrize("raised", ["²0", "10²", "x² and 3³", "①", "²"])
def test_raised_and_circled_figures_are_no_digits_to_spell(raised: str) -> None:
    assert not any(character in speakable(raised) for character in "0123456789")


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("See instructionsmanualversion2_final.", "See instructionsmanualversion two _final."),
        ("The A13-X2b chip", "The A thirteen X two b chip"),
        ("9111222333444555 g", "nine one one one two two two three three three four four four five five five grams"),
        ("Go to www.example.com/a?b=1, then.", "Go to the web page, then."),
        ("A  >  B | C  |  D & E", "A, then B, C, D and E"),
    ],
)  # fmt: skip
def test_long_codes_numbers_and_addresses_are_said(written: str, spoken: str) -> None:
    assert speakable(written) == spoken
