"""The model card of confidence: what it was trained on, how good it is, and what counts."""

from collections.abc import Mapping, Sequence

from evals.confidence.examples import PACK, SHOP, ConfidenceExample
from evals.confidence.figures import ConfidenceMetrics
from graph.trained import Logistic

_CARD = """# Confidence

Says how probable it is that an answer is right and supported: `confidence.score` of a turn, whose `signals` are kept
beside it.

* **Model**: a logistic regression over named signals of the turn (`signals.py`), their signs held to what they mean:
  more support, relevance or primary sources never lower the score. The odds fall at least with the support of the
  sentences, which cannot be learnt, as weakly supported ones are never shown. Isotonic regression behind it would be
  used if it were better on answers that were held back; see the figures.
* **Data**: {rows:,} answers of the parts that ship: {pack:,} to train rows of `{pack_name}` ({licence}), where a right
  one cites what answers first and nothing that does not help; {shop:,} to questions made from the demo shop's own data
  (`evals/shops/questions.py`), by product, rule and article apart from those it is measured on. The pack is found
  through `FOOTNOTE_BENCH`, not copied here. `answers-hetpqa` is left out: its rows hold one piece of evidence each,
  which always answers, so that they would teach that little evidence is sure evidence.
* **Training**: `footnote train confidence`, after all other parts; the same turns give the same file on one machine
  with one thread.
* **Use**: what a turn states as an answer. A turn that answers nothing gets a tenth of the probability that the
  evidence does answer, which puts it below nearly all answers; a hand-over and browsing are not scored by it.
* **Limits**: English. Other shops than the demo shop may be easier or harder: the score says how often such answers
  were right here. Whether a source is right is not asked.

## Figures

| answers | n | right | AUROC | ECE |
|---|---|---|---|---|
{figures}
## What counts

| signal | log odds per unit |
|---|---|
{weights}"""


def render_card(weights: Logistic, rows: Sequence[ConfidenceExample], figures: Mapping[str, ConfidenceMetrics]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        rows: Answers it was learnt from.
        figures: What was measured, by the name of the answers.
    """
    measured = (
        f"| {name} | {one.rows} | {one.right:.3f} | {one.auroc:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        rows=len(rows),
        pack=sum(one.source == PACK for one in rows),
        shop=sum(one.source == SHOP for one in rows),
        pack_name=PACK,
        licence="CDLA-Sharing-1.0",
        figures="".join(measured),
        weights=weights.table(),
    )
