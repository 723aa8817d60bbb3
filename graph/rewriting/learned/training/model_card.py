"""The model card: what the learned rewriter was trained on, how good it is, and what it costs."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.rewriting.learned.training.curriculum import ALONE, CHATS, WITHOUT_PAGE
from graph.rewriting.learned.training.figures import Figures
from graph.rewriting.learned.training.lessons import LEAVES, ROUNDS
from graph.rewriting.learned.training.packs import CANARD, CAST_2019, LICENCES

_CARD = """# Learned rewriter

Puts into a question what it is missing of the conversation, so that it stands alone.

* **Model**: a question's pronouns, demonstratives and shortened names are slots, and the phrases of the conversation
  and of the open page's titles are candidates for them, or are added. Two sums of {rounds} regression trees of at most
  {leaves} leaves (gradient boosting, Friedman, 2001) expect of each edit what it gains in token F1; the best one is
  made as long as it gains anything. A question that no edit is expected to help is left as it is. Nothing is generated:
  a rewrite has only words of the conversation and prepositions. `model.npz` has {kilobytes:.0f} kB.
* **Data**: train rows of two benchmark packs, found through `FOOTNOTE_BENCH` and not copied here: `{canard}`
  ({canard_rows:,} rows, {canard_licence}), which counts once as it is and {without_page:g} times as if no page were
  open, and `{cast}` ({cast_rows:,} rows, {cast_licence}), which counts {chats:g} times. What people made of the
  questions of the latter counts {alone:g} times as a question of its own, in the same conversation and after others: it
  is to be left as it is.
* **Licence**: the weights are under {canard_licence}, as the larger pack is.
* **Training**: `footnote train rewriter`. The same data give the same file, byte for byte.
* **Limits**: English. What stands in no earlier turn and no title cannot be put in. Grammar is read by closed word
  classes, so that a rare verb may be taken for a noun.

## Figures

Token F1 is over questions that people changed; left alone is the share of the others that pass byte for byte.

| rows | changed | token F1 | unchanged | left alone |
|---|---|---|---|---|
{table}"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much was trained on: rows on an open page, and rows of chats."""

    paged: int
    chats: int


def render_card(size: int, sizes: Sizes, figures: Mapping[str, Figures]) -> str:
    """Write the card as Markdown.

    Args:
        size: Bytes of the weights.
        sizes: What they were learnt from.
        figures: What was measured, by the name of the rows.
    """
    lines = (
        f"| {name} | {one.rows} | {one.token_f1:.3f} | {one.kept_rows} | {one.kept:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        rounds=ROUNDS,
        leaves=LEAVES,
        kilobytes=size / 1000,
        canard=CANARD,
        canard_rows=sizes.paged,
        canard_licence=LICENCES[CANARD],
        without_page=WITHOUT_PAGE,
        cast=CAST_2019,
        cast_rows=sizes.chats,
        cast_licence=LICENCES[CAST_2019],
        chats=CHATS,
        alone=ALONE,
        table="".join(lines),
    )
