"""The model card: what the reranker was trained on, how good it is, and what it looks at."""

from collections.abc import Mapping

from graph.retrieval.reranking.features import NAMES
from graph.retrieval.reranking.figures import Figures
from graph.retrieval.reranking.packs import LICENCE, RANKING
from graph.trained.logistic import Logistic

_CARD = """# Reranker

Says how probable it is that a piece of evidence answers a question alone. What a product's evidence is ranked by in a
turn, and what makes scores of different searches comparable.

* **Model**: a logistic regression over what is at hand once a question has been searched: the cosine of question and
  evidence, the share of the question's content words that occur, the logarithm of the number of words, whether there
  is a figure, and the kind of evidence. `model.json` holds its {numbers} numbers.
* **Data**: train rows of `{ranking}` ({rows} questions, {candidates:,} judged candidates; {licence}), found through
  `FOOTNOTE_BENCH` and not copied here.
* **Training**: `footnote train reranker`. The same data give the same file, byte for byte, on one machine with one
  thread; elsewhere the same figures to three decimals.
* **Limits**: English, and evidence about products; kinds that the data do not have (policies, help articles) are told
  apart by words and meaning alone. The order in which the pack lists candidates tells much of their relevance; nothing
  here looks at it, and a figure that breaks ties by it would be too high.

## Figures

P@1 and MRR are over questions that some candidate answers alone; of equal scores the worst order counts.

| rows | n | P@1 | MRR | ECE |
|---|---|---|---|---|
{figures}
## What counts

| feature | log odds per unit |
|---|---|
{weights}"""


def render_card(weights: Logistic, rows: int, candidates: int, figures: Mapping[str, Figures]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        rows: Questions it was learnt from.
        candidates: Their candidates.
        figures: What was measured, by the name of the rows.
    """
    measured = (
        f"| {name} | {one.rows} | {one.precision:.3f} | {one.reciprocal_rank:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        numbers=len(NAMES) + 1,
        ranking=RANKING.parent,
        rows=rows,
        candidates=candidates,
        licence=LICENCE,
        figures="".join(measured),
        weights=weights.table(),
    )
