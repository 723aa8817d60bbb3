"""Talking to a dialogue manager whose model is scripted, about two tents and a shop's help pages."""

import json
from collections.abc import Sequence

from graph.catalog import LocalCatalog
from graph.discourse import Discourse, PastTurn
from graph.llm.dialogue import DialogueManager
from graph.llm.model import LanguageModelError
from graph.parts import Rewrite
from graph.turn import Page, User
from ingestion.evidence import Product
from tests.graph.fakes import ScriptedModel, ScriptedRewriter

PRODUCTS = {
    key: Product(id=key, name=name, category=("Tents",))
    for key, name in (("kestrel", "Kestrel Dome"), ("heron", "Heron Tunnel"))
}
NAMES = LocalCatalog(PRODUCTS)
ASKED = "How do I return a tent?"
TOLD = "Print a label and bring the tent to a shop [1]."
QUERY = "how long does it take?"
ALONE = "How long does it take to return a tent?"
INTENT = "The customer wants to know the duration of a return."
SIMULATED = "Refunds are made within ten days after the parcel has come back."


def reply(**fields: object) -> str:
    """A whole reply, some fields of which are different; None leaves one out."""
    whole = {
        "standalone_query": ALONE,
        "searchable": True,
        "live_agent": False,
        "intent": INTENT,
        "simulated_response": SIMULATED,
    }
    return json.dumps({name: value for name, value in (whole | fields).items() if value is not None})


def past(query: str = ASKED, answer: str = TOLD) -> PastTurn:
    return PastTurn(query=query, standalone_query=query, answer=answer, outcome="clear")


def heard(
    *replies: str | LanguageModelError,
    query: str = QUERY,
    local: Rewrite | None = None,
    before: Sequence[PastTurn] = (past(),),
    always: bool = False,
    titles: Sequence[str] = (),
    focus: Sequence[str] = (),
) -> tuple[Rewrite, ScriptedModel]:
    """What becomes of a question that the local rewriter is not sure of unless `local` says so, and what was asked."""
    model = ScriptedModel(*replies)
    rewriter = ScriptedRewriter({query: local or Rewrite(query, "none", sure=False)})
    manager = DialogueManager(rewriter, model, NAMES, always=always)
    discourse = Discourse(turns=list(before), focus=list(focus))
    return manager.rewrite(query, discourse, User(page=Page(titles=list(titles))), PRODUCTS), model


def rewritten(text: str, query: str = QUERY, **scene: object) -> Rewrite:
    """What becomes of a standalone query that the model proposes."""
    return heard(reply(standalone_query=text), query=query, **scene)[0]  # type: ignore[arg-type]
