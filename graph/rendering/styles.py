"""Styles: an answer as it is written or spoken."""

import re
from collections.abc import Iterable, Iterator, Sequence

from graph.draft import Block, Draft, Sentence
from graph.language.sentences import capitalised, ended, lower_name, state, the
from graph.parts import Context
from graph.rendering.attribution import Attribution, lowered
from graph.rendering.speakable import speakable
from graph.rendering.written import MarkerBook, WrittenAnswer
from graph.state import TurnState
from graph.turn import Clarification, Confidence, ShownSentence
from ingestion.evidence import Product

MIDDLE = ("Then", "Next", "After that")
HEADS = {"**For:**": "Speaking for it:", "**Against:**": "Speaking against it:"}


class SpokenAnswer:
    """Speaks blocks one after the other, and the choices of a question back at their end.

    Args:
        book: Numbers what is cited, though no number is spoken.
        attribution: Names the sources.
        names: Names of products, which stay as the shop writes them.
        clarification: The question back; its options are offered as a choice where the answer does not name them.
    """

    def __init__(
        self,
        book: MarkerBook,
        attribution: Attribution,
        *,
        names: Iterable[str] = (),
        clarification: Clarification | None = None,
    ) -> None:
        self._book = book
        self._attribution = attribution
        self._names = tuple(names)
        self._clarification = clarification
        self.sentences: list[ShownSentence] = []

    def pieces(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Yield the answer in pieces; joined, they are the whole."""
        for number, block in enumerate(blocks):
            if self._is_told(block, blocks[number + 1 :]):
                continue
            for index, sentence in enumerate(block.sentences):
                gap = " " if self.sentences else ""
                markers = dict.fromkeys(self._book.marker(span) for span in sentence.spans)
                text = speakable(self._worded(block, index, sentence), self._names)
                text = capitalised(text) if block.kind != "table" or _opens_row(block, index) else text
                self._keep(text, sorted(markers), sentence)
                yield f"{gap}{text}"
        if choice := self._choice():
            self._keep(choice, [], None)
            yield f" {choice}"

    def _keep(self, text: str, markers: list[int], sentence: Sentence | None) -> None:
        support, factual = (sentence.support, sentence.factual) if sentence else (0.0, False)
        self.sentences.append(ShownSentence(text=text, citations=markers, support=support, factual=factual))

    def _worded(self, block: Block, index: int, sentence: Sentence) -> str:
        text = _headed(sentence.text)
        if not sentence.factual:
            self._attribution.heard(text)
        if block.kind == "table":
            text = _cell(block, index, text)
        elif block.kind == "steps" and len(block.sentences) > 1:
            text = f"{_order(index, len(block.sentences))}, {_begun(text)}"
        if sentence.factual and sentence.spans:
            text = self._attribution.attributed(sentence, text)
        return text if text.endswith((":", ",")) else ended(text)

    def _is_told(self, block: Block, following: Sequence[Block]) -> bool:
        """Whether a block is but the heading of the steps behind it, whose attribution names it."""
        if not following or following[0].kind != "steps" or [one.factual for one in block.sentences] != [False]:
            return False
        first = following[0].sentences[0]
        return bool(first.spans) and self._attribution.tells(block.sentences[0].text, first)

    def _choice(self) -> str | None:
        """The options that the answer has not named yet, as one would offer them."""
        if self._clarification is None:
            return None
        said = " ".join(sentence.text for sentence in self.sentences).casefold()
        options = [speakable(option, self._names) for option in self._clarification.options]
        if not options or all(option.casefold() in said for option in options):
            return None
        listed = [f"“{option}”" for option in options]
        return f"You can say {', '.join(listed[:-1])}{' or ' if listed[1:] else ''}{listed[-1]}."


def _headed(text: str) -> str:
    for written, spoken in HEADS.items():
        text = text.replace(written, spoken)
    return text


def _order(index: int, count: int) -> str:
    if index == 0:
        return "First"
    return "Finally" if index == count - 1 else MIDDLE[(index - 1) % len(MIDDLE)]


def _begun(step: str) -> str:
    """A step behind the word that gives its place: it opens with a verb."""
    return step if re.match(r"[A-Z][A-Z\d]|I\b", step) else f"{step[:1].lower()}{step[1:]}"


def _opens_row(block: Block, index: int) -> bool:
    return index % (len(block.columns) - 1) == 0


def _cell(block: Block, index: int, value: str) -> str:
    """A cell as its part of the one sentence that its row is told in."""
    width = len(block.columns) - 1
    attribute, place = block.row_names[index // width], index % width
    cells = block.sentences[index - place : index - place + width]
    products = block.columns[1:]
    said = [state(name, attribute, cell.text) for name, cell in zip(products, cells, strict=True)]
    # What has a verb of its own is told with it; else the attribute is named once for all.
    if all(cell.spans for cell in cells) and not any(_general(text, attribute) for text in said):
        text = said[0].removesuffix(".") if place == 0 else lowered(said[place]).removesuffix(".")
    else:
        text = f"{f'{attribute}: ' if place == 0 else ''}{lowered(value)} for {the(products[place])}"
    last = place == width - 1
    return f"{'and ' if last and place else ''}{text}{'.' if last else ','}"


def _general(said: str, attribute: str) -> bool:
    return said.startswith(f"The {lower_name(attribute)} of ")


def writer_of(
    draft: Draft, confidence: Confidence, book: MarkerBook, state: TurnState, parts: Context
) -> SpokenAnswer | WrittenAnswer:
    """Who writes or speaks a draft in the style that was asked for."""
    if state["style"] != "voice":
        return WrittenAnswer(book, marked=state["style"] == "text")
    # What stands near an answer that was not found is no less sure for it.
    label = "high" if draft.outcome == "no_answer" else confidence.label
    attribution = Attribution(book, parts.clock.now().date(), label)
    return SpokenAnswer(book, attribution, names=_names(draft, state, parts), clarification=draft.clarification)


def _names(draft: Draft, state: TurnState, parts: Context) -> set[str]:
    """The names of products that an answer may speak of."""
    catalog = state["catalog"]
    found = [*catalog.matches, *catalog.tied, *catalog.nearest]
    ids = {sentence.product_id for block in draft.blocks for sentence in block.sentences} | set(draft.listed)
    products = parts.knowledge.products
    ids |= {match.id for match in found}
    named = [name for key in ids if key and key in products for name in _called(products[key])]
    shown = [match.name for match in found] + [suggestion.name for suggestion in draft.suggestions]
    return {*shown, *named, *catalog.unknown}


def _called(product: Product) -> list[str]:
    """What a product is called: by its full name, without its maker's, or otherwise."""
    names = [product.name, product.name.removeprefix(product.brand or "").strip(), *product.aliases]
    return [name for name in names if re.search(r"[^\W\d_]", name)]
