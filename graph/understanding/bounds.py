"""Bounds: a figure that a yes/no question claims ("more than 10", "within 3 days", "140 kg") beside the one stated."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.draft import YesNo
from graph.language.terms import STOPWORDS
from graph.language.units import in_unit

Range = tuple[float, float]

MORE = (
    r"more than|over|above|at least|longer than|bigger than|larger than|heavier than|greater than|higher than"
    r"|minimum of"
)
LESS = (
    r"less than|under|below|within|at most|no more than|shorter than|smaller than|lighter than|cheaper than|lower than"
    r"|maximum of|inside of|fewer than"
)
INCLUSIVE = frozenset({"at least", "minimum of", "within", "at most", "no more than", "maximum of", "inside of"})
_CLAIM = re.compile(
    rf"(?i)\b(?:(?P<more>{MORE})|(?P<less>{LESS})|(?P<after>after)|(?P<holds>hold|carry|take|support|bear|lift|fit))?"
    r"(?:\s+(?:a|an|the|up to|about|around|of|load of|person of|weight of)){0,4}(?:^|\s+)(?:(?P<money>[$€£])\s*)?"
    r"(?P<figure>\d[\d,]*(?:\.\d+)?)\s*(?:-\s*)?(?P<unit>[^\W\d_]+|%|°[CF])?"
)
_BIGGER_NAMED = re.compile(r"(?i)\b(?:bigger|larger|longer|heavier|higher|greater|more|stronger)\b")
_SMALLER_NAMED = re.compile(r"(?i)\b(?:smaller|shorter|lighter|lower|less|fewer|cheaper)\b")
_STATED = re.compile(
    r"(?:(?P<money>[$€£])\s*)?(?P<low>\d[\d,]*(?:\.\d+)?)(?:\s*(?:-|–|to|or)\s*(?P<high>\d[\d,]*(?:\.\d+)?))?"
    r"\s*(?:-\s*)?(?:(?:business|working|calendar)\s+)?(?P<unit>[^\W\d_]+|%|°[CF])?"
)
_IS = re.compile(r"(?i)\A(?:is|are|was)\b")
_BESIDE = re.compile(r"(?i)\b(?:for|in|after|within|to|than|if|from|by)\b")
_THAN = re.compile(r"(?i)\bthan\s{1,3}(?:a |an |the )?[$€£]?\s{0,3}$")
_THAN_LENGTH = 15
"""Characters before a figure within which a comparison ends."""
_MAXIMUM = re.compile(r"(?i)\b(max\.?|maximum|up to|limit|recommended load)\b")
_TIME = {"hour": 1.0, "day": 24.0, "week": 168.0, "month": 730.0, "year": 8760.0}
_SAME = {
    "w": "watt",
    "v": "volt",
    "l": "litre",
    "liter": "litre",
    "pound": "lb",
    "lbs": "lb",
    "kilo": "kg",
    "inche": "inch",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a question claims of a figure.

    Attributes:
        relation: `more`, `less`, `after` (a time that has passed), `holds` (a load that is borne) or `is` (the
            figure itself).
        inclusive: Whether the figure itself still fits.
        figure: The figure.
        unit: Its unit in the singular, a currency's sign, or empty.
        text: The words that claim it.
    """

    relation: str
    inclusive: bool
    figure: float
    unit: str
    text: str


def claim_in(question: str) -> Claim | None:
    """The only figure that a question compares with; None where it names none or several."""
    found = [(match, relation) for match, relation in _compared(question) if relation]
    if len(found) != 1:
        return None
    match, relation = found[0]
    said = next((match[name] for name in ("more", "less") if match[name]), "").lower()
    inclusive = said in INCLUSIVE or match["after"] is not None or match["holds"] is not None
    return Claim(relation, inclusive, _number(match["figure"]), _unit(match), match[0].strip())


def decides(claim: Claim, name: str, value: str) -> bool | None:
    """Whether a stated value bears a claim out; None where its figures cannot be compared with it."""
    stated = _stated(value, claim)
    if stated is None:
        return None
    low, high = stated
    if claim.relation in ("after", "holds"):
        limit = claim.relation == "after" or _MAXIMUM.search(f"{name} {value}")
        return claim.figure <= low if limit else None
    if claim.relation == "more":
        return _beyond(low, claim.figure, claim.inclusive, high)
    if claim.relation == "less":
        return _beyond(-high, -claim.figure, claim.inclusive, -low)
    return low == claim.figure == high if not low < claim.figure < high else None


def decided_by_all(claim: Claim, statements: Sequence[str]) -> YesNo | None:
    """Yes or no where each of some statements decides a claim, and all alike."""
    found = {decides(claim, "", text) for text in statements}
    return YesNo.of(found == {True}) if found in ({True}, {False}) else None


def _beyond(low: float, figure: float, inclusive: bool, high: float) -> bool | None:  # noqa: FBT001 - one of four figures
    """Whether all of a range lies beyond a figure; None where only a part of it does."""
    if low > figure or (inclusive and low == figure):
        return True
    return False if high < figure or (not inclusive and high == figure) or low == high else None


def _compared(question: str) -> Iterator[tuple[re.Match[str], str]]:
    """The figures of a question, each with how it is compared; empty where it is not."""
    # What stands before a figure is told by where it stands first, so that many figures cost one reading.
    beside, bigger, smaller = (_first_end(found, question) for found in (_BESIDE, _BIGGER_NAMED, _SMALLER_NAMED))
    opens, said = _IS.match(question) is not None, len(question.rstrip(" ?.!"))
    for match in _CLAIM.finditer(question):
        at = match.start("figure")
        named = next((name for name in ("more", "less", "after", "holds") if match[name]), "")
        if not named and opens and at < beside and match.end() >= said:
            named = "is" if _unit(match) in {*_TIME, *"$€£"} else ""
        elif not named and _THAN.search(question[max(0, at - _THAN_LENGTH) : at]):
            named = "more" if bigger <= at else "less" if smaller <= at else ""
        yield match, named


def _first_end(pattern: re.Pattern[str], text: str) -> float:
    found = pattern.search(text)
    return found.end() if found else math.inf


def _stated(value: str, claim: Claim) -> Range | None:
    """The one range of a value that is in the claim's kind of unit, in that unit."""
    ranges = [found for match in _STATED.finditer(value) if (found := _in_unit_of(claim, match))]
    return ranges[0] if len(set(ranges)) == 1 else None


def _in_unit_of(claim: Claim, match: re.Match[str]) -> Range | None:
    low, high = _number(match["low"]), _number(match["high"] or match["low"])
    unit = _unit(match)
    if unit == claim.unit or not claim.unit:
        return low, high
    if unit in _TIME and claim.unit in _TIME:
        factor = _TIME[unit] / _TIME[claim.unit]
        return low * factor, high * factor
    if match["money"] or not unit or claim.unit in "$€£%":
        return None
    told = [in_unit(figure, unit, claim.unit) for figure in (low, high)]
    return (told[0], told[1]) if told[0] is not None and told[1] is not None else None


def _unit(match: re.Match[str]) -> str:
    if match["money"]:
        return str(match["money"])
    unit = (match["unit"] or "").casefold()
    unit = unit[:-1] if unit.endswith("s") and len(unit) > 2 else unit  # noqa: PLR2004 - not "s", "ms"
    if unit in ("dollar", "usd", "buck"):
        return "$"
    if unit in STOPWORDS:
        return ""
    return _SAME.get(unit, unit)


def _number(text: str) -> float:
    return float(text.replace(",", ""))
