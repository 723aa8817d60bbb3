"""From the benchmark packs to the two files that ship: the weights and their model card."""

from pathlib import Path

from graph.rewriting.learned.deciding import Ranker, rewritten
from graph.rewriting.learned.training.curriculum import FOLDS, Curriculum, fold_of
from graph.rewriting.learned.training.figures import Figures, measure
from graph.rewriting.learned.training.model_card import Sizes, render_card
from graph.rewriting.learned.training.packs import CANARD, CAST_2019, CAST_2020, Conversation, read_conversations
from graph.rewriting.learned.weights import MODEL_PATH, RewriterWeights
from graph.trained.release import Release


def train(bench: Path) -> Release[Figures]:
    """Train on the train rows of the packs, and measure on the test rows too.

    Args:
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    canard, cast = read_conversations(bench, CANARD, "train"), read_conversations(bench, CAST_2019, "train")
    curriculum = Curriculum(canard, cast)
    rankers = [curriculum.ranker(without=fold) for fold in range(FOLDS)]
    weights = RewriterWeights(curriculum.ranker())
    figures = {
        f"{pack}, train, cross-validated": measure(rows, [_rewritten(rankers[fold_of(row)], row) for row in rows])
        for pack, rows in ((CANARD, canard), (CAST_2019, cast))
    }
    for pack in (CANARD, CAST_2020):
        rows = read_conversations(bench, pack, "test")
        figures[f"{pack}, test"] = measure(rows, [_rewritten(weights.ranker, row) for row in rows])
    content = weights.to_bytes()
    return Release(MODEL_PATH, content, render_card(len(content), Sizes(len(canard), len(cast)), figures), figures)


def _rewritten(ranker: Ranker, row: Conversation) -> str:
    return rewritten(ranker, row.query, row.history, row.context)
