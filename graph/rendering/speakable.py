"""Text made speakable: no signs that only the eye reads, no digits outside a name."""

import re
from collections.abc import Callable, Iterable

from graph.language.lexicon import FUNCTION_WORDS
from graph.language.sentences import with_article
from graph.language.terms import LONGEST, name_pattern
from graph.rendering.numerals import (
    FIGURE,
    MONEY,
    MONTHS,
    cardinal,
    clock_time,
    code,
    day,
    decade,
    digits,
    is_year,
    money,
    ordinal,
    unit_words,
    year,
)

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
