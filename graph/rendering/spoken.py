"""The spoken answer: no markers, one attribution a source, numbers that can be read aloud."""

import re
from collections.abc import Iterator, Sequence

from num2words import num2words

from graph.draft import Block, Sentence
from graph.language.sources import source_kinds
from graph.rendering.markers import MarkerBook
from graph.turn import ShownSentence

UNITS = {
    "kg": "kilograms",
    "g": "grams",
    "mg": "milligrams",
    "lb": "pounds",
    "oz": "ounces",
    "mm": "millimetres",
    "cm": "centimetres",
    "m": "metres",
    "km": "kilometres",
    "ml": "millilitres",
    "l": "litres",
    "w": "watts",
    "wh": "watt hours",
    "mah": "milliamp hours",
    "gb": "gigabytes",
    "tb": "terabytes",
    "mb": "megabytes",
    "mp": "megapixels",
    "hz": "hertz",
    "ghz": "gigahertz",
    "db": "decibels",
    "h": "hours",
    "min": "minutes",
    "%": "percent",
    "°c": "degrees Celsius",
    "°f": "degrees Fahrenheit",
}
CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds", "₹": "rupees", "¥": "yen"}
AMOUNT = re.compile(r"([$€£₹¥])\s?(\d[\d,]*(?:\.\d+)?)")
MEASURE = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(\s?-?)(°[CF]|%|[A-Za-z]+)?(?![\w])")
ORDINALS = ("First", "Then", "Next", "After that")
MEDIUM = 0.75
"""Below this confidence, an answer speaks of what the information suggests."""


class SpokenAnswer:
    """Speaks blocks one after the other; every source is named once."""

    def __init__(self, book: MarkerBook, confidence: float) -> None:
        self._book = book
        self._sure = confidence >= MEDIUM
        self._named: set[str] = set()
        self.sentences: list[ShownSentence] = []

    def pieces(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Yield the answer in pieces; joined, they are the whole."""
        first = True
        for block in blocks:
            for index, sentence in enumerate(block.sentences):
                spoken = self._spoken(block, index, sentence)
                yield spoken if first else f" {spoken}"
                first = False

    def _spoken(self, block: Block, index: int, sentence: Sentence) -> str:
        markers = sorted({self._book.marker(span) for span in sentence.spans})
        spoken = speakable(sentence.text.replace("**", ""))
        text = f"{spoken[:1].upper()}{spoken[1:]}"
        if block.kind == "table":
            width = len(block.columns) - 1
            text = f"{block.row_names[index // width]} of the {block.columns[1 + index % width]}: {text}."
        elif block.kind == "steps":
            text = f"{ORDINALS[min(index, len(ORDINALS) - 1)]}, {_lowered(text)}"
        elif sentence.factual:
            text = self._attributed(sentence, text)
        self.sentences.append(
            ShownSentence(text=text, citations=markers, support=sentence.support, factual=sentence.factual)
        )
        return text

    def _attributed(self, sentence: Sentence, text: str) -> str:
        kind = source_kinds()[sentence.spans[0].evidence_id.split(":", 1)[0]]
        if kind.label in self._named or kind.quote or kind.label == "customer reviews":
            return text
        self._named.add(kind.label)
        lead = f"According to {kind.label}" if self._sure else f"{kind.label.capitalize()} suggests that"
        return f"{lead}{',' if self._sure else ''} {_lowered(text)}"


def speakable(text: str) -> str:
    """Figures, units and currencies as they are said."""
    text = AMOUNT.sub(lambda found: f"{_number(found[2])} {CURRENCIES[found[1]]}", text)
    return MEASURE.sub(_measure, text)


def _measure(found: re.Match[str]) -> str:
    unit = found[3] or ""
    word = UNITS.get(unit.casefold(), unit)
    if len(found[1].replace(",", "")) == 4 and not unit and found[1][:2] in ("19", "20"):  # noqa: PLR2004 - a year
        return found[0]
    return f"{_number(found[1])}{' ' if word else found[2]}{word}"


def _number(figure: str) -> str:
    value = figure.replace(",", "")
    return str(num2words(float(value) if "." in value else int(value)))


def _lowered(text: str) -> str:
    return text if re.match(r"[A-Z][A-Z0-9]|I\b", text) else text[:1].lower() + text[1:]
