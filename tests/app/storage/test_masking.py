"""Personal data is masked in what is kept; figures of products and the shop's own numbers stay."""

import logging
from typing import Any

import pytest

from app.storage.masking import (
    CARD,
    EMAIL,
    PHONE,
    MaskingFormatter,
    MaskingSerializer,
    is_card,
    masked,
    without_personal,
)
from graph.understanding.parsed_question import ParsedQuestion


@pytest.mark.parametrize(
    "text",
    [
        "jane.doe@shop.example",
        "JANE+news@mail.co.uk",
        "o'neill@example.org",
        "müller@bücher.example",
        "x@localhost.test",
    ],
)
def test_an_e_mail_address_is_masked(text: str) -> None:
    assert masked(f"Write to <{text}>, please.") == f"Write to <{EMAIL}>, please."


@pytest.mark.parametrize(
    "number",
    [
        "+1-650-253-0000", "+44 20 7946 0958", "+49 (0)30 901820", "0049 30 901820", "+5511912345678",
        "(202) 555-0123", "202-555-0123", "415.555.2671", "555-123-4567", "2025550123", "1-800-555-0199",
        "020 7946 0958", "07700 900123", "06 12 34 56 78", "0412 345 678", "98765 43210",
    ],
)  # fmt: skip
def test_a_phone_number_is_masked(number: str) -> None:
    assert masked(f"Am I right that {number} works?") == f"Am I right that {PHONE} works?"


@pytest.mark.parametrize("words", ["Call me at", "my number is", "Phone:", "text me on", "My mobile number:"])
def test_what_is_called_a_phone_number_is_one_in_any_form(words: str) -> None:
    assert masked(f"{words} 555-0123.") == f"{words} {PHONE}."


@pytest.mark.parametrize(
    "number",
    [
        "4111 1111 1111 1111", "4111111111111111", "4111-1111-1111-1111", "5555555555554444", "2223003122003222",
        "378282246310005", "3782 822463 10005", "6011111111111117", "3530111333300000", "30569309025904",
        "6200000000000005", "4222222222222",
    ],
)  # fmt: skip
def test_a_card_number_is_masked(number: str) -> None:
    assert masked(f"I paid with {number} 2 times.") == f"I paid with {CARD} 2 times."


def test_each_of_several_is_masked() -> None:
    text = "4111 1111 1111 1111 or 202-555-0123 / 202-555-0124, a@b.example or c@d.example"
    assert masked(text) == f"{CARD} or {PHONE} / {PHONE}, {EMAIL} or {EMAIL}"


@pytest.mark.parametrize(
    "text",
    [
        "Is the WH-1000XM5 better than the RTX 4090 24 GB 1008 450?",
        "Does it cost $1,299.00, 1.299,00 € or 1 299 000?",
        "My order 2025550123 of 2026-06-01 12:30:45 is late",
        "order number is 4155552671, invoice #2025550123",
        "EAN 4006381333931, ISBN 978-3-16-148410-0, GTIN 00012345600012",
        "1280x1024 or 1920 1080 144, 2532 x 1170, 4500 5000 mAh phone 1080 2400",
        "from 12.12.2025 to 14.12.2025, at 192.168.100.200",
        "4111 1111 1111 1112 is no card",
        "@home, me@, 5 @ 3 each",
        "T-1234567890 and SKU 100-200-3000",
        "10000000 people, 123456789012 grains",
    ],
)
def test_figures_of_other_things_stay(text: str) -> None:
    assert masked(text) == text


def test_the_check_digit_and_the_issuer_make_a_card() -> None:
    assert is_card("4111111111111111")
    assert not is_card("4111111111111112")
    assert not is_card("9111111111111113"), "nobody issues it"
    assert not is_card("4006381333931"), "a bar code"


def test_what_a_customer_said_is_masked_wherever_it_is_repeated_but_not_what_a_source_says() -> None:
    state = {
        "query": "I am jane@x.example, is 202-555-0123 yours?",
        "answer": "Yes: 202-555-0123. We note jane@x.example.",
        "citations": [{"quote": "Call 202-555-0123"}],
        "thread_id": "t",
    }
    assert without_personal(state) == {
        "query": f"I am {EMAIL}, is 202-555-0123 yours?",
        "answer": f"Yes: 202-555-0123. We note {EMAIL}.",
        "citations": [{"quote": "Call 202-555-0123"}],
        "thread_id": "t",
    }
    told = {"query": "Your phone?", "answer": "Call 202-555-0123.", "discourse": {"turns": []}}
    assert without_personal(told) is told


def test_a_single_value_of_a_state_is_masked_too() -> None:
    serializer = MaskingSerializer()
    written = serializer.dumps_typed(["mail jane@x.example"])
    assert serializer.loads_typed(written) == [f"mail {EMAIL}"]


@pytest.mark.parametrize("held", ["state", "value"])
def test_the_reading_of_a_question_keeps_no_piece_of_what_is_masked(held: str) -> None:
    said = "Call me on +12025550123 or jane@x.example, is it waterproof?"
    parsed = ParsedQuestion.of(said, ["Tarn 2"])
    serializer = MaskingSerializer()
    kept: Any = serializer.loads_typed(
        serializer.dumps_typed({"query": said, "parsed": parsed} if held == "state" else parsed)
    )
    kept = kept["parsed"] if held == "state" else kept
    assert kept == ParsedQuestion.of(masked(said), ["Tarn 2"])
    assert all(piece not in repr(kept) for piece in ("2025550123", "jane"))


def test_a_log_says_nothing_personal_even_in_a_traceback() -> None:
    fault = ValueError("no answer for jane@x.example")
    record = logging.LogRecord("n", logging.ERROR, "p", 1, "from %s", ("202-555-0123",), (ValueError, fault, None))
    line = MaskingFormatter().format(record)
    assert f"from {PHONE}" in line
    assert f"no answer for {EMAIL}" in line
    assert "jane@" not in line
