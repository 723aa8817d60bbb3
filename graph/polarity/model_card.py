"""The model card: what the polarity model was trained on, how good it is, and what it looks at."""

from collections import Counter
from collections.abc import Mapping, Sequence

from graph.polarity.features import NAMES
from graph.polarity.figures import Figures
from graph.polarity.packs import LICENCE, MANY, ONE_EVIDENCE, Judged
from graph.polarity.weights import LEAST, PolarityWeights

_CARD = """# Polarity

Says what a piece of evidence answers to a yes/no question: yes, no, or nothing that decides it. Yes or no is said from
a probability of {least} on; below it, the evidence is quoted and neither is said.

* **Model**: two logistic regressions over the same features, one for whether the evidence decides, one for which way.
  `model.json` holds their {numbers} numbers.
* **Data**: train rows of `{one}` and `{many}` ({licence}), found through `FOOTNOTE_BENCH` and not
  copied here: {yes:,} pieces of evidence say yes, {no:,} no, {undecided:,} decide nothing. What a piece says is read
  from the answer that someone wrote from it; where that begins with neither, it counts as a yes if it has all the words
  of the question and denies none, and as a no if it denies one, and only teaches.
* **Training**: `footnote train polarity`. The same data give the same file, byte for byte, on one machine with one
  thread; elsewhere the same figures to three decimals.
* **Limits**: English, and evidence about products. Questions that leave a choice or deny something get neither. The
  people who wrote the answers take what a list leaves out for a no; here a no needs a sign of denial, so much of that
  is lost on purpose. No yes is said beside another kind or model than the one asked for. In the second pack, people
  often disagree on one question.

## Figures

Accuracy is over evidence that says yes or no, the likelier of the two counting; "said" is how much of it passes the
threshold. Precision counts evidence that decides nothing as wrong; "wrong way" does not. Held back were all rows of the
same product and of the same question.

| rows | n | accuracy | said | precision of yes | precision of no | wrong way | ECE |
|---|---|---|---|---|---|---|---|
{figures}
## What counts

| feature | log odds of deciding, per unit | log odds of yes |
|---|---|---|
{weights}"""


def render_card(weights: PolarityWeights, rows: Sequence[Judged], figures: Mapping[str, Figures]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        rows: What it was learnt from.
        figures: What was measured, by the name of the rows.
    """
    measured = (
        f"| {name} | {one.decided} | {one.accuracy:.3f} | {one.said:.3f} | {one.yes_precision:.3f} | "
        f"{one.no_precision:.3f} | {one.wrong_way:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    both = zip(
        (*NAMES, "intercept"),
        (*weights.decides.coefficients, weights.decides.intercept),
        (*weights.affirms.coefficients, weights.affirms.intercept),
        strict=True,
    )
    counts = Counter(row.label for row in rows)
    return _CARD.format(
        least=LEAST,
        numbers=2 * (len(NAMES) + 1),
        one=ONE_EVIDENCE.parent,
        many=MANY.parent,
        licence=LICENCE,
        yes=counts["yes"],
        no=counts["no"],
        undecided=counts["undecided"],
        figures="".join(measured),
        weights="".join(f"| {name} | {decides:+.3f} | {affirms:+.3f} |\n" for name, decides, affirms in both),
    )
