"""Paraphrases: what of a writer's own words is shown, true ones and near misses, by the verifier that ships."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.errors import InputError
from evals.report import Evaluation, Metric, Scored, mean_metric, run_rows
from evals.row_turns import shipped_verifier
from evals.rows import Request
from evals.shops import ShopData, read_folder
from evals.training.reader_examples import ShopRow, rows_of, standing
from graph.draft import Segment, Sentence, Span
from graph.llm.acceptance import behind
from graph.parts import Verification
from ingestion.evidence import Evidence, Product
from ingestion.statements import plain

SUPPORTED = "supported"
"""The kind of a claim that its sources bear out; all others name what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """What a writer says of a sentence of a shop.

    Attributes:
        claim: Its words.
        kind: `SUPPORTED`, or the one thing in which it goes beyond its sources.
        sources: What it cites.
        product: What they are about.
    """

    claim: str
    kind: str
    sources: Sequence[Evidence]
    product: Product | None


Verify = Callable[[Paraphrase], Verification]
Judged = Scored[Paraphrase, Verification]


def load_verifier() -> Verify:
    """The verifier to which a served model's sentences are held, each citing what lies behind it as in a turn."""
    verifier = shipped_verifier(paraphrases=True)

    def verify(row: Paraphrase) -> Verification:
        spans: list[Span] = [where for item in row.sources for where in behind(row.claim, item)]
        about = row.product.id if row.product else None
        sentence = Sentence(segments=[Segment(text=row.claim, spans=spans)], product_id=about)
        return verifier.verify(sentence, {item.evidence_id: item for item in row.sources}, row.product)

    return verify


def evaluate(request: Request, load: Callable[[], Verify] = load_verifier) -> Evaluation:
    """Verify the statements that were written beside the sentences of a made-up shop.

    `kept` is the share of the true ones that may be shown, `shown` the share of the near misses that may; with
    `kind.` by what is wrong with them. What is not shown is said in the source's own words instead.

    Raises:
        InputError: The data are no folder of a made-up shop.
    """
    if not request.data.joinpath("rows.jsonl").is_file():
        msg = f"{request.data} is no made-up shop. Name a folder with shop/ and rows.jsonl, as in evals/training/shops."
        raise InputError(msg)
    shop = read_folder(request.data / "shop")
    rows = [one for row in rows_of(request.data) for one in _paraphrases(row, shop)]
    run = run_rows(rows, load, lambda verify, row: verify(row))
    return run.evaluation("paraphrases", request.data, _metrics, _prediction)


def _paraphrases(row: ShopRow, shop: ShopData) -> Iterator[Paraphrase]:
    own = standing(row, shop.evidence)
    also = [item for text in row.also for item in shop.evidence if plain(text) in plain(item.text)][: len(row.also)]
    sources = list({item.evidence_id: item for item in (own, *also)}.values())
    told = [(claim, SUPPORTED) for claim in row.supported] + [(one.claim, one.kind) for one in row.unsupported]
    product = shop.products.get(own.product_id or "")
    yield from (Paraphrase(claim, kind, sources, product) for claim, kind in told)


def _metrics(results: Sequence[Judged]) -> dict[str, Metric]:
    by_kind: dict[str, list[bool]] = {}
    for result in results:
        by_kind.setdefault(result.row.kind, []).append(result.found.accepted)
    true = by_kind.pop(SUPPORTED, [])
    metrics = {"kept": mean_metric(true), "shown": mean_metric([one for own in by_kind.values() for one in own])}
    return metrics | {f"kind.{kind}": mean_metric(own) for kind, own in sorted(by_kind.items())}


def _prediction(result: Judged) -> Mapping[str, Any]:
    return {
        "claim": result.row.claim,
        "kind": result.row.kind,
        "accepted": result.found.accepted,
        "support": result.found.support,
        "reasons": list(result.found.reasons),
        "sources": [item.evidence_id for item in result.row.sources],
    }
