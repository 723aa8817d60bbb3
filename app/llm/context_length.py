"""How long a context the prompts of a turn need, from the limits that the settings set them."""

from math import ceil

from app.llm.options import LlmOptions
from graph.options import GraphOptions

STATIC_TOKENS = 1_200
"""Most tokens of persona and rules, which every request begins with."""
HEAD_TOKENS = 64
"""Of a piece of evidence, beside its text: marker, kind, title, section."""
REST_TOKENS = 600
"""Of what is known about the customer, the notes of the intents, and the suffix that says what is asked for."""
CHARS_A_TOKEN = 4
"""Of English; the prompts have between 3.4 and 4.6 by a word-piece tokenizer."""
ANSWERS = 2
"""The one that is written, and in the prompt of a repair the draft."""
MARGIN = 1.25
"""For tokenizers that cut finer than the one that evidence is measured with, and reviews, which are never cut."""
STEP = 4_096


def needed_context(graph: GraphOptions, llm: LlmOptions, chunk_tokens: int) -> int:
    """Tokens that the longest request of usual evidence takes, its answer included.

    Args:
        graph: Has the limits on evidence and question.
        llm: Has the limit on the answer.
        chunk_tokens: Most tokens of a piece of evidence that is cut.
    """
    evidence = graph.evidence_limit * (chunk_tokens + HEAD_TOKENS)
    question = ceil(graph.max_query_chars / CHARS_A_TOKEN)
    return STATIC_TOKENS + evidence + question + REST_TOKENS + ANSWERS * llm.max_tokens


def recommended_context(graph: GraphOptions, llm: LlmOptions, chunk_tokens: int) -> int:
    """The same with a margin, in whole steps of 4,096."""
    return ceil(needed_context(graph, llm, chunk_tokens) * MARGIN / STEP) * STEP
