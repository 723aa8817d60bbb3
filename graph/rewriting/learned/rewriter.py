"""The learned rewriter: a question, what was said before it and the open page's titles to the standalone question."""

from collections.abc import Sequence

from graph.rewriting.learned.deciding import rewritten
from graph.rewriting.learned.reading.passages import Said
from graph.rewriting.learned.weights import RewriterWeights


class LearnedRewriter:
    """Puts phrases of the conversation into a question: in place of pronouns and shortened names, or added to it.

    Args:
        weights: What was learnt.
    """

    def __init__(self, weights: RewriterWeights) -> None:
        self._ranker = weights.ranker

    @classmethod
    def load(cls) -> "LearnedRewriter":
        """The rewriter that ships.

        Raises:
            RewriterWeightsError: Its file is missing or damaged.
        """
        return cls(RewriterWeights.load())

    def rewrite(self, query: str, history: Sequence[Said], context: Sequence[str] = ()) -> str:
        """The question as it stands alone; byte for byte the same where it does already.

        Args:
            query: The question.
            history: What was said before, oldest first.
            context: Titles of the open page: its own first, then those of its sections.
        """
        return rewritten(self._ranker, query, history, context)
