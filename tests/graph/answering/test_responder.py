"""The local responder: every part of a question is answered by the best of what the evidence offers."""

from dataclasses import replace

from graph.parts import Question
from graph.verification import SentenceVerifier
from tests.graph.answering.asking import cited_in, draft_of, facts_said, question, said, scored
from tests.graph.fakes import SharedWords, local_responder
from tests.graph.shops import CANCEL, TARN_2, camping_shop, make_shop, reviews_of

SHOP = camping_shop()


def test_both_parts_of_a_question_are_answered_each_with_its_source() -> None:
    asked = question(
        SHOP, "How heavy is the Tarn 2 and can I return it?", "tarn-2", intents=["product_spec", "return_policy"]
    )
    draft = draft_of(asked)
    assert draft.outcome == "clear"
    assert cited_in(draft)[:2] == ["spec:tarn-2", "return_policy:tents"]
    assert facts_said(draft).index("1.9 kg") < facts_said(draft).index("returned")


def test_two_things_asked_in_one_breath_are_both_answered() -> None:
    asked = question(SHOP, "Waterproof and returnable?", "tarn-2", intents=["product_spec", "return_policy"])
    assert {"spec:tarn-2", "return_policy:tents"} <= set(cited_in(draft_of(asked)))


def test_a_part_asked_twice_is_answered_once() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2? How much does the Tarn 2 weigh?", "tarn-2"))
    assert said(draft).count("1.9 kg") == 1


def test_a_wish_for_a_person_is_no_part_of_the_question() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2? I want to talk to a human.", "tarn-2"))
    assert draft.outcome == "clear"
    assert draft.missing == []


def test_an_open_question_gets_an_overview_with_the_price() -> None:
    draft = draft_of(question(SHOP, "Tell me about the Tarn 2", "tarn-2"))
    assert "one person can carry" in facts_said(draft)
    assert "$249" in facts_said(draft)
    assert "glows" not in facts_said(draft)


def test_the_intent_chooses_between_kinds_of_evidence() -> None:
    text = "What about the warranty of the Tarn 2?"
    assert cited_in(draft_of(question(SHOP, text, "tarn-2", intents=["warranty"]))) == ["warranty:tarn"]


def test_a_fragment_of_a_policy_is_said_in_a_sentence() -> None:
    draft = draft_of(question(SHOP, "What warranty does the Tarn 2 have?", "tarn-2", intents=["warranty"]))
    assert "Tarn 2 has a 5" in facts_said(draft)
    assert "Tarn 2:" not in facts_said(draft)


def test_nothing_in_means_nothing_out() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2?", "tarn-2", evidence=[]))
    assert draft.outcome == "no_answer"
    assert facts_said(draft) == ""


def test_a_question_without_words_is_survived() -> None:
    for text in ("?", "🙂🙂", "...", "and or but"):
        assert draft_of(question(SHOP, text, "tarn-2", evidence=[])).outcome in ("no_answer", "ambiguous")


def test_quoted_evidence_with_markup_in_it_yields_no_markers() -> None:
    odd = dict(TARN_2) | {"features": ["Pegs [2]"], "description": "Light [7].", "related": []}
    shop = make_shop([odd], reviews=reviews_of("tarn-2", "Pegs are [3] bad | <script>", ratings=(1,)))
    for text in ("What about the pegs of the Tarn 2?", "Tell me about the Tarn 2"):
        for intent in ("product_spec", "opinion"):
            assert "[" not in said(draft_of(question(shop, text, "tarn-2", intents=[intent])))


def _accepted(asked: Question) -> bool:
    draft = local_responder().draft(asked)
    evidence = {item.evidence_id: item for item, _ in asked.evidence}
    products = {product.id: product for product in (*asked.products, *asked.related)}
    return all(
        SentenceVerifier(SharedWords()).verify(sentence, evidence, products.get(sentence.product_id or "")).accepted
        for block in draft.blocks
        for sentence in block.sentences
    )


def test_what_the_responder_drafts_the_verifier_accepts() -> None:
    for text, intent in (
        ("How heavy is the Tarn 2 in pounds?", "product_spec"),
        ("Does the Tarn 2 have a repair kit?", "product_spec"),
        ("Does the Tarn 2 have a footprint?", "product_spec"),
        ("Is the Tarn 2 fire retardant?", "product_spec"),
        ("Pros and cons of the Tarn 2?", "opinion"),
        ("Which colours does the Tarn 2 come in?", "variant"),
        ("Is the Tarn 2 in sand in stock?", "stock_availability"),
        ("Is there a discount on the Tarn 2?", "offers_and_discounts"),
        ("What warranty does the Tarn 2 have?", "warranty"),
        ("Can I return the Tarn 2?", "return_policy"),
    ):
        assert _accepted(question(SHOP, text, "tarn-2", intents=[intent])), text
    assert _accepted(question(SHOP, "Tarn 2 or Tarn 3?", "tarn-2", "tarn-3"))
    assert _accepted(question(make_shop([], documents=CANCEL), "How do I cancel an order?", intents=["how_to"]))


def test_a_policy_asked_on_a_products_page_is_told_of_that_product() -> None:
    facts = [{"id": "r", "source_type": "return_policy", "product_id": "tarn-2", "text": "Tarn 2: 90 days return."}]
    shop = make_shop([TARN_2], facts=facts)
    intents = ("return_policy", "product_spec")
    asked = question(
        shop,
        "What is the return policy and the weight?",
        intents=intents,
        evidence=scored(shop, "return policy weight", "tarn-2", intents=intents),
    )
    draft = draft_of(replace(asked, context=(shop.products["tarn-2"],)))
    assert "The Tarn 2 has a 90 days return" in facts_said(draft)
    assert "1.9 kg" in facts_said(draft)
