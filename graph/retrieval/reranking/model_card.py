"""The model card: what the reranker was trained on, how good it is, and what it costs."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.retrieval.reranking.figures import Figures
from graph.retrieval.reranking.packs import LICENCE, QUESTIONS, RANKING
from graph.retrieval.reranking.reranker import QUESTION_SHARE
from graph.retrieval.reranking.weights import RerankerWeights

_CARD = """# Reranker

Says how probable it is that a piece of evidence answers a question alone.

* **Model**: late interaction (MaxSim of ColBERT, Khattab and Zaharia, 2020) over the token states of the sentence
  encoder (all-MiniLM-L6-v2). Each word piece of the question looks for the nearest one of the evidence; their cosines
  around the common centre of all states are averaged, rare pieces counting more. The cosine of question and evidence as
  wholes counts as much. A logistic regression makes a probability of it. A Q&A counts by its answer, or by
  {question_share} of what its question scores. `model.npz` ({kilobytes:.0f} kB) holds a weight for each word piece, the
  centre, slope ({slope:.1f}) and intercept ({intercept:.1f}).
* **Data**: train rows of two benchmark packs, both {licence}, found through `FOOTNOTE_BENCH` and not copied here:
  `{ranking}` ({rows} questions, {candidates:,} judged candidates, for everything) and `{questions}` ({others:,} pairs
  of a question and its evidence, to count words).
* **Training**: `footnote train reranker`. The same data give the same file, byte for byte, on one machine with one
  thread; elsewhere the same figures to three decimals.
* **Limits**: English. Evidence is read up to 256 word pieces. The order in which the packs list candidates tells much
  of their relevance; nothing here looks at it, and a figure that breaks ties by it would be too high.

## Figures

P@1 and MRR are over questions that some candidate answers alone; of equal scores the worst order counts.

| rows | n | P@1 | MRR | ECE |
|---|---|---|---|---|
{table}"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much was trained on: questions, their candidates, and pairs that only count words."""

    rows: int
    candidates: int
    others: int


def render_card(weights: RerankerWeights, sizes: Sizes, figures: Mapping[str, Figures]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        sizes: What it was learnt from.
        figures: What was measured, by the name of the rows.
    """
    lines = (
        f"| {name} | {one.rows} | {one.precision:.3f} | {one.reciprocal_rank:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        question_share=QUESTION_SHARE,
        kilobytes=len(weights.to_bytes()) / 1000,
        slope=weights.slope,
        intercept=weights.intercept,
        licence=LICENCE,
        ranking=RANKING.parent,
        questions=QUESTIONS.parent,
        rows=sizes.rows,
        candidates=sizes.candidates,
        others=sizes.others,
        table="".join(lines),
    )
