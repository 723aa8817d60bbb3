"""Questions about two tents, with the evidence a model is given."""

from collections.abc import Sequence

from graph.llm.acceptance import Acceptance
from graph.options import GraphOptions
from graph.parts import Question
from graph.reader import shared_reader
from graph.sensitive.gate import SensitiveGate
from graph.state import CatalogResult
from graph.turn import User
from graph.understanding.parsed_question import ParsedQuestion
from graph.verification import SentenceVerifier, SupportModel
from ingestion.encoder import shared_encoder
from ingestion.evidence import Evidence, Product

HERON = Product(id="heron-2", name="Heron 2", brand="Reedbed", category=("Tents",))
EGRET = Product(id="egret-3", name="Egret 3", brand="Reedbed", category=("Tents",))
HERON_SPEC = Evidence(
    evidence_id="spec:heron-2",
    source_type="spec",
    text="Weight: 1.9 kg\nCapacity: 2 people\nPacked size: 42 x 14 cm\nDoors: 2",
    title="Heron 2 specifications",
    row_id="heron-2",
    product_id="heron-2",
)
EGRET_SPEC = Evidence(
    evidence_id="spec:egret-3",
    source_type="spec",
    text="Weight: 2.6 kg\nCapacity: 3 people\nPacked size: 46 x 17 cm\nDoors: 2",
    title="Egret 3 specifications",
    row_id="egret-3",
    product_id="egret-3",
)
HERON_REVIEW = Evidence(
    evidence_id="review:r1",
    source_type="review",
    text="Had it up in four minutes. The zips feel cheap.\nRating: 4 of 5",
    title="Heron 2 review",
    row_id="r1",
    product_id="heron-2",
    rating=4.0,
)
RETURNS = Evidence(
    evidence_id="return_policy:tents",
    source_type="return_policy",
    text="Tents can be returned within 30 days of delivery if they are unused. Opened pegs are not taken back.",
    title="Returning a tent",
    row_id="tents",
)
PITCHING = Evidence(
    evidence_id="manual:heron#2",
    source_type="manual",
    text="Lay the inner tent flat.\nThread the two poles through the sleeves.\nPeg out the four corners.",
    title="Heron 2 manual",
    section="Pitching",
    row_id="heron",
    product_id="heron-2",
)
EVERYTHING = (HERON_SPEC, EGRET_SPEC, HERON_REVIEW, RETURNS, PITCHING)


def asked(
    text: str = "How heavy is the Heron 2?",
    products: Sequence[Product] = (HERON,),
    evidence: Sequence[Evidence] = EVERYTHING,
    intents: Sequence[str] = ("product_spec",),
) -> Question:
    """A question of a customer, with what was found for it."""
    return Question(
        query=text,
        standalone_query=text,
        parsed=ParsedQuestion.of(text, [product.name for product in products]),
        intents=tuple(intents),
        products=tuple(products),
        catalog=CatalogResult(),
        evidence=tuple((item, 0.5) for item in evidence),
        user=User(),
    )


def accepting(question: Question) -> Acceptance:
    """What decides on sentences in every turn, the real verifier and gate among it."""
    gate = SensitiveGate(question, GraphOptions().sensitive)
    verifier = SentenceVerifier(SupportModel(shared_reader(), shared_encoder()), paraphrases=True)
    return Acceptance(question, verifier, gate, shared_reader())
