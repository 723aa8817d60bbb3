"""Bounds: a figure that a yes/no question claims ("more than 10", "within 3 days", "140 kg") beside the one stated."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
    r"(?:\s+(?:a|an|the|up to|about|around|of|load of|person of|weight of))*(?:^|\s+)(?P<money>[$€£])?\s*"
    r"(?P<figure>\d[\d,]*(?:\.\d+)?)(?P<gap>\s*-?\s*)(?P<unit>[^\W\d_]+|%|°[CF])?"
)
_BIGGER_NAMED = re.compile(r"(?i)\b(?:bigger|larger|longer|heavier|higher|greater|more|stronger)\b")
_SMALLER_NAMED = re.compile(r"(?i)\b(?:smaller|shorter|lighter|lower|less|fewer|cheaper)\b")
_STATED = re.compile(
    r"(?P<money>[$€£])?\s*(?P<low>\d[\d,]*(?:\.\d+)?)(?:\s*(?:-|–|to|or)\s*(?P<high>\d[\d,]*(?:\.\d+)?))?"
    r"\s*-?\s*(?:(?:business|working|calendar)\s+)?(?P<unit>[^\W\d_]+|%|°[CF])?"
)
_IS = re.compile(r"(?i)(?:is|are|was)\b(?!.*\b(?:for|in|after|within|to|than|if|from|by)\b)")
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
    found = [match for match in _CLAIM.finditer(question) if _relation(match, question)]
    if len(found) != 1:
        return None
    match = found[0]
    said = next((match[name] for name in ("more", "less") if match[name]), "").lower()
    inclusive = said in INCLUSIVE or match["after"] is not None or match["holds"] is not None
    return Claim(_relation(match, question), inclusive, _number(match["figure"]), _unit(match), match[0].strip())


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


def decided_by_all(claim: Claim, statements: Sequence[str]) -> str | None:
    """`Yes.` or `No.` where each of some statements decides a claim, and all alike."""
    found = {decides(claim, "", text) for text in statements}
    return None if found - {True} and found - {False} else "Yes." if found == {True} else "No."


def _beyond(low: float, figure: float, inclusive: bool, high: float) -> bool | None:  # noqa: FBT001 - one of four figures
    """Whether all of a range lies beyond a figure; None where only a part of it does."""
    if low > figure or (inclusive and low == figure):
        return True
    return False if high < figure or (not inclusive and high == figure) or low == high else None


def _relation(match: re.Match[str], question: str) -> str:
    for name in ("more", "less", "after", "holds"):
        if match[name]:
            return name
    before = question[: match.start("figure")]
    if _IS.match(before) and not question[match.end() :].strip(" ?.!"):
        return "is" if _unit(match) in {*_TIME, *"$€£"} else ""
    if not re.search(r"(?i)\bthan\s+(?:a |an |the )?[$€£]?\s*$", before):
        return ""
    return "more" if _BIGGER_NAMED.search(before) else "less" if _SMALLER_NAMED.search(before) else ""


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
