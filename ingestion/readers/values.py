"""Reading single values leniently: what a shop means by them, in the types the rows need."""

import math
import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ingestion.readers.cleaning import clean_line

_CATEGORY_STEP = re.compile(r" [>›»] ")  # noqa: RUF001 - both are meant
_SYMBOLS = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "zł": "PLN",
    "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
    "R$": "BRL", "MX$": "MXN", "NT$": "TWD", "Rs": "INR", "Rs.": "INR",
}  # fmt: skip
_UNIT = "|".join(["[A-Z]{3}", *map(re.escape, sorted(_SYMBOLS, key=len, reverse=True))])
_PRICE = re.compile(rf"\A(?P<before>{_UNIT})?\s*(?P<amount>\d[\d,. '’]*)(?:[-–]+)?\s*(?P<after>{_UNIT})?")
_RATING = re.compile(
    r"(?P<stars>\d(?:[.,]\d+)?)\s*(?:(?:/|of|out of)\s*5(?:[.,]0+)?)?\s*(?:stars?|★)?|(?P<signs>★+)☆*", re.IGNORECASE
)
_YES = frozenset({"true", "yes", "y", "1", "in stock", "instock", "in_stock", "available"})
_NO = frozenset({"false", "no", "n", "0", "out of stock", "outofstock", "out_of_stock", "unavailable", "sold out"})
_NAMED_MONTHS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y")
_GROUP = 3
"""Digits between two marks of thousands."""
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
    """Read a list of short texts; a plain text has one a line, an object one a name."""
    if isinstance(value, dict):
        return [f"{name}: {text}" for name, inner in value.items() if (text := as_text(inner))]
    items = value.split("\n") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    return [text for text in map(as_text, items) if text]


def as_category(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON value
    """Read a category path: a list, or a text whose steps are parted by ` > `."""
    steps = value if isinstance(value, (list, tuple)) else _CATEGORY_STEP.split(as_text(value))
    return tuple(text for text in map(as_text, steps) if text)


def as_attributes(value: Any) -> Any:  # noqa: ANN401 - left to pydantic where it is none
    """Read attributes: an object, or a list of `{name, value}`; several values of one name are joined by commas."""
    if isinstance(value, list) and all(_is_named(item) for item in value):
        pairs = [(item["name"], item["value"]) for item in value]
    elif isinstance(value, dict):
        pairs = list(value.items())
    else:
        return value
    named: dict[str, list[str]] = {}
    for name, inner in pairs:
        texts = named.setdefault(as_text(name), [])
        if (text := as_text(inner)) not in texts:
            texts.append(text)
    joined = {name: ", ".join(filter(None, texts)) for name, texts in named.items()}
    return {name: text for name, text in joined.items() if name and text}


def _is_named(item: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Whether an item of a list is an attribute; a name is a text or a number."""
    return isinstance(item, dict) and {"name", "value"} <= set(item) and isinstance(item["name"], (str, int, float))


def as_price(value: Any) -> Any:  # noqa: ANN401 - left to pydantic where it is no price
    """Read a price: `{amount, currency}`, a number, or a text such as `$1,299.00` or `20 CHF`.

    Raises:
        ValueError: It is a text of another kind, such as a range, which is no one price.
    """
    if isinstance(value, str):
        match = _PRICE.fullmatch(clean_line(value))
        if match is None:
            message = f"{value!r} is not one amount"
            raise ValueError(message)
        unit = match["before"] or match["after"] or ""
        return {"amount": _amount(match["amount"], plain=not unit), "currency": _SYMBOLS.get(unit, unit)}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"amount": value, "currency": ""}
    if isinstance(value, dict) and isinstance(price := as_price(value.get("amount")), dict):
        return {**price, "currency": as_text(value.get("currency")).upper() or price["currency"]}
    return value


def _amount(digits: str, *, plain: bool) -> float:
    """Read `1,299.00`, `1.299,00`, `1 299` and `12,5`: the last mark parts the cents unless three digits follow it.

    A point in a plain number, one that bears no currency, is that of a program: `1.299` is less than two.
    """
    digits = re.sub(r"[ '’]", "", digits).rstrip(",.")
    last = max(digits.rfind(","), digits.rfind("."))
    whole, mark, fraction = (digits[:last], digits[last], digits[last + 1 :]) if last >= 0 else (digits, "", "")
    decimal = len(fraction) != _GROUP or whole == "0" or (plain and mark == "." and whole.isdecimal())
    if mark and decimal:
        return float(re.sub(r"[,.]", "", whole) + "." + fraction)
    return float(re.sub(r"[,.]", "", digits))


def as_rating(value: Any) -> float:  # noqa: ANN401 - any JSON value
    """Read a number of stars, such as `4.5`, `4,5`, `4/5`, `5 stars` or `★★★★☆`.

    Raises:
        ValueError: It is none, or one of another scale.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if match := _RATING.fullmatch(as_text(value)):
        return len(match["signs"]) if match["signs"] else float(match["stars"].replace(",", "."))
    message = f"{as_text(value)!r} is no number of stars from 1 to 5"
    raise ValueError(message)


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
    for form in _NAMED_MONTHS:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise ValueError(text)
