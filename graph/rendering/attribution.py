"""Spoken attribution: who says a thing, named once, in the words that suit a voice.

The patterns are those of a citation that is heard rather than read: the document, its section where it is long, how old
it is where that matters, and a qualifier where the match is less sure.
"""

import re
from datetime import date
from typing import Literal

from graph.draft import Sentence, Span
from graph.language.english import ordinary_words
from graph.language.lexicon import FUNCTION_WORDS
from graph.language.sentences import capitalised, lower_name
from graph.rendering.numerals import month_of
from graph.rendering.written import MarkerBook
from ingestion.evidence import GLOSSARY, Evidence
from ingestion.source_types import SOURCE_TABLE, SourceType

PRICE = re.compile(r"[$€£₹¥]\s?\d|\b[A-Z]{3} \d")
LONG = frozenset({"manual", "datasheet"})
"""Documents that are named by their sections; articles are named by their titles, too."""
SPOKEN_LABELS = {"spec": "the product specification"}
"""Labels that alone would not say what they are of."""
SUGGESTS, UNSURE = "our information suggests", "I'm not sure about this, but"
NUMBERED = re.compile(r"^[\d.]+[.)]?\s+")
GOES_ON = re.compile(r"[.!?…:,][\"'”’)]*$")
"""Ends a statement, or a part of one; a bare name or price ends otherwise."""


class Attribution:
    """Puts the name of its source before a statement, once a source.

    Args:
        book: Opens the evidence behind a span.
        today: The day on which the answer is given.
        label: How sure the answer is; anything but `high` is said once.
    """

    def __init__(self, book: MarkerBook, today: date, label: Literal["high", "medium", "low"]) -> None:
        self._book = book
        self._today = today
        self._label = label
        self._qualified = label == "high"
        self._named: set[str] = set()
        self._lead = ""

    def heard(self, lead: str) -> None:
        """What was just said in the answer's own words: what it names need not be named again."""
        self._lead = lead.casefold()

    def tells(self, heading: str, sentence: Sentence) -> bool:
        """Whether the attribution of a statement will say what a heading says: its source's title or section."""
        item = self._book.source(sentence.spans[0])
        named = {item.title.casefold(), _section(item).casefold()}
        new = item.source_type in LONG | {"help_article"} and _identity(item) not in self._named
        return new and heading.rstrip(":").casefold() in named

    def attributed(self, sentence: Sentence, text: str) -> str:
        """A statement with its source before it, where that was not named yet."""
        span = max(sentence.spans, key=lambda one: _specificity(self._book.source(one)))
        item = self._book.source(span)
        kind = SOURCE_TABLE[item.source_type]
        frame = kind.quote.partition("“")[0]
        known = _identity(item) in self._named
        self._named.add(_identity(item))
        if frame and text.startswith(frame):
            return self._opened(self._quoted(item, text, frame, known=known))
        noun = kind.label.removeprefix("the ").casefold()
        if known or item.source_type == "review" or noun in text.casefold() or noun in self._lead:
            return self._opened(text)
        where = f"{self._opening(item, kind)}{self._age(item, span)}"
        if not GOES_ON.search(text):
            return self._opened(f"{where}: {text}", "the following: ")
        return self._opened(f"{where}, {lowered(text)}", "that, ")

    def _quoted(self, item: Evidence, text: str, frame: str, *, known: bool) -> str:
        """A quotation behind who says it; another customer is another source."""
        if item.source_type != "review":
            return _requoted(item, text, frame, known=known)
        again = item.source_type in self._named
        self._named.add(item.source_type)
        return text.replace("A customer", "Another customer", 1) if again else text

    def _opened(self, text: str, joint: str = "that ") -> str:
        """The first statement of an answer that is less than sure says so."""
        if self._qualified:
            return text
        self._qualified = True
        if self._label == "medium":
            return f"{capitalised(SUGGESTS)} {joint}{lowered(text) if joint.startswith('that') else text}"
        return f"{UNSURE} {lowered(text)}"

    def _opening(self, item: Evidence, kind: SourceType) -> str:
        if item.section == GLOSSARY:
            return "According to the shop's glossary"
        section = _section(item)
        told = bool(section) and section.casefold() in self._lead
        if item.source_type in LONG and section and not told:
            return f"In {kind.label}'s section on {lower_name(section)}"
        if item.source_type == "help_article" and item.title.casefold() not in self._lead:
            article = f"According to the help article “{item.title}”"
            return f"{article}, section “{section}”" if section and not told else article
        return f"According to {SPOKEN_LABELS.get(item.source_type, kind.label)}"

    def _age(self, item: Evidence, span: Span) -> str:
        matters = SOURCE_TABLE[item.source_type].timely or PRICE.search(item.text[span.start : span.end])
        changed = month_of(item.updated_at, self._today) if item.updated_at and matters else None
        return f", updated {changed}" if changed else ""


def _identity(item: Evidence) -> str:
    """What counts as one source: a document, a customer's words, or all short facts of a kind."""
    return item.row_id if item.source_type in LONG | {"help_article", "review", "qa"} else item.source_type


def _specificity(item: Evidence) -> tuple[bool, bool, bool, int]:
    """How narrowly a source is about the matter: its product, its group or place, its section."""
    section = item.section or ""
    return (
        item.product_id is not None,
        item.primary,
        bool(item.category or item.brand or item.region or item.membership),
        len(section.split(" > ")) if section else 0,
    )


def _section(item: Evidence) -> str:
    """The innermost heading over a chunk, where it is not the document's own title."""
    section = NUMBERED.sub("", (item.section or "").rsplit(" > ", 1)[-1]).rstrip(".:?!")
    return "" if section.casefold() == item.title.casefold() else section


def _requoted(item: Evidence, text: str, frame: str, *, known: bool) -> str:
    """A quotation with its section; the same document goes on without being named again."""
    quote = text.removeprefix(frame)
    if known:
        return quote.strip("“”.") + "." if quote.endswith(("“", "”", ".")) else quote
    section = _section(item) if item.source_type in LONG else ""
    return f"{frame.partition(' says')[0]} says in its section on {lower_name(section)}: {quote}" if section else text


def lowered(text: str) -> str:
    """A sentence as it goes on behind other words; names and letter words keep their capital."""
    first = re.match(r"\A[A-Z][a-z]*(?=[\s,’'-])", text)
    word, after = (first[0], text[first.end() :]) if first else ("", text)
    if word == "I" or not word:
        return text
    name = word.casefold() not in ordinary_words() or re.match(r"\A\s+[A-Z][a-z]", after)
    return text if name and word.casefold() not in FUNCTION_WORDS else f"{word.lower()}{after}"
