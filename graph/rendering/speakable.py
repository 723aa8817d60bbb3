"""Text made speakable: figures and measures as they are spoken, no signs that only the eye reads, no digits.

Digits stay in proper names alone, such as those of products.
"""

import calendar
import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache

from num2words import num2words

from graph.language.lexicon import FUNCTION_WORDS
from graph.language.sentences import with_article
from graph.language.terms import LONGEST, name_pattern
from graph.language.units import UNITS

POWERS = {"²": "square", "2": "square", "³": "cubic", "3": "cubic"}
LENGTHS = frozenset({"mm", "cm", "m", "km", "in", "ft"})
LEAST_FOLDED = 2
"""Letters of a unit that is known in any case, such as `KG`; one letter means something else in the other case."""


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, ...]]:
    own = (unit for unit in UNITS.values() if unit.measure != "money")
    exact = {symbol: unit.words[:2] for unit in own for symbol in unit.symbols}
    folded = {symbol.casefold(): said for symbol, said in reversed(exact.items()) if len(symbol) >= LEAST_FOLDED}
    return folded | exact


def unit_words(symbol: str, figure: str) -> str | None:
    """The words for a unit beside a figure: `kg` as kilograms, `km/h` as kilometres per hour; None if it is no unit.

    Args:
        symbol: The unit as written, with what it is divided by.
        figure: The number before it, which decides between one and many.
    """
    counted, _, divided = symbol.partition("/")
    said = _named(counted)
    below = _named(divided) if divided else None
    if said is None or (divided and below is None):
        return None
    words = said[0] if figure == "1" else said[1]
    return f"{words} per {below[0]}" if below else words


def _named(symbol: str) -> tuple[str, ...] | None:
    known = _units().get(symbol) or (_units().get(symbol.casefold()) if len(symbol) >= LEAST_FOLDED else None)
    base, power = symbol[:-1], POWERS.get(symbol[-1:])
    if known is None and power and base in LENGTHS:
        one, many = _units()[base]
        return f"{power} {one}", f"{power} {many}"
    return known


FIGURE = r"\d{1,3}(?:,\d{3}){1,6}(?:\.\d+)?|\d+(?:\.\d+)?"
"""A number as shops write it, with separators of thousands and a decimal point."""
MONTHS = tuple(calendar.month_name)[1:]
PLACES = 4
"""Digits of a year, and of a code that is read in pairs."""
LONGEST_NUMBER = 15
"""Digits of a number that is said as one; those of a longer one are said one by one."""
DIGITS = tuple(str(num2words(digit)) for digit in range(10))
NOON = 12
MONEY = {sign: unit.sums for unit in UNITS.values() if unit.sums for sign in (*unit.symbols, unit.words[-1].upper())}
"""Sign or ISO 4217 code to the words for one and for many of its units, and of their hundredths."""


def cardinal(figure: str) -> str:
    """A number: `1,299` as one thousand, two hundred and ninety-nine; digits after a point one by one."""
    whole, point, decimals = figure.replace(",", "").partition(".")
    if not point:
        return digits(whole) if len(whole) > 1 and whole[0] == "0" else _said(whole)
    return f"{_said(whole)} point {digits(decimals)}"


def _said(whole: str) -> str:
    return str(num2words(int(whole))) if len(whole) <= LONGEST_NUMBER else digits(whole)


def digits(figure: str) -> str:
    """Digits one by one, such as those of a telephone number."""
    return " ".join(DIGITS[int(digit)] for digit in figure if digit.isdecimal())


def ordinal(figure: str) -> str:
    """A place: `3` as third."""
    return str(num2words(int(figure), to="ordinal")) if len(figure) <= LONGEST_NUMBER else digits(figure)


def is_year(figure: str) -> bool:
    """Whether four digits can be a year of our time."""
    return len(figure) == PLACES and figure[:2] in ("19", "20")


def year(figure: str) -> str:
    """A year, or any four digits read in pairs: `2026` as twenty twenty-six."""
    return str(num2words(int(figure), to="year"))


def code(figure: str) -> str:
    """The digits of a code: as a number while they are few, else in pairs or one by one."""
    if "." in figure:
        return " point ".join(code(part) for part in figure.split("."))
    if len(figure) > PLACES or (len(figure) > 1 and figure[0] == "0"):
        return digits(figure)
    return year(figure) if len(figure) == PLACES and figure[2:] != "00" else cardinal(figure)


def money(amount: str, currency: str) -> str:
    """A sum: `249.99` in `$` as two hundred and forty-nine dollars and ninety-nine cents."""
    one, many, cent, cents = MONEY[currency]
    whole, _, part = amount.replace(",", "").partition(".")
    units, hundredths = whole.lstrip("0") or "0", int(part.ljust(2, "0")[:2] or 0)
    said = f"{cardinal(units)} {one if units == '1' else many}"
    if not hundredths:
        return said
    rest = f"{cardinal(str(hundredths))} {cent if hundredths == 1 else cents}"
    return f"{said} and {rest}" if units != "0" else rest


def day(number: str, month: str, year_: str | None) -> str:
    """A date: `the fifteenth of September twenty twenty-six`."""
    return f"the {ordinal(number)} of {month}{f' {year(year_)}' if year_ else ''}"


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


def clock_time(hours: str, minutes: str, half: str | None) -> str:
    """A time of the day: `14:30` as fourteen thirty, `2 pm` as two p.m."""
    spoken = cardinal(str(int(hours)))
    after = f" {half[0].lower()}.m." if half else ""
    if minutes in ("", "00"):
        return f"{spoken}{after}" if after else f"{spoken} o'clock" if 0 < int(hours) <= NOON else f"{spoken} hundred"
    rest = f"oh {cardinal(minutes[1])}" if minutes[0] == "0" else cardinal(minutes)
    return f"{spoken} {rest}{after}"


def decade(figure: str) -> str:
    """`1990` as nineteen nineties."""
    return re.sub(r"y$", "ies", year(figure)) if figure.endswith("0") else f"{year(figure)}s"


Said = str | Callable[[re.Match[str]], str]

NAME_PLACE = 0xE000
"""First of the private characters that stand for names while the rest is made speakable."""
F = rf"(?:{FIGURE})"
_SIGNS = "".join(re.escape(sign) for sign in MONEY if len(sign) == 1)
_CODES = "|".join(name for name in MONEY if len(name) > 1)
_MOST = rf"(?:\s?[-–—]\s?[{_SIGNS}]?(?P<most>{F}))?"
_SCALE = "thousand|million|billion"
_MONTH = "|".join(f"{name}|{name[:3]}|{name[:4]}" for name in MONTHS)
_UNIT = r"°[CF]?|%|fl oz\b|dB\(A\)|[A-Za-zµ]+[²³23]?(?:/[A-Za-z]+[²³23]?)?|[″\u2032]"
FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
PARTS = {"2": ("half", "halves"), "3": ("third", "thirds"), "4": ("quarter", "quarters"), "8": ("eighth", "eighths")}
DETERMINER = re.compile(r"(?i)(?:\b(?:an?|every|each|the|its|their|your|our)|['’]s)\s\Z")
REACH = 12
"""So far before an amount its determiner is looked for."""
NOUN = re.compile(r"\s([a-z]+)\b")
FOLLOWED = re.compile(r"\s{1,3}\w")
PUNCTUATION = '.,;:!?)"”’'
RATES = frozenset({"per", "off", "less", "more", "each"})
"""Words behind an amount that are no noun it describes."""
SPELLED = 3
"""Letters after a figure that are said by their names, as in `4K` and `5 GHz` mistyped; longer ones are words."""


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
    for pattern, said in _PASSES:
        text = pattern.sub(said, text)
    for place, name in enumerate(kept):
        text = text.replace(chr(NAME_PLACE + place), name)
    return " ".join(text.split())


def _month(name: str) -> str:
    return next(month for month in MONTHS if month.startswith(name[:3].title()))


def _day_first(found: re.Match[str]) -> str:
    said = day(found[2], _month(found[3]), found[4])
    return said if not found[1] else f"{found[1]}{said.removeprefix('the ')}"


def _month_first(found: re.Match[str]) -> str:
    return f"{_month(found[1])} {ordinal(found[2])}{f', {year(found[3])}' if found[3] else ''}"


def _sum(found: re.Match[str]) -> str:
    amount, scale = found["amount"], found["scale"]
    currency = found["currency"].upper()
    if scale:
        return f"{cardinal(amount)} {scale} {MONEY[currency][1]}"
    most = found["most"]
    if _describes(found) and not most and not amount.partition(".")[2]:
        return f"{cardinal(amount)} {MONEY[currency][0]}"
    return f"{cardinal(amount)} to {money(most, currency)}" if most else money(amount, currency)


def _describes(found: re.Match[str]) -> bool:
    """Whether an amount stands between a determiner and the noun it describes."""
    noun = NOUN.match(found.string, found.end())
    if noun is None or noun[1] in FUNCTION_WORDS or noun[1] in RATES:
        return False
    return DETERMINER.search(found.string, max(found.start() - REACH, 0), found.start()) is not None


def _web_page(found: re.Match[str]) -> str:
    """An address, without the marks that end its sentence."""
    return f"the web page{found[0][len(found[0].rstrip(PUNCTUATION)) :]}"


def _sum_behind(found: re.Match[str]) -> str:
    return money(found[1].replace(",", ".") if "," in found[1] else found[1], found[2].upper())


def _fraction(found: re.Match[str]) -> str:
    whole, over, under, unit = found[1], found[2], found[3], found[4]
    one, many = PARTS[under]
    part = f"{'a' if whole else 'one'} {one}" if over == "1" else f"{cardinal(over)} {many}"
    words = unit_words(unit, "2" if whole else "1") if unit else None
    rest = f" {words or unit}" if unit else ""
    if words and not whole:
        rest = f" of {with_article(words)}"
    return f"{cardinal(whole)} and {part}{rest}" if whole else f"{part}{rest}"


def _rating(found: re.Match[str]) -> str:
    """`4.5/5`; a figure above the scale, as in `18/10 steel`, is none."""
    rated = float(found[1].replace(",", "")) <= float(found[2])
    return f"{cardinal(found[1])}{' out of' if rated else ''} {cardinal(found[2])}"


def _inches(found: re.Match[str]) -> str:
    """A straight quote behind a figure means inches unless it closes a quotation."""
    closes = found.string[: found.start()].count('"') % 2
    return found[0] if closes else f"{cardinal(found[1])} {unit_words(chr(34), found[1])}"


def _with_unit(found: re.Match[str]) -> str:
    figure, gap, symbol = found[1], found[2], found[3]
    ambiguous = symbol in ("in", "A", "t") and gap.strip(" ") == "" and FOLLOWED.match(found.string, found.end())
    if symbol == "s" and is_year(figure):
        return decade(figure)
    # Before the noun that it describes, a measure is singular: "a 66 W charger".
    words = None if ambiguous and gap else unit_words(symbol, "1" if _describes(found) else figure)
    if words:
        return f"{cardinal(figure)} {words}"
    if gap or len(symbol) > SPELLED:
        return f"{_plain(figure)}{' ' if gap in ('-', '') else gap}{symbol}"
    if symbol in ("x", "X"):
        return f"{cardinal(figure)} times"
    return f"{_plain(figure)} {' '.join(symbol) if symbol.isupper() else symbol}"


def _compound(found: re.Match[str]) -> str:
    """`6.1-inch`, `3-year`: the figure and the word it belongs to, side by side."""
    words = unit_words(found[2], "1")
    return f"{_plain(found[1])} {words or found[2]}"


def _letters_and_digits(found: re.Match[str]) -> str:
    if not any(character.isdecimal() for character in found[0].partition(".")[0]):
        return found[0]
    pieces = re.findall(r"\d+(?:\.\d+)*|[^\W\d_]+", found[0])
    return " ".join(code(piece) if piece[0].isdecimal() else piece for piece in pieces)


def _plain(figure: str) -> str:
    if is_year(figure):
        return year(figure)
    return cardinal(figure) if "," in figure or "." in figure else code(figure)


_PASSES: tuple[tuple[re.Pattern[str], Said], ...] = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        # What only the eye reads.
        (r"!?\[([^\[\]]*)\]\([^)]{0,500}\)", r"\1"),
        (r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^#+\s+|^[-•]\s+", ""),
        (r"(?i)\b(?:https?://|www\.)\S*", _web_page),
        (r"\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})", lambda m: f"{m[1]} at {m[2]}".replace(".", " dot ")),
        (r"(?<!\s)\s+(?:>|→|\u203a|»)\s+", ", then "),
        (r"(?<!\s)\s+\|\s*|\|\s*", ", "),
        (r"(?<!\s)\s+&\s*|&\s*", " and "),
        (r"[®™©]", ""),
        (r"(?i)\be\.g\.,?", "for example"),
        (r"(?i)\bi\.e\.,?", "that is"),
        (r"(?i)\bapprox\.", "about"),
        (r"(?i)\bincl\.", "including"),
        (r"(?i)\bexcl\.", "excluding"),
        (r"(?i)\bmax\.(?= )", "at most"),
        (r"(?i)\bmin\.(?= \d)", "at least"),
        (r"(?i)\bw/o\b", "without"),
        (r"(?i)\bvs\.", "versus"),
        ("[½¼¾⅓⅔]", lambda m: f" {FRACTIONS[m[0]]}"),
        (r"(?<![\d.,])(\d+),(\d{1,2})(?=\s?(?:k?g|mg|[cmk]?m|m?l|L|%|°C|[GM]Hz|V|W)\b)", r"\1.\2"),
        # Dates and times.
        (
            r"\b(\d{4})-(0[1-9]|1[0-2])-(\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b",
            lambda m: day(m[3], MONTHS[int(m[2]) - 1], m[1]),
        ),
        (rf"(\bthe )?\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?(?:,? (\d{{4}})\b)?", _day_first),
        (rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (\d{{4}})\b)?", _month_first),
        (
            r"(?i)\b(\d{1,2}):(\d{2})(?: ?([ap])\.?m\b\.?)?(?!\d)",
            lambda m: clock_time(m[1], m[2], m[3]),
        ),
        (r"(?i)\b(\d{1,2}) ?([ap])\.?m\b\.?(?=\W|$)", lambda m: clock_time(m[1], "", m[2])),
        (r"(?<=[ap]\.m\.)\s?[-–]\s?(?=[a-z]+ )", " to "),
        (r"\b24/7\b", "around the clock"),
        # Telephone numbers.
        (r"\+\d[\d ().-]{6,}\d|\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\b\d{3}-\d{4}\b", lambda m: digits(m[0])),
        # Sums of money.
        (
            rf"(?P<currency>[{_SIGNS}]|\b(?:{_CODES})\b)\s?(?P<amount>{F}){_MOST}(?: (?P<scale>{_SCALE})\b)?",
            _sum,
        ),
        (
            rf"(?<![\w.,])(\d+,\d{{2}}(?!\d)|{F})\s?([€£$]|(?:{_CODES})\b)",
            lambda m: money(m[1].replace(",", "."), m[2].upper()),
        ),
        (r"(?<=[a-z])/(?=(?:month|year|day|week|hour|person|piece|kg|night|order)s?\b)", " per "),
        # Comparing signs.
        (rf"±\s?(?={F})", "plus or minus "),
        (rf"[≥]\s?(?={F})|>=\s?(?={F})", "at least "),
        (rf"[≤]\s?(?={F})|<=\s?(?={F})", "at most "),
        (rf"(?<!\w)<\s?(?={F})", "less than "),
        (rf"(?<!\w)>\s?(?={F})", "more than "),
        (rf"(?<!\w)[~≈]\s?(?={F})", "about "),
        (rf"(?<![\w.,-])\+(?={F})", "plus "),
        (r"(?<=\d)\+(?!\d)", " plus"),
        (r"(?i)(?:#|\bno\. )(?=\d)", "number "),
        # Dimensions, ranges and negative figures: the last figure keeps its unit for the next passes.
        (r"(?<=\d)((?: ?(?:cm|mm|m|in|ft|km)\b)?) ?[x×] ?(?=\d)", r"\1 by "),
        (r"(?<=\d) [x×] (?=[A-Za-z])", " "),
        (rf"(?<![\w.,-])({F}) ?[–—] ?(?={F})", r"\1 to "),
        (rf"(?<![\w.,-])({F})(?:-| - )(?={F}(?![\d-]))", r"\1 to "),
        (rf"(?<![\w.,])[-−](?={F})", "minus "),
        (rf"(?<![\w/.])(?:(\d+) )?(\d{{1,2}}) ?/ ?([2348])(?![\w/])(?:\s?({_UNIT})(?!\w))?", _fraction),
        (rf"(?<![\w/.])({F}) ?/ ?(5|10|100)(?![\w/.])", _rating),
        (r"(?<=\d)/(?=\d)", " "),
        (r"(?<![\w:])(\d+):(\d+)(?![\w:])", lambda m: f"{cardinal(m[1])} to {cardinal(m[2])}"),
        # Codes, versions, places.
        (r"\b(\d+)-in-(\d+)\b", lambda m: f"{cardinal(m[1])} in {cardinal(m[2])}"),
        (r"(?<![\w.])[^\W\d_][^\W_]*(?:-[^\W_]+){0,8}(?:\.\d+)*(?![\w])", _letters_and_digits),
        (r"(?<![\w.])\d+(?:\.\d+){2,}(?![\w])", lambda m: " point ".join(map(cardinal, m[0].split(".")))),
        (r"(?i)\b(\d+)(?:st|nd|rd|th)\b", lambda m: ordinal(m[1])),
        # Figures with units, and bare ones.
        (rf"(?<![\w.])({F})-([A-Za-z]+)", _compound),
        (rf"(?<![\w.])({F})(\s?)({_UNIT})(?!\w)", _with_unit),
        (r"(?<![\w.])(\d)' ?(\d{1,2})\"", lambda m: f"{cardinal(m[1])} foot {cardinal(m[2])}"),
        (rf'(?<![\w.])({F})"(?!\w)', _inches),
        (rf"(?<![\w.])({F})(?![\w])", lambda m: _plain(m[1])),
        (r"\d+", lambda m: f" {code(m[0])} "),
        (r"(?<=[a-z])/(?=[a-z])", " or "),
        (r"(?<!\s)\s+(?=[,.;:!?](?:\s|$))", ""),
    )
)
