"""Text made speakable: figures and measures as they are spoken, no signs that only the eye reads, no digits.

Digits stay in proper names alone, such as those of products.
"""

import calendar
import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import date

from num2words import num2words

from graph.language.lexicon import FUNCTION_WORDS
from graph.language.quantities import Written, quantities
from graph.language.terms import LONGEST, name_pattern
from graph.language.units import CURRENCIES, UNITS, unit_of

MONTHS = tuple(calendar.month_name)[1:]
PLACES = 4
"""Digits of a year, and of a code that is read in pairs."""
LONGEST_NUMBER = 15
"""Digits of a number that is said as one; those of a longer one are said one by one."""
NAME_PLACE = 0xE000
"""First of the private characters that stand for names while the rest is made speakable."""


def speakable(text: str, names: Iterable[str] = ()) -> str:
    """A written sentence as it is read aloud.

    Args:
        text: The sentence, without markers.
        names: Proper names that stay as the shop writes them, such as those of products.
    """
    kept: list[str] = []
    for name in sorted({name for name in names if 0 < len(name) <= LONGEST}, key=len, reverse=True):
        text, places = name_pattern(name, r"(?<!\w)(?-i:", r")(?!\w)").subn(chr(NAME_PLACE + len(kept)), text)
        kept += [name] if places else []
    for pattern, said in _SIGNS:
        text = pattern.sub(said, text)
    text = _CODE.sub(lambda digits: f" {code(digits[0])} ", _with_figures_said(text))
    for place, name in enumerate(kept):
        text = text.replace(chr(NAME_PLACE + place), name)
    return " ".join(_BLANK.sub("", text).split())


def month_of(iso: str, today: date) -> str | None:
    """When a source was last changed, as one would say it: `in May`, with its year where that is another one."""
    try:
        changed = date.fromisoformat(iso[:10])
    except ValueError:
        return None
    if changed == today:
        return "today"
    month = MONTHS[changed.month - 1]
    return f"in {month}" if changed.year == today.year else f"in {month} {changed.year}"


def cardinal(figure: str) -> str:
    """A number: `1,299` as one thousand, two hundred and ninety-nine; digits after a point one by one."""
    whole, point, decimals = figure.partition(".")
    said = _digits(whole) if len(whole) > LONGEST_NUMBER or re.match("0.", whole) else str(num2words(int(whole)))
    return f"{said} point {_digits(decimals)}" if point else said


def code(figure: str) -> str:
    """The digits of a code: as a number while they are few, else in pairs or one by one."""
    if "." in figure:
        return " point ".join(map(code, figure.split(".")))
    if len(figure) > PLACES or re.match("0.", figure):
        return _digits(figure)
    return _year(figure) if len(figure) == PLACES and (figure[2:] != "00" or _is_year(figure)) else cardinal(figure)


def _digits(figure: str) -> str:
    return " ".join(str(num2words(int(digit))) for digit in figure if digit.isdecimal())


def _ordinal(figure: str) -> str:
    return str(num2words(int(figure), to="ordinal")) if len(figure) <= LONGEST_NUMBER else _digits(figure)


def _is_year(figure: str) -> bool:
    return len(figure) == PLACES and figure[:2] in {"19", "20"}


def _year(figure: str) -> str:
    return str(num2words(int(figure), to="year"))


def _day(number: str, month: str, year: str | None) -> str:
    name = MONTHS[int(month) - 1] if month.isdecimal() else next(one for one in MONTHS if one.startswith(month[:3]))
    return f"the {_ordinal(number)} of {name}{f' {_year(year)}' if year else ''}"


def _clock_time(found: re.Match[str]) -> str:
    """A time of the day: `14:30` as fourteen thirty, `2 pm` as two p.m."""
    hours, minutes, half = found[1], (found[2] or "").replace("00", ""), found[3]
    past = f" {'oh ' if minutes[0] == '0' else ''}{cardinal(str(int(minutes)))}" if minutes else ""
    after = f" {half.lower()}.m." if half else "" if past else " o'clock"
    return f"{cardinal(str(int(hours)))}{past}{after}"


def _part(found: re.Match[str]) -> str:
    """A fraction as a decimal: `1½` as 1.5."""
    part = int(found[3]) / int(found[4]) if found[3] else unicodedata.numeric(found[2])
    return f" {round(int(found[1] or 0) + part, 2):g}"


def _divided(found: re.Match[str]) -> str:
    """What stands behind a stroke: a unit is counted by, all else is another choice."""
    name = unit_of(found[1])
    return f" per {UNITS[name].words[0]}" if name else f" or {found[1]}"


def _power(found: re.Match[str]) -> str:
    """A power of a length, counted or counted by."""
    words = UNITS[str(unit_of(found[2]))].words
    power = "square" if found[3] in "²2" else "cubic"
    return f" per {power} {words[0]}" if found[1] else f" {power} {words[1]}"


_SHORT = {
    "e.g": "for example",
    "i.e": "that is",
    "approx": "about",
    "incl": "including",
    "excl": "excluding",
    "vs": "versus",
    "max": "at most",
    "min": "at least",
}
Said = str | Callable[[re.Match[str]], str]
_MONTH = "|".join(f"{name}|{name[:3]}|{name[:4]}" for name in MONTHS)
_TH = "(?:st|nd|rd|th)?"
_SIGNS: tuple[tuple[re.Pattern[str], Said], ...] = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        # What only the eye reads.
        (r"!?\[([^\[\]]*)\]\([^)]{0,500}\)", r"\1"),
        (r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^#+\s+|^[-•]\s+|[®™©]", ""),
        (r"(?i)\b(?:https?://|www\.)(?:[.,;:!?)\"”’]*[^\s.,;:!?)\"”’])*", "the web page"),
        (r"\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})", lambda m: f"{m[1]} at {m[2]}".replace(".", " dot ")),
        (r"(?<!\s)\s+(?:>|→|\u203a|»)\s+", ", then "),
        (r"(?<!\s)\s+\|\s*|\|\s*", ", "),
        (r"(?<!\s)\s+&\s*|&\s*", " and "),
        (r"(?i)\b(e\.g|i\.e|approx|incl|excl|vs)\.,?|\b(max|min)\.(?= \d)", lambda m: _SHORT[(m[1] or m[2]).lower()]),
        # Dates, times and telephone numbers.
        (r"\b(\d{4})-(0[1-9]|1[0-2])-(\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b", lambda m: _day(m[3], m[2], m[1])),
        (rf"(?:\bthe )?\b(\d{{1,2}}){_TH}(?: of)? ({_MONTH})\b\.?(?:,? (\d{{4}})\b)?", lambda m: _day(*m.groups())),
        (rf"\b({_MONTH})\.? (\d{{1,2}}){_TH}\b(?!:)(?:,? (\d{{4}})\b)?", lambda m: _day(m[2], m[1], m[3])),
        (r"\b((?:19|20)\d0)s\b", lambda m: re.sub("y$", "ies", _year(m[1]))),
        (r"(?i)\b(\d{1,2}):(\d{2})(?: ?([ap])\.?m\b\.?)?(?!\d)", _clock_time),
        (r"(?i)\b(\d{1,2})() ?([ap])\.?m\b\.?(?=\W|$)", _clock_time),
        (r"(?<=[ap]\.m\.)\s?[-–]\s?(?=[a-z]+ )", " to "),
        (r"\b24/7\b", "around the clock"),
        (r"\+\d[\d ().-]{6,}\d|\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\b\d{3}-\d{4}\b", lambda m: _digits(m[0])),
        # Signs beside figures.
        (
            r"(?i)([$€£]) ?(\d[\d,]*(?:\.\d+)?) (thousand|million|billion)\b",
            lambda m: f"{m[2]} {m[3]} {UNITS[str(unit_of(m[1]))].sums[1]}",
        ),
        (r"±\s?(?=\d)", "plus or minus "),
        (r"(?:≥|>=)\s?(?=\d)", "at least "),
        (r"(?:≤|<=)\s?(?=\d)", "at most "),
        (r"(?<!\w)<\s?(?=\d)", "less than "),
        (r"(?<!\w)>\s?(?=\d)", "more than "),
        (r"(?<!\w)[~≈]\s?(?=\d)", "about "),
        (r"(?<=\d)\+(?!\d)", " plus"),
        (r"(?i)(?:#|\bno\. )(?=\d)", "number "),
        (r"\b(\d+)(?:st|nd|rd|th)\b", lambda m: _ordinal(m[1])),
        (r"\b(\d{1,2})-in-(\d{1,2})\b", lambda m: f"{cardinal(m[1])} in {cardinal(m[2])}"),
        (r"(?:(?<![\w.,/])(\d{1,3}) ?)?(?:([½¼¾⅓⅔])|(?<![\w.,/])(\d)/([2348])(?![\w/]))", _part),
        (r"(?<=\d) ?/ ?(?=5(?![\w.]))", " out of "),
        (r"(?<=\d)/(?=\d)|(?<=dB)\(A\)", " "),
        (r"(?<=\d) [x×] (?=[A-Za-z])", " "),
        (r"(?<=\d)[xX×](?!\w)", " times"),
        (r"(?<=[^\W\d])-(?=\d)|(?<=\d)-(?=[A-Z])", " "),
        (r"(?:(?<=\w)(/)|(?<=\d) ?)(mm|cm|m|km|in|ft)([²³23])(?!\w)", _power),
        (r"(?<=[a-z])/(?=\d)", " per "),
        (r"(?<=[a-z\d])/([a-z]+)(?!\w)", _divided),
        (r"(?<!\w)(\d)['′] ?(\d{1,2})[\"″]", r"\1 foot \2"),  # noqa: RUF001 - a prime is meant
        (r'(?<!\S)("[^"]*")|(?<=\d)["″](?!\w)', lambda m: m[1] or " in"),
        ("°(?! ?[CF])", " degrees"),
    )
)
_DETERMINER = re.compile(r"(?i)(?:\b(?:an?|every|each|the|its|their|your|our)|['’]s)\s\Z")
_REACH = 12
"""So far before an amount its determiner is looked for."""
_NOUN = re.compile(r"\s([a-z]+)\b")
_CODE = re.compile(r"\d+(?:\.\d+)*")
_BLANK = re.compile(r"(?<!\s)\s+(?=[,.;:!?”’)](?:\W|$))")
_JOINTS = {**dict.fromkeys("-–—", " to "), **dict.fromkeys("x×", " by ")}


def _with_figures_said(text: str) -> str:
    """A text with words for its figures, for their units and for how one goes on to the next."""
    pieces: list[str] = []
    end = 0
    for one in quantities(text):
        near = text[max(one.start - 2, 0) : one.start]
        if not one.figure[0].isdecimal() or (near[:1].isdecimal() and near[1:] == "."):
            continue  # a word already, or the end of a code such as v2.1.3
        before = text[end : one.start]
        signed = one.quantity.unit in CURRENCIES and before.rstrip().endswith(one.unit)
        before = before.rstrip().removesuffix(one.unit) if signed else before
        if end and before.strip() in _JOINTS:
            before = _JOINTS[before.strip()]
        elif one.quantity.value.startswith("-") and before[-1:] in {"-", "−"}:
            before = f"{before[:-1]}minus "
        shared = one.end == one.start + len(one.figure) and not signed
        pieces += [before, cardinal(_plain(one)) if one.unit and shared else _said(one, text, before)]
        end = one.end
        pieces += [" "] if text[end : end + 1].isalpha() else []
    return "".join([*pieces, text[end:]])


def _plain(one: Written) -> str:
    """A figure without separators of thousands, with a decimal point."""
    return re.sub(r",(?=\d{3}(?!\d))", "", one.figure).replace(",", ".")


def _said(one: Written, text: str, before: str) -> str:
    """A figure with its unit; one that describes a thing ("a 66 W charger", "6.1-inch") has it in the singular."""
    figure, unit = _plain(one), UNITS.get(one.quantity.unit or "")
    noun = _NOUN.match(text, one.end)
    describes = noun is not None and noun[1] not in FUNCTION_WORDS and _DETERMINER.search(before[-_REACH:]) is not None
    describes |= text.startswith("-", one.start + len(one.figure))
    if unit and unit.sums:
        return _money(figure, unit.sums[:1] * 2 + unit.sums[2:] if describes else unit.sums)
    if unit and (len(one.unit) > 1 or one.unit in unit.symbols):  # 5G is no weight
        spelled = one.unit.casefold().endswith(unit.words) and one.unit not in unit.symbols
        return f"{cardinal(figure)} {one.unit if spelled else unit.words[figure != '1' and not describes]}"
    if one.unit and not unit:
        return cardinal(one.quantity.value.removeprefix("-"))
    said = cardinal(figure) if "," in one.figure or figure.count(".") == 1 else code(figure)
    return f"{said} {one.unit}".rstrip()


def _money(figure: str, sums: tuple[str, ...]) -> str:
    """A sum: `249.99` as two hundred and forty-nine dollars and ninety-nine cents."""
    units, _, part = figure.partition(".")
    hundredths = part.ljust(2, "0")[:2].lstrip("0")
    said = f"{cardinal(units)} {sums[units != '1']}"
    rest = f"{cardinal(hundredths)} {sums[2 + (hundredths != '1')]}" if hundredths else ""
    return " and ".join(filter(None, [said if units != "0" or not rest else "", rest]))
