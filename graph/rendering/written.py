"""Written answers: the text of a draft with its markers, whole or as it comes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graph.answering.matching import attribute_lines
from graph.draft import Block, Segment, Sentence, Span
from graph.turn import Citation, ShownSentence
from ingestion.evidence import Evidence


class MarkerBook:
    """Numbers spans as they are shown and keeps the citation behind each number."""

    def __init__(self, evidence: Mapping[str, Evidence], generation: str) -> None:
        self._evidence = evidence
        self._generation = generation
        self._citations: dict[tuple[str, int, int], Citation] = {}

    @property
    def citations(self) -> list[Citation]:
        """The citations so far, by marker."""
        return list(self._citations.values())

    def source(self, span: Span) -> Evidence:
        """The evidence a span is cut from."""
        return self._evidence[span.evidence_id]

    def marker(self, span: Span) -> int:
        """The number of a span; a new one if it was not shown yet."""
        key = (span.evidence_id, span.start, span.end)
        known = self._citations.get(key)
        if known is None:
            known = self._citation(span, len(self._citations) + 1)
        elif known.derived is None and span.derived is not None:
            known = known.model_copy(update={"derived": span.derived})
        self._citations[key] = known
        return known.marker

    def _citation(self, span: Span, marker: int) -> Citation:
        item = self._evidence[span.evidence_id]
        return Citation(
            marker=marker,
            evidence_id=item.evidence_id,
            source_type=item.source_type,
            title=item.title,
            section=item.section or attribute_of(item, span),
            page=item.page,
            url=item.url,
            updated_at=item.updated_at,
            product_id=item.product_id,
            quote=item.text[span.start : span.end],
            start=span.start,
            end=span.end,
            generation=self._generation,
            derived=span.derived,
        )


def attribute_of(item: Evidence, span: Span) -> str | None:
    """The attribute that a span of a specification states, which is its section."""
    if item.source_type not in ("spec", "datasheet"):
        return None
    return next((name for name, _, start, _ in attribute_lines(item) if start == span.start), None)


CLOSING = frozenset(".!?…:;,")


@dataclass(slots=True)
class WrittenAnswer:
    """Writes blocks one after the other, with markers or without; what was written never changes."""

    book: MarkerBook
    marked: bool
    sentences: list[ShownSentence] = field(default_factory=list)

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
            cells = [
                self._written(_reworded(sentence, _cell_text))
                for sentence in block.sentences[row * width : (row + 1) * width]
            ]
            yield f"\n| {' | '.join([_cell_text(name), *cells])} |"

    def _written(self, sentence: Sentence) -> str:
        sentence = _reworded(sentence, lambda text: _rounded(text if self.marked else text.replace("**", "")))
        shown: list[int] = []
        written = ""
        for segment in sentence.segments:
            markers = list(dict.fromkeys(self.book.marker(span) for span in segment.spans))
            shown += [marker for marker in markers if marker not in shown]
            written += _with_markers(segment.text, markers) if self.marked else segment.text
        self.sentences.append(
            ShownSentence(
                text=sentence.text, citations=sorted(shown), support=sentence.support, factual=sentence.factual
            )
        )
        return written


def _with_markers(text: str, markers: Sequence[int]) -> str:
    """Markers stand at the end of a segment, before its closing punctuation."""
    if not markers:
        return text
    numbers = "".join(f"[{marker}]" for marker in markers)
    mark = text[-1:] if text[-1:] in CLOSING else ""
    return f"{text[: len(text) - len(mark)]} {numbers}{mark}"


def _reworded(sentence: Sentence, word: Callable[[str], str]) -> Sentence:
    """A sentence with the text of each segment as it is written."""
    segments = [Segment(text=word(segment.text), spans=segment.spans) for segment in sentence.segments]
    return sentence.model_copy(update={"segments": segments})


def _rounded(text: str) -> str:
    """Nothing that a shop writes can be read as a marker."""
    return text.replace("[", "(").replace("]", ")")


def _cell_text(text: str) -> str:
    """Text that cannot break a table."""
    return " ".join(_rounded(text).replace("|", "/").split())
