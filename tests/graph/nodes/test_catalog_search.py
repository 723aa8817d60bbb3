"""The catalog node: products by name, after what the conversation already decided."""

from typing import Any

from langgraph.runtime import Runtime

from graph.discourse import Discourse
from graph.nodes.catalog_search import catalog_search
from graph.state import CatalogResult, TurnState
from graph.turn import Page, User
from tests.graph.fakes import FixedCatalog, make_context, match
from tests.graph.shops import camping_shop

SHOP = camping_shop()
TARN_2, TARN_3 = match(SHOP.products["tarn-2"]), match(SHOP.products["tarn-3"])


def run(
    result: CatalogResult, resolved: list[str] | None = None, page: dict[str, Any] | None = None
) -> tuple[CatalogResult, FixedCatalog]:
    catalog = FixedCatalog(result)
    state = TurnState(
        query="q",
        standalone_query="the tarn",
        resolved=resolved or [],
        searchable=True,
        discourse=Discourse(focus=["tarn-3"], mentioned=["moor-socks"]),
        user=User(page=Page.model_validate(page or {})),
    )
    update = catalog_search(state, Runtime(context=make_context(SHOP, catalog=catalog)))
    return update["catalog"], catalog


def test_the_question_is_read_beside_what_it_names() -> None:
    state = TurnState(
        query="q",
        standalone_query="How heavy is the Tarn 2?",
        resolved=[],
        searchable=True,
        discourse=Discourse(),
        user=User(),
    )
    context = make_context(SHOP, catalog=FixedCatalog(CatalogResult(matches=(TARN_2,))))
    parsed = catalog_search(state, Runtime(context=context))["parsed"]
    assert (parsed.names, [asked.specific for asked in parsed.clauses]) == (("Tarn 2",), [{"heavi"}])


def ids(found: CatalogResult) -> list[str]:
    return [one.id for one in found.matches]


def test_the_standalone_question_is_looked_up_with_session_and_page() -> None:
    _, catalog = run(CatalogResult(), page={"product_id": "tarn-2"})
    assert catalog.asked == [("the tarn", ["tarn-3", "moor-socks"], ["tarn-2"])]


def test_a_page_that_lists_products_is_context_too() -> None:
    _, catalog = run(CatalogResult(), page={"products": ["tarn-2", "tarn-3"]})
    assert catalog.asked[0][2] == ["tarn-2", "tarn-3"]


def test_everything_found_is_kept() -> None:
    result = CatalogResult(tied=(TARN_2, TARN_3), unknown=("Tarn 9",), category=("Camping", "Tents"))
    assert run(result)[0] == result


def test_what_the_rewrite_resolved_comes_first_and_is_no_tie() -> None:
    found, _ = run(CatalogResult(tied=(TARN_2, TARN_3)), resolved=["tarn-2"])
    assert ids(found) == ["tarn-2"]
    assert found.tied == ()
    assert found.matches[0].method == "session"


def test_what_comes_from_the_page_says_so() -> None:
    found, _ = run(CatalogResult(), resolved=["tarn-2"], page={"product_id": "tarn-2"})
    assert found.matches[0].method == "page"


def test_a_product_is_matched_once_and_an_unsold_one_never() -> None:
    found, _ = run(CatalogResult(matches=(TARN_2,)), resolved=["tarn-2", "gone"])
    assert ids(found) == ["tarn-2"]


def test_a_tie_that_nothing_decides_stays() -> None:
    found, _ = run(CatalogResult(tied=(TARN_2, TARN_3)))
    assert ids(found) == []
    assert len(found.tied) == 2


def test_what_a_superlative_picks_is_named_in_the_question_that_is_looked_up() -> None:
    state = TurnState(
        query="how heavy is your cheapest tent?",
        standalone_query="how heavy is your cheapest tent?",
        rewritten_by="none",
        resolved=[],
        searchable=True,
        discourse=Discourse(),
        user=User(),
    )
    catalog = FixedCatalog(CatalogResult(category=("Camping", "Tents")))
    update = catalog_search(state, Runtime(context=make_context(SHOP, catalog=catalog)))
    assert update["standalone_query"] == "how heavy is the Tarn 2?"
    assert update["rewritten_by"] == "rules"
    assert [text for text, *_ in catalog.asked] == ["how heavy is your cheapest tent?", "how heavy is the Tarn 2?"]
