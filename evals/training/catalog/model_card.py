"""The model card: what product matching was trained on, how good it is, and where its limits lie."""

from collections.abc import Mapping

from evals.training.catalog.figures import MatchingMetrics
from evals.training.catalog.packs import LICENCE
from graph.catalog.matching.features import FEATURES
from graph.catalog.matching.matcher import CANDIDATES, CONTRADICTIONS, MatcherWeights

_CARD = """# Product matching

Says which product of a catalog a name from elsewhere means, and how probable it is that it means that one.

* **Model**: a conditional logit model (McFadden, 1974) ranks up to {candidates} candidates by {features} features:
  which units both names say, weighted by how rare they are in the catalog and among the candidates, what only one says,
  letters, order, model numbers, amounts, years, colours and makers that agree or contradict. A logistic regression
  reads the best score, its lead and {contradictions} contradictions, and gives the probability; from {threshold} on
  the product is accepted. A short name that says another word where the product's name tells it from others is never
  accepted. `model.json` holds all, a number for each name.
* **Data**: train rows of two benchmark packs, both {licence}, found through `FOOTNOTE_BENCH` and not copied here:
  {packs}.
* **Training**: `footnote train catalog`. The same data give the same file, byte for byte, on one machine; elsewhere
  the same figures to three decimals.
* **Limits**: English names of software, office goods and electronics. In both packs a look-up without a product may
  have an unlabelled one, and of several entries of one product often not all are labelled: figures are lower than what
  a person would count. Nothing of a product but its name, maker, aliases and model numbers is read. The probability is
  calibrated on catalogs like these; in a small catalog of short names it is too high.

## Figures

hit@1 is over look-ups that have a product; invented is the share of all look-ups where another one is accepted. All are
at the one threshold, whose worst pack is best on the cross-validated rows.

| rows | n | hit@1 | accept F1 | invented | ECE |
|---|---|---|---|---|---|
{table}"""


def render_card(weights: MatcherWeights, sizes: Mapping[str, int], figures: Mapping[str, MatchingMetrics]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        sizes: How many look-ups it was learnt from, by pack.
        figures: What was measured, by the name of the rows.
    """
    lines = (
        f"| {name} | {one.rows} | {one.hit:.3f} | {one.accept_f1:.3f} | {one.invented:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        candidates=CANDIDATES,
        features=len(FEATURES),
        contradictions=len(CONTRADICTIONS),
        threshold=weights.threshold,
        licence=LICENCE,
        packs=" and ".join(f"`{name}` ({rows:,} look-ups)" for name, rows in sizes.items()),
        table="".join(lines),
    )
