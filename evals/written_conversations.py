"""Conversations that are only written down: what the rewriter that ships makes of their last question."""

from collections.abc import Iterator, Sequence

from evals.rows import Message
from graph.catalog import LocalCatalog
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn
from graph.parts import Rewrite
from graph.rewriting import RuleRewriter
from graph.turn import Page, User
from ingestion.evidence import Product


def rewritten(history: Sequence[Message], query: str, context: Sequence[str] = ()) -> Rewrite:
    """Rewrite the last question of a conversation.

    No shop stands behind it: its only product is the open page's. The earlier questions are rewritten first, one after
    the other, as they were when the conversation was held.

    Args:
        history: What was said before, oldest first; whoever is not `user` answers.
        query: The last question.
        context: Titles of the open page, the page's own first, then those of its sections.
    """
    products = {title: Product(id=title, name=title) for title in context[:1]}
    user = User(page=Page(product_id=next(iter(products), None)))
    rewriter = RuleRewriter(LocalCatalog(products))
    discourse = Discourse()
    for said, answer in _turns(history):
        result = rewriter.rewrite(said, discourse, user, products)
        discourse = _remembered(discourse, said, answer, result)
    return rewriter.rewrite(query, discourse, user, products)


def _turns(history: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """Each question with what was answered, empty where nothing was."""
    said, answer = None, ""
    for message in history:
        if message.role == "user":
            if said is not None:
                yield said, answer
            said, answer = message.content, ""
        else:
            answer = f"{answer} {message.content}".strip()
    if said is not None:
        yield said, answer


def _remembered(before: Discourse, said: str, answer: str, result: Rewrite) -> Discourse:
    products = list(result.products)
    turn = PastTurn(
        query=said, standalone_query=result.standalone_query, answer=answer, products=products, outcome="clear"
    )
    return Discourse(
        turns=[*before.turns, turn][-REMEMBERED_TURNS:],
        focus=products or before.focus,
        mentioned=list(dict.fromkeys([*products, *before.mentioned])),
    )
