"""The model card: what the intent model was trained on, how good it is, and where its thresholds come from."""

from collections.abc import Sequence

from evals.training.intents.figures import IntentMetrics
from evals.training.intents.thresholds import BrowsingPoint, FocusPoint, choose_browsing, choose_focus

_CONFUSIONS = 10
_HEAD = """# Intent model

Classifies a shopper's question into the fourteen decision intents and `non_decision`, with calibrated probabilities.

* **Model**: the mean of the log probabilities of two multinomial logistic regressions, one over what several layers of
  all-MiniLM-L6-v2 make of the text (one run of it, which retrieval shares), one over hashed words, word pairs and
  triples, and pieces of words (TF-IDF), with the labels of the nearest examples beside the first; share and temperature
  are fitted on examples that were held back. At run time plain numpy over `model.npz`.
* **Data**: {utterances} utterances written for this project (`utterances/`, one file an intent); their slots for
  products and brands are filled with invented names (`slots/`), {examples} examples in all. No customer data and no row
  of a public data set is trained on. Licence: this project's own.
* **Error analysis**: wordings that the utterances lacked were found in predictions for public product questions
  (HetPQA and ePQA, CDLA-Sharing-1.0). A first look also showed test rows; the utterances written in answer to it were
  taken out, and others written after a look at train rows alone, none of them close to a test row.
* **Training**: `footnote train intent --test tests/intents.jsonl`. The same data give the same file, byte for byte, on
  one machine; elsewhere the same figures to three decimals. A shop's own intents are learnt beside these and kept with
  its index (`footnote train intent --shop`).
* **Limits**: English. The test rows were written by another hand, who had not seen the utterances; who wrote the
  utterances saw the test's figures by intent, but none of its rows, and utterances equal to a row were taken out. The
  cross-validated figure is the harder one, since unusual wordings are held back with nothing like them left to learn
  from.
"""


def render_card(
    sizes: tuple[int, int],
    figures: Sequence[tuple[str, IntentMetrics]],
    browsing: Sequence[BrowsingPoint],
    focus: Sequence[FocusPoint],
) -> str:
    """Write the card as Markdown.

    Args:
        sizes: Number of utterances, and of examples with their slots filled.
        figures: What was measured, by the name of the rows.
        browsing: The curve of `non_decision` thresholds.
        focus: The curve of entropy thresholds.
    """
    utterances, examples = sizes
    parts = [_HEAD.format(utterances=utterances, examples=examples), _table(figures)]
    parts += [_confusions(name, measured) for name, measured in figures]
    return "\n".join([*parts, _browsing(browsing), _focus(focus)])


def _table(figures: Sequence[tuple[str, IntentMetrics]]) -> str:
    rows = "".join(
        f"| {name} | {f.rows} | {f.accuracy:.3f} | {f.weighted_f1:.3f} | {f.ece:.3f} |\n" for name, f in figures
    )
    labels = "".join(
        f"| `{label}` | " + " | ".join(f"{measured.f1[label]:.2f}" for _, measured in figures) + " |\n"
        for label in figures[0][1].f1
    )
    heads = " | ".join(f"F1, {name}" for name, _ in figures)
    return (
        f"## Figures\n\n| rows | n | accuracy | weighted F1 | ECE |\n|---|---|---|---|---|\n{rows}\n"
        f"| intent | {heads} |\n|---|{'---|' * len(figures)}\n{labels}"
    )


def _confusions(name: str, figures: IntentMetrics) -> str:
    listed = "".join(f"* `{gold}` read as `{got}`: {rows}\n" for gold, got, rows in figures.confusions[:_CONFUSIONS])
    return f"Most frequent confusions, {name}:\n\n{listed}"


def _browsing(curve: Sequence[BrowsingPoint]) -> str:
    rows = "".join(f"| {p.threshold:.2f} | {p.found:.3f} | {p.lost:.3f} |\n" for p in curve)
    return (
        "## Thresholds\n\nOn held-back examples. A question lost to browsing gets no answer at all, so "
        f"`non_decision_threshold` is the lowest that loses at most 1 %: {choose_browsing(curve).threshold:.2f}.\n\n"
        f"| `non_decision_threshold` | `non_decision` found | questions lost |\n|---|---|---|\n{rows}"
    )


def _focus(curve: Sequence[FocusPoint]) -> str:
    rows = "".join(f"| {p.threshold:.2f} | {p.focused:.3f} | {p.accuracy:.3f} | {p.covered:.3f} |\n" for p in curve)
    return (
        "`entropy_threshold` is chosen by the answers it leads to (`docs/entropy.md`). By intents alone, to compare: "
        f"one intent is right in 96 % of cases up to {choose_focus(curve).threshold:.2f}. "
        '"Covered": the right intent is among those read.\n\n'
        f"| `entropy_threshold` | read as one intent | of those right | covered |\n|---|---|---|---|\n{rows}"
    )
