"""From JSON to evidence: by expressions, under the rules of the `facts` file; what breaks them is dropped and told."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.backends.options import BackendOptions
from app.backends.request import MOST_FACTS, UnansweredError, facts_of
from ingestion.evidence import Evidence, Product

TENT = Product(id="tarn-2", name="Tarn 2")
STORES = [
    {"id": "pdx", "store": {"name": "Portland"}, "quantity": 3, "at": "2026-06-01T10:40:00Z"},
    {"id": 7, "store": {"name": "Salem"}, "quantity": 0, "at": "2026-05-31T23:30:00-07:00"},
]


def backend(**facts: Any) -> BackendOptions:  # noqa: ANN401 - any field of a mapping
    return BackendOptions.model_validate(
        {
            "name": "the stock service",
            "intents": ["stock_availability"],
            "source_type": "stock",
            "url": "https://stock.example/{product_id}",
            "facts": facts or {"text": "text"},
        }
    )


def read(answer: Any, product: Product | None = TENT, **facts: Any) -> tuple[list[Evidence], list[str]]:  # noqa: ANN401
    return facts_of(answer, backend(**facts), product)


def test_facts_are_read_by_expressions_and_templates() -> None:
    (first, second), dropped = read(
        {"data": {"stores": STORES}},
        items="data.stores",
        id="id",
        text_template="{quantity} in stock at {store.name}.",
        updated_at="at",
        valid_until="at",
        title="join(' ', ['Stock at', store.name])",
        url="join('', ['https://shop.example/stores/', to_string(id)])",
    )
    assert dropped == []
    assert first == Evidence(
        evidence_id="stock:live/stock-service/tarn-2/pdx",
        source_type="stock",
        text="3 in stock at Portland.",
        title="Stock at Portland",
        row_id="live/stock-service/tarn-2/pdx",
        product_id="tarn-2",
        url="https://shop.example/stores/pdx",
        updated_at="2026-06-01",
        valid_until="2026-06-01",
    )
    assert (second.evidence_id, second.text) == ("stock:live/stock-service/tarn-2/7", "0 in stock at Salem.")


def test_an_object_is_one_fact_and_facts_without_id_are_numbered() -> None:
    [fact], _ = read({"text": "3 in stock."})
    assert fact.evidence_id == "stock:live/stock-service/tarn-2/1"
    assert fact.title == "Tarn 2 stock"


def test_a_template_knows_the_product_it_was_asked_about_unless_the_fact_has_its_own() -> None:
    facts, _ = read([{"n": 3}, {"n": 4, "product_name": "Tarn Two"}], text_template="{n} of the {product_name} left.")
    assert [fact.text for fact in facts] == ["3 of the Tarn 2 left.", "4 of the Tarn Two left."]


def test_attributes_stand_below_the_text() -> None:
    [fact], _ = read(
        {"text": "In stock.", "qty": 3, "none": None}, text="text", attributes={"Left": "qty", "No": "none"}
    )
    assert fact.text == "In stock.\nLeft: 3"


def test_a_fact_of_a_whole_shop_backend_names_its_product_or_none() -> None:
    facts, _ = read([{"text": "a.", "sku": "tarn-3"}, {"text": "b."}], None, text="text", product_id="sku")
    assert [(fact.product_id, fact.evidence_id) for fact in facts] == [
        ("tarn-3", "stock:live/stock-service/tarn-3/1"),
        (None, "stock:live/stock-service/shop/2"),
    ]


def test_a_fact_says_nothing_about_another_product_than_was_asked() -> None:
    [fact], _ = read([{"text": "a.", "sku": "tarn-3"}], text="text", product_id="sku")
    assert fact.product_id == "tarn-2"


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ({"id": 1}, "text is missing"),
        ({"id": 1, "text": "a", "until": "soon"}, "'soon' is not an ISO date"),
        ({"id": 1, "text": "a", "from": "2026-02-01", "until": "2026-01-01"}, "lies before valid_from"),
        ({"id": 1, "text": "a", "for": "robots"}, "audience"),
        ({"text": "a"}, "it has no id at 'id'"),
        ({"id": 1, "text": "ab" * 1001}, "at most 2,000 are read"),
        ("a word", "it has no id"),
        (None, "it has no id"),
    ],
)
def test_a_fact_that_breaks_the_rules_is_dropped_and_told(fact: object, said: str) -> None:
    good = {"id": "ok", "text": "In stock."}
    facts, dropped = read(
        [fact, good], id="id", text="text", valid_from='"from"', valid_until="until", audience='"for"'
    )
    assert [fact.row_id for fact in facts] == ["live/stock-service/tarn-2/ok"]
    assert len(dropped) == 1
    assert dropped[0].startswith("fact 1: ")
    assert said in dropped[0]


def test_a_template_with_a_value_missing_makes_no_fact() -> None:
    facts, dropped = read([{"n": None}, {"n": 0}], text_template="{n} in stock.")
    assert [fact.text for fact in facts] == ["0 in stock."]
    assert dropped == ["fact 1: it has no value at 'n'"]


def test_an_expression_that_fits_no_value_drops_the_fact() -> None:
    facts, dropped = read([{"n": "three"}], text="join('', n)")
    assert facts == []
    assert "text is missing" in dropped[0]


def test_ids_are_given_once_and_marks_in_them_are_encoded() -> None:
    facts, dropped = read([{"id": "a:b#1", "text": "x."}] * 2, id="id", text="text")
    assert [fact.evidence_id for fact in facts] == ["stock:live/stock-service/tarn-2/a%3Ab%231"]
    assert dropped == ["fact 2: its id is that of an earlier one"]


def test_more_facts_than_anyone_reads_are_told() -> None:
    facts, dropped = read([{"text": f"{n} left."} for n in range(MOST_FACTS + 5)])
    assert len(facts) == MOST_FACTS
    assert dropped == ["5 facts after the first 100"]


def test_an_empty_list_is_an_answer() -> None:
    assert read([]) == ([], [])


@pytest.mark.parametrize("answer", [None, 3, "x", True])
def test_an_answer_without_facts_where_they_should_be_is_none(answer: object) -> None:
    with pytest.raises(UnansweredError, match="without facts at '@'"):
        read(answer)
    with pytest.raises(UnansweredError, match="without facts at 'stores'"):
        read({"shops": answer}, items="stores", text="text")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "text", "at", "x"]), inner),
    max_leaves=20,
)


@given(json_values)
@settings(max_examples=200)
def test_any_json_is_read_or_refused_in_words(answer: Any) -> None:  # noqa: ANN401 - any JSON value
    if not isinstance(answer, (dict, list)):
        with pytest.raises(UnansweredError, match="without facts"):
            read(answer)
        return
    facts, dropped = read(answer, id="id", text="text", updated_at="at", attributes={"X": "x"})
    assert len(facts) + len(dropped) == (len(answer) if isinstance(answer, list) else 1)
    assert len({fact.evidence_id for fact in facts}) == len(facts)
    assert all(fact.text.strip() for fact in facts)
