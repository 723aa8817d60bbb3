"""Reading single values leniently: what a shop means by them, in the types the rows need."""

import json
import math
import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ingestion.readers.cleaning import clean_line

_CATEGORY_STEP = re.compile(r"\s+[>›»]\s+")  # noqa: RUF001 - both are meant
_PRICE = re.compile(r"(?P<before>[A-Z]{3}|[$€£¥₹])?\s*(?P<amount>\d[\d,. ]*)\s*(?P<after>[A-Z]{3}|[$€£¥₹])?")
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_YES = frozenset({"true", "yes", "y", "1", "in stock", "instock", "in_stock", "available"})
_NO = frozenset({"false", "no", "n", "0", "out of stock", "outofstock", "out_of_stock", "unavailable", "sold out"})
_MONTHS = "january february march april may june july august september october november december".split()
_EPOCH_MILLISECONDS = 1e11
_EPOCH_SECONDS = 1e8


def as_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a value as a shop would: `True` is "Yes", `4.0` is "4", lists are joined by commas."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, float):
        return "" if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(text for text in map(as_text, value) if text)
    if isinstance(value, dict):
        return ", ".join(f"{name}: {as_text(inner)}" for name, inner in value.items() if inner is not None)
    return "" if value is None else clean_line(str(value))


def as_identifier(value: Any) -> Any:  # noqa: ANN401 - left to pydantic where it is no id
    """Read an id: text, or a whole number."""
    if isinstance(value, (bool, list, dict)):
        return value
    return as_text(value)


def as_list(value: Any) -> list[str]:  # noqa: ANN401 - any JSON value
    """Read a list of short texts; a plain text has one a line."""
    items = value if isinstance(value, (list, tuple)) else str(value).split("\n")
    return [text for text in map(as_text, items) if text]


def as_category(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON value
    """Read a category path: a list, or a text whose steps are parted by ` > `."""
    steps = value if isinstance(value, (list, tuple)) else _CATEGORY_STEP.split(as_text(value))
    return tuple(text for text in map(as_text, steps) if text)


def as_attributes(value: Any) -> Any:  # noqa: ANN401 - left to pydantic where it is none
    """Read attributes: an object, or a list of `{name, value}`."""
    if isinstance(value, list) and all(isinstance(item, dict) and {"name", "value"} <= set(item) for item in value):
        value = {item["name"]: item["value"] for item in value}
    if not isinstance(value, dict):
        return value
    named = {clean_line(str(name)): as_text(inner) for name, inner in value.items()}
    return {name: text for name, text in named.items() if name and text}


def as_price(value: Any) -> Any:  # noqa: ANN401 - left to pydantic where it is no price
    """Read a price: `{amount, currency}`, a number, or a text such as `$1,299.00` or `20 CHF`."""
    if isinstance(value, str) and (match := _PRICE.fullmatch(value.strip())):
        unit = match["before"] or match["after"] or ""
        return {"amount": _amount(match["amount"]), "currency": _SYMBOLS.get(unit, unit)}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"amount": value, "currency": ""}
    if isinstance(value, dict) and isinstance(value.get("amount"), str):
        price = as_price(value["amount"])
        if isinstance(price, dict):
            return {**price, "currency": value.get("currency") or price["currency"]}
    return value


def _amount(digits: str) -> float:
    """Read `1,299.00`, `1.299,00`, `1 299` and `12,5`: the last mark parts the cents unless three digits follow it."""
    digits = digits.replace(" ", "").rstrip(",.")
    whole, mark, fraction = re.fullmatch(r"(.*?)(?:([,.])(\d*))?", digits).groups()  # type: ignore[union-attr]
    if mark and (len(fraction) != 3 or (mark == "." and not re.search(r"[,.]", whole))):  # noqa: PLR2004 - thousands
        return float(re.sub(r"[,.]", "", whole) + "." + fraction)
    return float(re.sub(r"[,.]", "", digits))


def as_in_stock(value: Any) -> Any:  # noqa: ANN401 - left to pydantic where it is unclear
    """Read whether something is in stock: a boolean, a count, or the usual words."""
    if isinstance(value, (int, float)):
        return value > 0
    word = str(value).strip().lower()
    if word in _YES | _NO:
        return word in _YES
    return int(word) > 0 if word.isdecimal() else value


def as_iso_date(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Read a date or a moment as an ISO date in UTC.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    try:
        moment = _moment(value)
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()
    except (OverflowError, OSError):
        message = f"{value!r} lies beyond all calendars"
        raise ValueError(message) from None


def _moment(value: Any) -> datetime:  # noqa: ANN401 - any JSON value
    if isinstance(value, datetime):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > _EPOCH_SECONDS:
        return datetime.fromtimestamp(value / 1000 if value > _EPOCH_MILLISECONDS else value, tz=UTC)
    return _parse_moment(str(value).strip())


def _parse_moment(text: str) -> datetime:
    """Read a date as ISO 8601, as mail and web servers write it, or with its month's English name."""
    padded = re.sub(r"^(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?!\d)", _padded, text)
    for read in (datetime.fromisoformat, parsedate_to_datetime, _named_month):
        try:
            return read(padded)
        except ValueError:
            continue
    message = f"{text!r} is not an ISO date (YYYY-MM-DD)"
    raise ValueError(message)


def _padded(match: re.Match[str]) -> str:
    return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"


def _named_month(text: str) -> datetime:
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[,.]", "", text)
    match = re.fullmatch(r"(?P<day>\d{1,2}) (?P<month>[a-z]+) (?P<year>\d{4})", plain, re.IGNORECASE) or re.fullmatch(
        r"(?P<month>[a-z]+) (?P<day>\d{1,2}) (?P<year>\d{4})", plain, re.IGNORECASE
    )
    named = match["month"].lower() if match else ""
    months = [number for number, month in enumerate(_MONTHS, start=1) if named in {month, month[:3], month[:4]}]
    if match is None or not months:
        raise ValueError(text)
    return datetime(int(match["year"]), months[0], int(match["day"]), tzinfo=UTC)


def as_plain(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write any value as JSON, for keeping what has no place of its own."""
    return json.dumps(value, ensure_ascii=False, default=str)
