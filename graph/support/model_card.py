"""The model card: what the support model was trained on, how good it is, and what it looks at."""

from collections.abc import Mapping

from graph.support.entailment.adapting import RANK
from graph.support.features import DIRECTIONS, LONG, NAMES
from graph.support.figures import Figures
from graph.support.packs import LICENCES
from graph.support.weights import THRESHOLD, SupportWeights

_CARD = """# Support

Says how probable it is that evidence, all of it together, says what a sentence claims.

* **Model**: {trees} boosted trees over {figures} figures of a sentence beside its evidence, {lines} of them for
  evidence of up to {long} words and {pages} for longer: which of its words, word pairs and runs occur, weighed by how
  rare they are; how near its sentences come to it in meaning, whole and word piece by word piece; which of its figures,
  units and names are missing, what is denied in one and said in the other, words and their opposites; and whether it
  follows from one of a few windows of the evidence, by a cross-encoder: the same embedding model, adapted by matrices
  of rank {rank} beside all its linear maps. Each figure may push one way only and no length is looked at but for which
  trees are asked. Accepted from a probability of {threshold:.2f} on.
* **Data**: train rows, found through `FOOTNOTE_BENCH` and not copied here: {data}. Pairs of sentences that teach the
  trees have not taught the cross-encoder. Shop sentences are answers that people wrote from a product's evidence, half
  of them with an invented product's name put in; false ones have another number, unit, name, a "not" more or less, or
  stand beside other evidence. Licences: {licences}. SNLI: Bowman et al., 2015. MNLI: Williams et al., 2018. ExpertQA:
  Malaviya et al., 2023. The attribution pack only measures: it states no licence.
* **Training**: `footnote train support`, some ten minutes on one core, most of them for the cross-encoder.
* **Limits**: English. A sentence that names a product needs evidence that names it too, such as the source's title
  above the cited line. What follows only by reasoning, or by knowing the world, is taken for unsupported.

## Figures

At the one threshold that ships. "Trees learnt from" one pack alone show how far that carries to others; the
cross-encoder among their figures is the one that ships.

| rows | n | AUROC | balanced accuracy | macro F1 | ECE |
|---|---|---|---|---|---|
{measured}
## What is looked at

| figure | speaks |
|---|---|
{looked}"""


def render_card(weights: SupportWeights, counts: Mapping[str, int], figures: Mapping[str, Figures]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        counts: Rows it was learnt from, by their pack.
        figures: What was measured, by the name of the rows.
    """
    measured = (
        f"| {name} | {one.rows:,} | {one.auroc:.3f} | {one.balanced_accuracy:.3f} | {one.macro_f1:.3f} | "
        f"{one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    looked = (f"| {name} | {'for' if way > 0 else 'against'} |\n" for name, way in zip(NAMES, DIRECTIONS, strict=True))
    return _CARD.format(
        trees=len(weights.lines.roots) + len(weights.pages.roots),
        lines=len(weights.lines.roots),
        pages=len(weights.pages.roots),
        long=LONG,
        rank=RANK,
        figures=len(NAMES),
        threshold=THRESHOLD,
        data=", ".join(f"{name} ({count:,})" for name, count in counts.items()),
        licences=", ".join(f"{pack.parent.name} {licence}" for pack, licence in LICENCES.items()),
        measured="".join(measured),
        looked="".join(looked),
    )
