"""From scikit-learn's boosted trees, which it takes to train, to plain arrays, which need no library."""

from typing import TYPE_CHECKING

import numpy as np

from graph.trained.trees import Trees

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor


def grown_trees(
    model: "HistGradientBoostingRegressor | HistGradientBoostingClassifier", features: tuple[str, ...]
) -> Trees:
    """The trees that scikit-learn grew, one after the other; what all rows begin with is added to the first.

    Args:
        model: A fitted model of one output.
        features: Names of the columns that it was fitted on, in order.
    """
    # Needed in training alone; what ships is read without scikit-learn. Its narrow bound is for these two.
    grown = [tree.nodes for (tree,) in model._predictors]  # noqa: SLF001 - scikit-learn has no public way to its trees
    starts = np.cumsum([0, *(len(nodes) for nodes in grown[:-1])])
    nodes = np.concatenate(grown)
    offsets = np.repeat(starts, [len(nodes) for nodes in grown])
    leaf, own = nodes["is_leaf"].astype(bool), np.arange(len(nodes))
    value = np.where(leaf, nodes["value"], 0.0)
    start = model._baseline_prediction.item()  # noqa: SLF001 - nor to what all rows begin with
    value[: len(grown[0])] += np.where(leaf[: len(grown[0])], start, 0.0)
    return Trees(
        features=features,
        roots=starts,
        column=np.where(leaf, 0, nodes["feature_idx"]),
        threshold=np.where(leaf, 0.0, nodes["num_threshold"]).astype(np.float32),
        children=np.stack([np.where(leaf, own, nodes[side] + offsets) for side in ("left", "right")], axis=1).ravel(),
        value=value.astype(np.float32),
    )
