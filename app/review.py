"""What a person of the shop writes in place of an answer, held to the shop's evidence as every answer is."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.storage.staff import Worded
from graph.draft import Block, Draft, Segment, Sentence
from graph.parts import Verifier
from graph.rendering.written import MarkerBook, WrittenAnswer
from graph.turn import Turn
from graph.verification.admission import admit_sentences
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans


@dataclass(frozen=True, slots=True)
class Checked:
    """A text that was checked.

    Attributes:
        said: The text with its sources; None where a sentence of it is not borne out.
        refused: The sentences that no evidence bears out.
    """

    said: Worded | None
    refused: tuple[str, ...] = ()


def checked(
    text: str, turn: Turn, evidence: Mapping[str, Evidence], products: Mapping[str, Product], verifier: Verifier
) -> Checked:
    """Find the source behind each sentence of a text.

    Args:
        text: What is to be told to the customer of a turn.
        turn: The turn.
        evidence: All that may bear the text out, by id.
        products: The catalog.
        verifier: That of the turn.
    """
    named = [product.id for product in products.values() if product.name.casefold() in text.casefold()]
    about = next(iter([*named, *(product.id for product in turn.products)]), None)
    blocks = []
    for line in filter(None, map(str.strip, text.splitlines())):
        said = [line[start:end] for start, end in sentence_spans(line)]
        sentences = [Sentence(segments=[Segment(text=one, spans=[])], product_id=about) for one in said]
        blocks.append(Block(kind="paragraph", sentences=sentences))
    drafted = Draft(outcome="clear", blocks=blocks, confidence=0.0)
    admitted, dropped = admit_sentences(drafted, evidence, products, verifier)
    if dropped or not blocks:
        return Checked(None, tuple(one.text for one in dropped))
    book = MarkerBook(evidence, turn.generation)
    written = "".join(WrittenAnswer(book, marked=True).pieces(admitted.blocks))
    sources = dict.fromkeys(one.evidence_id for one in book.citations)
    return Checked(Worded(written, tuple(book.citations), tuple(evidence[key] for key in sources)))
