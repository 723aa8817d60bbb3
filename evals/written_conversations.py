"""Conversations that are only written down, and how their last question is rewritten."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from evals.rows import Message, said_in
from evals.spoken_catalog import SpokenCatalog, read_catalog
from graph.caching import CachingEncoder
from graph.catalog import LocalCatalog
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn
from graph.parts import Rewrite
from graph.retrieval.history import exchanges_of
from graph.rewriting import RuleRewriter
from graph.rewriting.flags import FlagReader, Flags
from graph.rewriting.scene import is_browsing
from graph.turn import Page, User
from ingestion.encoder import shared_encoder

_FEWEST_LISTED = 2

ReadQuestion = Callable[[Sequence[Message], str, Sequence[str]], Rewrite]
"""From the history, the question and the titles of the open page to how the question is read."""


def rewritten(history: Sequence[Message], query: str, context: Sequence[str] = ()) -> Rewrite:
    """Rewrite the last question of a conversation.

    No shop stands behind it: its products are those that it names, if any. The earlier questions are rewritten first,
    one after the other, as they were when it was held.

    Args:
        history: What was said before, oldest first; whoever is not `user` answers.
        query: The last question.
        context: Titles of the open page, the page's own first, then those of its sections.
    """
    turns = [(said.question, " ".join(said.answers)) for said in exchanges_of(said_in(history)) if said.question]
    spoken = read_catalog(history, query, context)
    page = Page(titles=list(context)) if spoken is None else Page(product_id=spoken.page)
    catalog, user, discourse = spoken or SpokenCatalog({}), User(page=page), Discourse()
    names = LocalCatalog(catalog.products)
    # An earlier message was looked up; its flags no longer matter.
    earlier = RuleRewriter(names, lambda _: Flags(searchable=True, live_agent=False))
    for said, answer in turns:
        result = earlier.rewrite(said, discourse, user, catalog.products)
        discourse = _remembered(discourse, said, answer, result, catalog)
    result = RuleRewriter(names, _flags().read).rewrite(query, discourse, user, catalog.products)
    if result.standalone_query == query:
        return result
    return replace(result, standalone_query=catalog.as_said(result.standalone_query))


@lru_cache(maxsize=1)
def _flags() -> FlagReader:
    return FlagReader(CachingEncoder(shared_encoder()))


def _remembered(before: Discourse, said: str, answer: str, result: Rewrite, catalog: SpokenCatalog) -> Discourse:
    """What a shop's thread remembers of a turn whose answer may show products."""
    shown = catalog.named_in(answer)
    browsed = is_browsing(said) and bool(shown)
    asked = list(dict.fromkeys([*result.products, *catalog.named_in(result.standalone_query)]))
    products = asked if asked or browsed else shown[:1]
    listed = shown if len(shown) >= _FEWEST_LISTED else before.listed
    turn = PastTurn(
        query=said,
        standalone_query=result.standalone_query,
        answer=answer,
        products=products,
        outcome="non_decision" if browsed else "clear",
    )
    return Discourse(
        turns=[*before.turns, turn][-REMEMBERED_TURNS:],
        focus=products or (shown if len(shown) == 1 else before.focus),
        listed=listed,
        mentioned=list(dict.fromkeys([*products, *shown, *before.mentioned])),
    )
