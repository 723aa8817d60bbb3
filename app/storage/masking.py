"""Personal data out of what is kept: e-mail addresses, phone numbers and payment card numbers of customers.

A turn may use what it was told; what is written of it is not. The shop's own numbers, in sources and where an answer
repeats them, stay. A number that could be a phone's or a card's and is one of something else is masked only in what
is kept: no answer depends on it.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields as fields_of
from dataclasses import is_dataclass, replace
from functools import lru_cache
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Send
from phonenumbers import Leniency, NumberParseException, PhoneNumberMatcher, is_possible_number, parse
from pydantic import BaseModel

from graph.state import CHECKPOINTED
from graph.understanding.parsed_question import ParsedQuestion

EMAIL, PHONE, CARD = "[e-mail address]", "[phone number]", "[card number]"

WITH_TRUNK_ZERO, WITHOUT = ("GB", "DE", "FR", "AU", "IN"), ("US", "IN")
"""Whose way to write numbers within the country is known; with + and a country's code every country's is."""

USER_WORDS = frozenset({"query", "standalone_query", "user", "missing", "summary", "issues", "options", "followups"})
"""Keys of a turn or a state under which words of the customer stand."""
SHOP_WORDS = frozenset({"citations", "live_facts", "retrieved", "thread_id", "turn_id", "generation"})
"""Keys under which nothing is changed: sources to the letter, and names."""

_EMAIL = re.compile(r"(?<![\w.%+'-])[\w.%+'-]{1,64}@(?:[\w-]{1,63}\.){1,8}[\w-]{2,63}")
_DIGITS = re.compile(r"(?<![\w.,])\d{1,19}(?!\w)")
_PHONE = re.compile(r"(?<![\w.,])(?:\+|\(\+?)?\d[\d()./ \u00a0\u2013-]{5,28}\d(?!\w)")
_GROUP = re.compile(r"\d+")
_AMERICAN = re.compile(r"\A(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])\d{3}[-.]\d{4}\Z")
_ISSUER = re.compile(
    r"\A(?:4(?:\d{12}|\d{15}|\d{18})|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:2[2-7]|35|5\d|6\d)\d{12,17})\Z"
)
"""The numbers that Visa, American Express, Diners, Mastercard, JCB, Discover, UnionPay and Maestro give out."""
_OF_A_PHONE = re.compile(
    r"\b(?:call|ring|text|reach|phone|dial|contact) (?:me|us|back)\b|\b(?:my|phone|mobile|cell|telephone|contact|fax) "
    r"(?:number|no)\b|\b(?:phone|mobile|cell|tel|fax) ?[:.]|\bwhatsapp\b",
    re.IGNORECASE,
)
_OF_A_THING = re.compile(
    r"(?:\b(?:order|invoice|tracking|serial|sku|model|article|item|part|isbn|ean|gtin|upc|ticket|reference|ref|parcel|"
    r"shipment|product|asin)\b[^.!?]{0,20}|[#$€£] ?|[A-Za-z]-)\Z",
    re.IGNORECASE,
)
BEFORE = 40
"""Characters before a number in which is said what it is of."""
CARD_DIGITS = range(13, 20)
PHONE_DIGITS = range(7, 16)
GROUPS = 7
"""Most groups of digits of a phone number, and of two beside each other."""
CLOSELY = 40
"""Numbers of a text that are looked at one by one."""
EAN_DIGITS = 13


Found = tuple[int, int, str]
"""Where something personal starts and ends in a text, and what stands for it."""


def masked(text: str) -> str:
    """A text of a customer with what is personal in it masked."""
    for find in FINDERS:
        pieces, at = [], 0
        for start, end, mask in find(text):
            pieces += [text[at:start], mask]
            at = end
        text = "".join(pieces) + text[at:]
    return text


def without_personal(value: Any) -> Any:  # noqa: ANN401 - data of any shape
    """A turn or a state, typed or plain, with what the customer said that is personal masked wherever it is repeated.

    What a cited source says, too, is the shop's and stays.
    """
    sources = "\n".join(_texts_under(value, SHOP_WORDS))
    said = {raw: mask for text in _texts_under(value, USER_WORDS) for raw, mask in _said(text)}
    secrets = sorted((raw for raw in said if raw not in sources), key=len, reverse=True)
    return _hidden(value, {raw: said[raw] for raw in secrets}) if secrets else value


class MaskingSerializer(JsonPlusSerializer):
    """Writes what conversations remember, and nothing personal; reads no other types than a state holds."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=CHECKPOINTED)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:  # noqa: ANN401 - the parent's
        """Serialise a checkpoint, or one value of a state, all of which may then be the customer's words."""
        keyed = isinstance(obj, dict | BaseModel)
        clean = without_personal(obj) if keyed else without_personal({"user": obj})["user"]
        return super().dumps_typed(clean)


class MaskingFormatter(logging.Formatter):
    """Lines of a log with nothing personal in them, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return masked(super().format(record))


def _emails(text: str) -> Iterator[Found]:
    if "@" in text:
        yield from ((*match.span(), EMAIL) for match in _EMAIL.finditer(text))


def _cards(text: str) -> Iterator[Found]:
    """Groups of digits, each one sign from the next, that together are a card's number."""
    groups = list(_DIGITS.finditer(text))
    last = 0
    for number, first in enumerate(groups):
        if first.start() < last:
            continue
        digits = ""
        near = groups[number : number + max(CARD_DIGITS)]
        for group, before in zip(near, [first, *near], strict=False):
            if group is not first and text[before.end() : group.start()] not in (" ", "-", "\u00a0"):
                break
            digits += group.group()
            if len(digits) > max(CARD_DIGITS):
                break
            if is_card(digits):
                last = group.end()
                yield first.start(), last, CARD
                break


def is_card(digits: str) -> bool:
    """Whether an issuer gives out such a number, and its check digit holds (Luhn, ISO/IEC 7812-1, annex B)."""
    if len(digits) not in CARD_DIGITS or not _ISSUER.match(digits):
        return False
    doubled = [int(digit) * 2 for digit in digits[-2::-2]]
    luhn = sum(map(int, digits[-1::-2])) + sum(two - 9 if two > 9 else two for two in doubled)  # noqa: PLR2004 - Luhn
    # The thirteen digits under a bar code have a check digit of their own.
    weighed = sum(int(digit) * weight for digit, weight in zip(digits, [1, 3] * EAN_DIGITS, strict=False))
    return luhn % 10 == 0 and not (len(digits) == EAN_DIGITS and weighed % 10 == 0)


def _phones(text: str) -> Iterator[Found]:
    looked_at = 0
    for match in _PHONE.finditer(text):
        number, before = match.group(), text[max(match.start() - BEFORE, 0) : match.start()]
        if len(_GROUP.findall(number)) > GROUPS or _OF_A_THING.search(before):
            continue
        looked_at += 1
        # To look closely takes a millisecond; of a text that is full of numbers nobody needs the rest.
        if _is_phone(number, spoken_of=looked_at > CLOSELY or _OF_A_PHONE.search(before) is not None):
            yield *match.span(), PHONE
        elif looked_at <= CLOSELY:
            yield from ((match.start() + start, match.start() + end, PHONE) for start, end in _national(number))


def _is_phone(number: str, *, spoken_of: bool) -> bool:
    """Whether a number is a phone's by its form as a whole, or because it is called one."""
    if sum(map(str.isdigit, number)) not in PHONE_DIGITS:
        return False
    if number.startswith(("+", "(+", "00")):
        try:
            return is_possible_number(parse(f"+{number.lstrip('(+0')}"))
        except NumberParseException:
            return spoken_of
    return spoken_of or _AMERICAN.match(number) is not None


def _national(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers stand that are grouped as some country does within it."""
    last = 0
    regions = WITH_TRUNK_ZERO if text.lstrip("(").startswith("0") else WITHOUT
    found = (one for region in regions for one in PhoneNumberMatcher(text, region, Leniency.STRICT_GROUPING))
    for start, end in sorted({(one.start, one.end) for one in found}):
        if start >= last:
            last = end
            yield start, end


FINDERS = (_emails, _cards, _phones)


@lru_cache(maxsize=512)
def _said(text: str) -> tuple[tuple[str, str], ...]:
    """What is personal in a text, and what stands for it; a turn's texts are written more than once."""
    return tuple((text[start:end], mask) for find in FINDERS for start, end, mask in find(text))


def _texts_under(value: Any, keys: frozenset[str], *, inside: bool = False) -> Iterator[str]:  # noqa: ANN401 - any shape
    """All texts of data that stand under one of the keys."""
    if isinstance(value, str):
        if inside:
            yield value
    elif isinstance(value, Send):
        yield from _texts_under(value.arg, keys, inside=inside)
    elif fields := _fields(value):
        for key, below in fields.items():
            yield from _texts_under(below, keys, inside=inside or key in keys)
    elif isinstance(value, list | tuple):
        for below in value:
            yield from _texts_under(below, keys, inside=inside)


def _fields(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - any shape
    """What a mapping, a model or a dataclass holds, by name; nothing of anything else."""
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields_of(value)}
    return value if isinstance(value, Mapping) else {}


def _with(value: Any, fields: dict[str, Any]) -> Any:  # noqa: ANN401 - any shape
    """The same mapping, model or dataclass, holding these."""
    if isinstance(value, BaseModel):
        return value.model_copy(update=fields)
    return fields if isinstance(value, Mapping) else replace(value, **fields)


def _hidden(value: Any, secrets: Mapping[str, str]) -> Any:  # noqa: ANN401 - any shape
    """The same data with each secret masked, but for what is the shop's."""
    if isinstance(value, str):
        for secret, mask in secrets.items():
            value = value.replace(secret, mask)
        return value
    if isinstance(value, Send):
        return Send(value.node, _hidden(value.arg, secrets))
    if isinstance(value, ParsedQuestion):
        # Its terms are pieces of what was said: they are read again from what may be kept.
        return ParsedQuestion.of(_hidden(value.text, secrets), _hidden(value.names, secrets))
    if fields := _fields(value):
        hidden = {key: below if key in SHOP_WORDS else _hidden(below, secrets) for key, below in fields.items()}
        return _with(value, hidden)
    if isinstance(value, list | tuple):
        return type(value)(_hidden(below, secrets) for below in value)
    return value
