"""Whatever the scene, a rewrite keeps the words that carry the question."""

from hypothesis import given
from hypothesis import strategies as st

from graph.catalog import LocalCatalog
from graph.discourse import Discourse, PastTurn
from graph.rewriting import RuleRewriter
from graph.rewriting.message import content_words
from graph.turn import Page, User
from ingestion.evidence import Product
from tests.graph.fakes import always_asks

PRODUCTS = {
    "x2": Product(id="x2", name="Aurora X2", category=("Phones",), attributes={"Battery": "4,500 mAh"}),
    "x3": Product(id="x3", name="Aurora X3", category=("Phones",), attributes={"Battery": "4,800 mAh"}),
}
REWRITER = RuleRewriter(LocalCatalog(PRODUCTS), flags=always_asks)
DISCOURSE = Discourse(
    turns=[
        PastTurn(
            query="battery?",
            standalone_query="What is the battery of Aurora X2?",
            answer="",
            products=["x2"],
            outcome="clear",
        )
    ],
    focus=["x2"],
    listed=["x3", "x2"],
    mentioned=["x2"],
)
REFERRING = {"phone", "product", "item", "device", "first", "last", "aurora", "x2", "x3"}
WORDS = (
    "is it the display waterproof how heavy and what about battery this phone in red can I return them its price of "
    "charger second first one X3 Aurora do they come with a cable ? , ! show me cases for that which cheaper"
).split()


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join), st.sampled_from([None, "x2", "x3"]))
def test_no_content_word_is_lost(query: str, page: str | None) -> None:
    result = REWRITER.rewrite(query, DISCOURSE, User(page=Page(product_id=page)), PRODUCTS)
    kept = content_words(result.standalone_query)
    said = content_words(query) - REFERRING - {"second", "cheaper"}
    assert said <= kept


@given(st.text(max_size=200))
def test_any_text_is_read_without_failing(text: str) -> None:
    result = REWRITER.rewrite(text, DISCOURSE, User(), PRODUCTS)
    assert result.rewritten_by in {"none", "rules"}
