"""The written answer: Markdown with markers (`text`), or words alone (`plain`)."""

import re
from collections.abc import Iterator, Sequence

from graph.draft import Block, Claim, Sentence
from graph.rendering.markers import MarkerBook
from graph.turn import ShownSentence

CLOSING = re.compile(r"([.!?…:;,]?)$")


class WrittenAnswer:
    """Writes blocks one after the other; what was written never changes."""

    def __init__(self, book: MarkerBook, *, marked: bool) -> None:
        self._book = book
        self._marked = marked
        self.sentences: list[ShownSentence] = []

    def pieces(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Yield the answer in pieces; joined, they are the whole."""
        for index, block in enumerate(blocks):
            if index:
                yield "\n\n"
            if block.kind == "table":
                yield from self._table(block)
            else:
                yield from self._lines(block)

    def _lines(self, block: Block) -> Iterator[str]:
        for number, sentence in enumerate(block.sentences, 1):
            lead = {"steps": f"{number}. ", "bullets": "- "}.get(block.kind, "")
            gap = "" if number == 1 else " " if block.kind == "paragraph" else "\n"
            yield f"{gap}{lead}{self._written(sentence)}"

    def _table(self, block: Block) -> Iterator[str]:
        width = len(block.columns) - 1
        yield f"| {' | '.join(_cell_text(column) for column in block.columns)} |\n|{' --- |' * len(block.columns)}"
        for row, name in enumerate(block.row_names):
            cells = [self._written(_in_cell(sentence)) for sentence in block.sentences[row * width : (row + 1) * width]]
            yield f"\n| {' | '.join([_cell_text(name), *cells])} |"

    def _written(self, sentence: Sentence) -> str:
        sentence = _without_brackets(sentence if self._marked else _unmarked(sentence))
        shown: list[int] = []
        written = ""
        for claim in sentence.claims:
            markers = list(dict.fromkeys(self._book.marker(span) for span in claim.spans))
            shown += [marker for marker in markers if marker not in shown]
            written += _with_markers(claim.text, markers) if self._marked else claim.text
        self.sentences.append(
            ShownSentence(
                text=sentence.text, citations=sorted(shown), support=sentence.support, factual=sentence.factual
            )
        )
        return written


def _with_markers(text: str, markers: Sequence[int]) -> str:
    """Markers stand at the end of a claim, before its closing punctuation."""
    if not markers:
        return text
    numbers = "".join(f"[{marker}]" for marker in markers)
    closing = CLOSING.search(text)
    mark = closing[1] if closing else ""
    return f"{text[: len(text) - len(mark)]} {numbers}{mark}"


def _without_brackets(sentence: Sentence) -> Sentence:
    """Nothing that a shop writes can be read as a marker."""
    claims = [Claim(text=_rounded(claim.text), spans=claim.spans) for claim in sentence.claims]
    return sentence.model_copy(update={"claims": claims})


def _rounded(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


def _unmarked(sentence: Sentence) -> Sentence:
    claims = [Claim(text=claim.text.replace("**", ""), spans=claim.spans) for claim in sentence.claims]
    return sentence.model_copy(update={"claims": claims})


def _in_cell(sentence: Sentence) -> Sentence:
    claims = [Claim(text=_cell_text(claim.text), spans=claim.spans) for claim in sentence.claims]
    return sentence.model_copy(update={"claims": claims})


def _cell_text(text: str) -> str:
    """Text that cannot break a table."""
    return " ".join(_rounded(text).replace("|", "/").split())
