"""Spoken answers: a draft in whole sentences, each source named once in the words that suit a voice.

The patterns of attribution are those of a citation that is heard rather than read: the document, its section where it
is long, how old it is where that matters, and a qualifier where the match is less sure.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from graph.draft import Block, Draft, Sentence, Span
from graph.language.english import ordinary_words
from graph.language.lexicon import FUNCTION_WORDS
from graph.language.locale import reply, table
from graph.language.quantities import quantities
from graph.language.sentences import capitalised, ended, joined, lower_name, state, the
from graph.language.units import CURRENCIES
from graph.parts import Context
from graph.rendering.speakable import month_of, speakable
from graph.rendering.written import MarkerBook, WrittenAnswer
from graph.state import TurnState
from graph.turn import Clarification, Confidence, ShownSentence
from ingestion.evidence import GLOSSARY, Evidence, Product
from ingestion.source_types import SOURCE_TABLE, SourceType

LONG = frozenset({"manual", "datasheet"})
"""Documents that are named by their sections; articles are named by their titles, too."""
SPOKEN_LABELS = {"spec": reply("spoken_spec")}
"""Labels that alone would not say what they are of."""
SUGGESTS, UNSURE = reply("suggests"), reply("unsure")
NUMBERED = re.compile(r"^[\d.]+[.)]?\s+")
CLOSED = frozenset(".!?…:,")
"""Ends a statement, or a part of one; a bare name or price ends otherwise."""


@dataclass(slots=True)
class Attribution:
    """Puts the name of its source before a statement, once a source; an answer less than `high` says so once."""

    book: MarkerBook
    today: date
    label: Literal["high", "medium", "low"]
    _named: set[str] = field(default_factory=set)
    _lead: str = ""

    def heard(self, lead: str) -> None:
        """What was just said in the answer's own words: what it names need not be named again."""
        self._lead = lead.casefold()

    def tells(self, heading: str, sentence: Sentence) -> bool:
        """Whether the attribution of a statement will say what a heading says: its source's title or section."""
        item = self.book.source(sentence.spans[0])
        named = {item.title.casefold(), _section(item).casefold()}
        new = item.source_type in LONG | {"help_article"} and _identity(item) not in self._named
        return new and heading.rstrip(":").casefold() in named

    def attributed(self, sentence: Sentence, text: str) -> str:
        """A statement with its source before it, where that was not named yet."""
        span = sentence.spans[0]
        item = self.book.source(span)
        kind = SOURCE_TABLE[item.source_type]
        frame = kind.quote.partition("“")[0]
        known = _identity(item) in self._named
        self._named.add(_identity(item))
        if frame and text.startswith(frame):
            # Another customer is another source; the same document goes on without being named again.
            again = known and item.source_type != "review"
            return self._opened(text.removeprefix(frame).strip("“”") if again else text)
        noun = kind.label.removeprefix("the ").casefold()
        if known or item.source_type == "review" or noun in text.casefold() or noun in self._lead:
            return self._opened(text)
        where = f"{self._opening(item, kind)}{self._age(item, span)}"
        if text.rstrip("\"'”’)")[-1:] not in CLOSED:
            return self._opened(f"{where}: {text}", reply("following"))
        return self._opened(f"{where}, {lowered(text)}", "that, ")

    def _opened(self, text: str, joint: str = "that ") -> str:
        """The first statement of an answer that is less than sure says so."""
        label, self.label = self.label, "high"
        if label == "high":
            return text
        if label == "medium":
            return f"{capitalised(SUGGESTS)} {joint}{lowered(text) if joint.startswith('that') else text}"
        return f"{UNSURE} {lowered(text)}"

    def _opening(self, item: Evidence, kind: SourceType) -> str:
        if item.section == GLOSSARY:
            return reply("by_glossary")
        section = _section(item)
        told = bool(section) and section.casefold() in self._lead
        if item.source_type in LONG and section and not told:
            return reply("by_section", label=kind.label, section=lower_name(section))
        if item.source_type == "help_article" and item.title.casefold() not in self._lead:
            key = "by_article_section" if section and not told else "by_article"
            return reply(key, title=item.title, section=section)
        return reply("by_source", label=SPOKEN_LABELS.get(item.source_type, kind.label))

    def _age(self, item: Evidence, span: Span) -> str:
        priced = any(one.quantity.unit in CURRENCIES for one in quantities(item.text[span.start : span.end]))
        matters = priced or SOURCE_TABLE[item.source_type].timely
        changed = month_of(item.updated_at, self.today) if item.updated_at and matters else None
        return reply("updated", when=changed) if changed else ""


def _identity(item: Evidence) -> str:
    """What counts as one source: a document, a customer's words, or all short facts of a kind."""
    return item.row_id if item.source_type in LONG | {"help_article", "review", "qa"} else item.source_type


def _section(item: Evidence) -> str:
    """The innermost heading over a chunk, where it is not the document's own title."""
    section = NUMBERED.sub("", (item.section or "").rsplit(" > ", 1)[-1]).rstrip(".:?!")
    return "" if section.casefold() == item.title.casefold() else section


def lowered(text: str) -> str:
    """A sentence as it goes on behind other words; names and letter words keep their capital."""
    first = re.match(r"\A[A-Z][a-z]*(?=[\s,’'-])", text)
    word, after = (first[0], text[first.end() :]) if first else ("", text)
    if word == "I" or not word:
        return text
    name = word.casefold() not in ordinary_words() or re.match(r"\A\s+[A-Z][a-z]", after)
    return text if name and word.casefold() not in FUNCTION_WORDS else f"{word.lower()}{after}"


MIDDLE = table("replies")["next_steps"]


@dataclass(slots=True)
class SpokenAnswer:
    """Speaks blocks one after the other, and at their end those choices of a question back that they do not name.

    What is cited is numbered, though no number is spoken; names of products stay as the shop writes them.
    """

    attribution: Attribution
    names: Collection[str] = ()
    clarification: Clarification | None = None
    sentences: list[ShownSentence] = field(default_factory=list)

    def pieces(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Yield the answer in pieces; joined, they are the whole."""
        for number, block in enumerate(blocks):
            if self._is_told(block, blocks[number + 1 :]):
                continue
            for index, sentence in enumerate(block.sentences):
                gap = " " if self.sentences else ""
                markers = dict.fromkeys(self.attribution.book.marker(span) for span in sentence.spans)
                text = speakable(self._worded(block, index, sentence), self.names)
                inside = block.kind == "table" and index % (len(block.columns) - 1)
                text = text if inside else capitalised(text)
                self._keep(text, sorted(markers), sentence)
                yield f"{gap}{text}"
        if choice := self._choice():
            self._keep(choice, [], None)
            yield f" {choice}"

    def _keep(self, text: str, markers: list[int], sentence: Sentence | None) -> None:
        support, factual = (sentence.support, sentence.factual) if sentence else (0.0, False)
        self.sentences.append(ShownSentence(text=text, citations=markers, support=support, factual=factual))

    def _worded(self, block: Block, index: int, sentence: Sentence) -> str:
        text = sentence.text
        if not sentence.factual:
            self.attribution.heard(text)
        if block.kind == "table":
            text = _cell(block, index, text)
        elif block.kind == "steps" and len(block.sentences) > 1:
            text = _step(index, len(block.sentences), text)
        if sentence.factual and sentence.spans:
            text = self.attribution.attributed(sentence, text)
        return text if text.endswith((":", ",")) else ended(text)

    def _is_told(self, block: Block, following: Sequence[Block]) -> bool:
        """Whether a block is but the heading of the steps behind it, whose attribution names it."""
        if not following or following[0].kind != "steps" or [one.factual for one in block.sentences] != [False]:
            return False
        first = following[0].sentences[0]
        return bool(first.spans) and self.attribution.tells(block.sentences[0].text, first)

    def _choice(self) -> str | None:
        """The options that the answer has not named yet, as one would offer them."""
        if self.clarification is None:
            return None
        said = " ".join(sentence.text for sentence in self.sentences).casefold()
        options = [speakable(option, self.names) for option in self.clarification.options]
        if not options or all(option.casefold() in said for option in options):
            return None
        listed = [f"“{option}”" for option in options]
        return reply("you_can_say", options=joined(listed, reply("or")))


def _step(index: int, count: int, step: str) -> str:
    """A step behind the word that gives its place: it opens with a verb."""
    edge = "first_step" if index == 0 else "last_step" if index == count - 1 else None
    place = reply(edge) if edge else MIDDLE[(index - 1) % len(MIDDLE)]
    begun = step if re.match(r"[A-Z][A-Z\d]|I\b", step) else f"{step[:1].lower()}{step[1:]}"
    return f"{place}, {begun}"


def _cell(block: Block, index: int, value: str) -> str:
    """A cell as its part of the one sentence that its row is told in."""
    width = len(block.columns) - 1
    attribute, place = block.row_names[index // width], index % width
    cells = block.sentences[index - place : index - place + width]
    products = block.columns[1:]
    said = [state(name, attribute, cell.text) for name, cell in zip(products, cells, strict=True)]
    # What has a verb of its own is told with it; else the attribute is named once for all.
    if all(cell.spans for cell in cells) and not any(
        text.startswith(f"The {lower_name(attribute)} of ") for text in said
    ):
        text = said[0].removesuffix(".") if place == 0 else lowered(said[place]).removesuffix(".")
    else:
        text = reply("cell_of", value=lowered(value), product=the(products[place]))
        text = f"{attribute}: {text}" if place == 0 else text
    last = place == width - 1
    text = f"{reply('and')} {text}" if last and place else text
    return f"{text}{'.' if last else ','}"


def writer_of(
    draft: Draft, confidence: Confidence, book: MarkerBook, state: TurnState, parts: Context
) -> SpokenAnswer | WrittenAnswer:
    """Who writes or speaks a draft in the style that was asked for."""
    if state["style"] != "voice":
        return WrittenAnswer(book, marked=state["style"] == "text")
    # What stands near an answer that was not found is no less sure for it.
    label = "high" if draft.outcome == "no_answer" else confidence.label
    attribution = Attribution(book, parts.clock.now().date(), label)
    return SpokenAnswer(attribution, names=_names(draft, state, parts), clarification=draft.clarification)


def _names(draft: Draft, state: TurnState, parts: Context) -> set[str]:
    """The names of products that an answer may speak of."""
    catalog = state["catalog"]
    found = [*catalog.matches, *catalog.tied, *catalog.nearest]
    ids = {sentence.product_id or "" for sentence in draft.sentences} | set(draft.listed)
    products = parts.knowledge.products
    ids |= {match.id for match in found}
    named = [name for key in ids if key in products for name in _called(products[key])]
    shown = [match.name for match in found] + [suggestion.name for suggestion in draft.suggestions]
    return {*shown, *named, *catalog.unknown}


def _called(product: Product) -> list[str]:
    """What a product is called: by its full name, without its maker's, or otherwise."""
    names = [product.name, product.name.removeprefix(product.brand or "").strip(), *product.aliases]
    return [name for name in names if re.search(r"[^\W\d_]", name)]
