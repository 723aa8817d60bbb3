"""The retrieval nodes: what one branch fetches, and what is left when all are joined."""

from datetime import UTC, datetime

from langgraph.runtime import Runtime

from graph.discourse import Discourse
from graph.nodes.reduce import reduce
from graph.nodes.retrieve import retrieve
from graph.options import GraphOptions
from graph.state import CatalogResult, Hit, RetrieveTask, TurnState
from graph.turn import User
from tests.graph.fakes import NOON, StoppedClock, make_context
from tests.graph.shops import PRODUCTS, REGIONS, Shop, camping_shop, document, make_shop


def hits(  # noqa: PLR0913 - a retrieval has as many sides
    text: str,
    intent: str,
    product_id: str | None = None,
    *,
    user: User | None = None,
    shop: Shop | None = None,
    now: datetime = NOON,
    options: GraphOptions | None = None,
    concerned: list[str] | None = None,
) -> list[Hit]:
    products = [product_id] if product_id else []
    concerned = concerned or products
    task = RetrieveTask(
        query=text,
        standalone_query=text,
        intent=intent,
        product_id=product_id,
        products=products,
        concerned=concerned,
        user=user or User(),
        recalled=[],
    )
    parts = make_context(shop or camping_shop(), clock=StoppedClock(now), options=options)
    found: list[Hit] = retrieve(task, Runtime(context=parts))["hits"]
    return found


def ids(found: list[Hit]) -> set[str]:
    return {hit.evidence_id for hit in found}


def test_an_intent_reads_its_own_kinds_of_evidence() -> None:
    assert ids(hits("Can I return it?", "return_policy", "tarn-2")) == {"return_policy:tents", "qa:q1"}
    assert ids(hits("Can I pay by card?", "payment_options")) >= {"payment:cards"}
    assert not any("spec" in key for key in ids(hits("Can I pay by card?", "payment_options")))


def test_a_hit_says_what_it_was_found_for() -> None:
    [hit] = hits(
        "What warranty is there?",
        "warranty",
        "tarn-2",
        options=GraphOptions(sources_by_intent={"warranty": frozenset({"warranty"})}),
    )
    assert (hit.evidence_id, hit.intent, hit.product_id) == ("warranty:tarn", "warranty", "tarn-2")
    assert 0 <= hit.score <= 1


def test_an_expired_offer_is_never_evidence() -> None:
    text = "Is there a discount on the Tarn 2?"
    assert "offer:spring" not in ids(hits(text, "offers_and_discounts", "tarn-2"))
    march = datetime(2026, 3, 15, tzinfo=UTC)
    assert "offer:spring" in ids(hits(text, "offers_and_discounts", "tarn-2", now=march))


def test_a_rule_of_another_region_is_never_evidence() -> None:
    for text, only in (
        ("How long is delivery?", "delivery:us"),
        ("Do orders to Germany take long?", "delivery:eu"),
    ):
        found = ids(hits(text, "delivery_sla", user=User(region="94107")))
        assert {key for key in found if key.startswith("delivery:")} == {only}


def test_an_article_for_the_other_audience_is_never_evidence() -> None:
    found = ids(hits("How do I cancel an order?", "how_to", user=User(role="seller")))
    assert "help_article:cancel-order-seller" in found
    assert "help_article:cancel-order" not in found


def test_another_products_manual_is_no_evidence() -> None:
    manual = document("tarn-3-manual", "Pitch the fly first.", product_id="tarn-3")
    shop = make_shop(PRODUCTS, documents=[manual])
    task = RetrieveTask(
        query="How do I pitch it?",
        standalone_query="How do I pitch the Tarn 2?",
        intent="how_to",
        product_id=None,
        products=["tarn-2"],
        concerned=["tarn-2"],
        user=User(),
        recalled=[],
    )
    assert retrieve(task, Runtime(context=make_context(shop)))["hits"] == []
    assert ids(hits("How do I pitch the fly?", "how_to", shop=shop)) == {manual.evidence_id}
    of_kind = hits("How do I pitch a tent?", "how_to", shop=shop, concerned=["tarn-2", "tarn-3"])
    assert ids(of_kind) == {manual.evidence_id}
    assert hits("How do I pitch a sock?", "how_to", shop=shop, concerned=["moor-socks"]) == []


def test_no_more_is_fetched_than_the_options_say() -> None:
    found = hits("Tell me of the Tarn 2", "product_spec", "tarn-2", options=GraphOptions(fetch_limit=2))
    assert len(found) == 2


def found_for(text: str, found: list[Hit], user: User | None = None) -> TurnState:
    return TurnState(
        query=text,
        standalone_query=text,
        hits=found,
        user=user or User(),
        catalog=CatalogResult(),
        discourse=Discourse(),
    )


def test_joined_hits_are_cut_to_the_budget_best_first() -> None:
    shop = camping_shop()
    found = [
        Hit(evidence_id=key, score=score, intent="product_spec", product_id="tarn-2")
        for key, score in (("feature:tarn-2", 0.2), ("spec:tarn-2", 0.9), ("feature:tarn-2", 0.4))
    ]
    update = reduce(found_for("How heavy is it?", found), Runtime(context=make_context(shop)))
    assert [(item.evidence_id, item.score) for item in update["retrieved"] if item.score] == [
        ("spec:tarn-2", 0.9),
        ("feature:tarn-2", 0.4),
    ]


def test_only_the_narrowest_rule_for_a_place_is_left() -> None:
    facts = [
        {"id": "us", "source_type": "delivery", "region": "US", "text": "5 days."},
        {"id": "zip", "source_type": "delivery", "region": "94107", "text": "1 day."},
    ]
    shop = make_shop([], facts=facts, regions=REGIONS)
    found = [
        Hit(evidence_id=f"delivery:{key}", score=0.5, intent="delivery_sla", product_id=None) for key in ("us", "zip")
    ]
    state = found_for("How long is delivery?", found, User(region="94107"))
    update = reduce(state, Runtime(context=make_context(shop)))
    assert [item.evidence_id for item in update["retrieved"]] == ["delivery:zip"]


def test_a_rule_for_the_whole_shop_is_read_beside_articles_that_come_closer() -> None:
    articles = [document(f"a{number}", f"The return policy, page {number}.") for number in range(60)]
    general = {"id": "general", "source_type": "return_policy", "text": "Most items come back within 30 days."}
    shop = make_shop(PRODUCTS, facts=[general | {"title": "Returns"}], documents=articles)
    assert "return_policy:general" in ids(hits("What is your return policy?", "return_policy", shop=shop))
