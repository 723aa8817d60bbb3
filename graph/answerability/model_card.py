"""The model card: what answerability was trained on, how good it is, and what it looks at."""

from collections.abc import Mapping

from graph.answerability.figures import Figures
from graph.retrieval.reranking.packs import LICENCE, QUESTIONS, RANKING
from graph.trained.logistic import Logistic

_CARD = """# Answerability

Says how probable it is that the best of a product's evidence answers a question, so that a quotation is shown only
where it is likely to, and how sure an answer is.

* **Model**: a logistic regression over what the reranker said of the best, and how many there
  were to choose from (ten at most): the best of many is less of a surprise.
* **Data**: {rows:,} situations made from train rows of `{ranking}` and `{questions}` ({licence}): questions with all
  their candidates, with fewer, and with all that answers or helps taken out; questions with one piece of evidence that
  answers them or another question about the product. Found through `FOOTNOTE_BENCH`, not copied here.
* **Training**: `footnote train answerability`; the same data give the same file on one machine with one thread.
* **Limits**: English, evidence about products. Questions whose answer was taken out are more plainly unanswered than
  those that nothing ever answered, of which the packs have few.

## Figures

| rows | n | AUROC | ECE |
|---|---|---|---|
{figures}
## What counts

| feature | log odds per unit |
|---|---|
{weights}"""


def render_card(weights: Logistic, rows: int, figures: Mapping[str, Figures]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        rows: Situations it was learnt from.
        figures: What was measured, by the name of the rows.
    """
    measured = (f"| {name} | {one.rows} | {one.auroc:.3f} | {one.ece:.3f} |\n" for name, one in figures.items())
    return _CARD.format(
        rows=rows,
        ranking=RANKING.parent,
        questions=QUESTIONS.parent,
        licence=LICENCE,
        figures="".join(measured),
        weights=weights.table(),
    )
