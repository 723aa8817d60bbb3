"""Facts: an attribute is said in a sentence with the product's name, never as the line it stands in."""

from collections.abc import Sequence

import pytest

from graph.answering.candidate import Candidate
from graph.answering.facts import find_facts_by_meaning, verdict_of, with_verdict
from graph.draft import Draft, YesNo
from graph.parts import Judgement, Pair
from graph.reader import shared_reader
from graph.retrieval.search import NearestStatements
from graph.turn import Derived
from tests.graph.answering.asking import cited_in, clause, draft_of, facts_said, question, said
from tests.graph.fakes import BagOfWords, WordReader
from tests.graph.shops import TARN_2, camping_shop, make_shop

SHOP = camping_shop()


def ask(text: str, product: str = "tarn-2") -> str:
    return said(draft_of(question(SHOP, text, product)))


def test_a_quantity_is_a_sentence_with_the_products_name() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2?", "tarn-2"))
    assert "Tarn 2 weighs 1.9 kg" in said(draft)
    assert "Weight:" not in said(draft)
    assert draft.outcome == "clear"
    assert draft.attributes == ["Weight"]


def test_only_the_line_that_says_it_is_cited() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2?", "tarn-2"))
    [span] = [span for block in draft.blocks for sentence in block.sentences for span in sentence.spans]
    assert SHOP.evidence([span.evidence_id])[0].text[span.start : span.end] == "Weight: 1.9 kg"


@pytest.mark.parametrize(
    ("text", "product", "opening", "part"),
    [
        ("Does the Tarn 2 have a repair kit?", "tarn-2", "No.", "does not have a repair kit"),
        ("Are the Moor Socks machine washable?", "moor-socks", "Yes.", "are machine washable"),
        ("Does the Tarn 2 weigh 1.9 kg?", "tarn-2", "Yes.", "1.9 kg"),
        ("Does the Tarn 2 weigh 2 kg?", "tarn-2", "No.", "1.9 kg"),
        ("Are the poles of the Tarn 2 aluminium?", "tarn-2", "Yes.", "luminium"),
    ],
)
def test_yes_or_no_comes_first_then_the_deciding_fact(text: str, product: str, opening: str, part: str) -> None:
    answer = ask(text, product)
    assert answer.startswith(opening)
    assert part in answer


def test_neither_yes_nor_no_is_said_where_the_fact_does_not_decide() -> None:
    answer = ask("Is the Tarn 2 waterproof?")
    assert "3,000 mm" in answer
    assert "Yes." not in answer
    assert "No." not in answer


def test_a_plural_product_takes_a_plural_verb() -> None:
    assert "Moor Socks weigh 60 g" in ask("How heavy are the Moor Socks?", "moor-socks")


def test_another_unit_stands_beside_the_sources_own_figure() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2 in pounds?", "tarn-2"))
    assert "1.9 kg" in said(draft)
    assert "about 4.2 lb" in said(draft)
    [sentence] = draft.blocks[0].sentences
    assert sentence.segments[0].spans[0].derived == Derived(op="convert", of=["spec:tarn-2"], value="4.2 lb")
    assert sentence.segments[1].spans == []


def test_the_price_is_a_fact_too() -> None:
    assert "costs $249" in ask("How much is the Tarn 2?")


def test_another_products_attribute_answers_nothing() -> None:
    draft = draft_of(question(SHOP, "What is the inner height of the Tarn 2?", "tarn-2"))
    assert "110" not in said(draft)
    assert "spec:tarn-3" not in cited_in(draft)


def test_a_sibling_among_the_evidence_is_not_read_for_the_product() -> None:
    evidence = [(item, 0.9) for item in SHOP.evidence(["spec:tarn-3", "spec:tarn-2"])]
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2?", "tarn-2", evidence=evidence))
    assert "1.9 kg" in said(draft)
    assert cited_in(draft) == ["spec:tarn-2"]


def test_what_the_attribute_does_not_cover_is_not_answered_by_it() -> None:
    draft = draft_of(question(SHOP, "How heavy is the stuff sack of the Tarn 2?", "tarn-2"))
    assert draft.outcome == "no_answer"
    assert "1.9" not in facts_said(draft)


def test_a_fact_that_the_datasheet_repeats_is_said_once() -> None:
    sheet = SHOP.evidence(["spec:tarn-2"])[0]
    repeated = type(sheet)("datasheet:d", "datasheet", "Weight: 1.9 kg", "Sheet", "d", product_id="tarn-2")
    shop = make_shop([TARN_2], documents=[repeated])
    answer = said(draft_of(question(shop, "What is the weight of the Tarn 2?", "tarn-2")))
    assert answer.count("1.9 kg") == 1


BARE = {
    "id": "crate",
    "name": "Fell Crate",
    "attributes": {"weight": "4", "width": "15.1", "height": "13", "depth": "23", "minimum order quantity": "5"},
    "price": {"amount": 9.99, "currency": "USD"},
}


def bare(text: str) -> Draft:
    return draft_of(question(make_shop([BARE]), text, "crate"))


@pytest.mark.parametrize(("text", "side"), [("How wide is it?", "width"), ("how tall is it", "height")])
def test_the_one_dimension_that_was_asked_for_is_told(text: str, side: str) -> None:
    assert bare(text).attributes == [side]


def test_all_dimensions_answer_how_big_it_is() -> None:
    assert set(bare("How big is it?").attributes) == {"width", "height", "depth"}


@pytest.mark.parametrize("text", ["Does it support 5G?", "What size should I order?", "What sizes does it come in?"])
def test_a_figure_or_a_framing_word_in_common_is_no_answer(text: str) -> None:
    assert bare(text).outcome == "no_answer"


def test_a_price_wanted_in_another_currency_is_told_as_the_shop_states_it() -> None:
    draft = bare("What is the price of the Fell Crate in euros?")
    assert "$9.99" in facts_said(draft)
    assert "euros" not in facts_said(draft)


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("Does the Tarn 2 weigh less than 2 kg?", "Yes."),
        ("Does the Tarn 2 weigh more than 2 kg?", "No."),
        ("Does the Tarn 2 cost less than $200?", "No."),
    ],
)
def test_a_claimed_bound_is_decided_by_the_stated_figure(text: str, opening: str) -> None:
    assert ask(text).startswith(opening)


def test_a_value_that_denies_is_no_yes() -> None:
    shop = make_shop([dict(TARN_2) | {"attributes": {"Removes": "Light stains, not waterproof paint"}}])
    assert "Yes." not in said(draft_of(question(shop, "Does the Tarn 2 remove waterproof paint?", "tarn-2")))


def test_how_to_do_a_thing_is_not_answered_by_a_measure() -> None:
    draft = draft_of(question(SHOP, "How do I light the Tarn 2?", "tarn-2", intents=["how_to", "product_spec"]))
    assert "1.9 kg" not in said(draft)


def test_beside_the_whole_name_its_words_ask_for_what_they_name() -> None:
    serum = {"id": "s", "name": "Retinol 3 Serum", "attributes": {"Volume": "30 ml", "Retinol": "0.3 %"}}
    draft = draft_of(question(make_shop([serum]), "How much retinol is in the Retinol 3 Serum?", "s"))
    assert draft.attributes == ["Retinol"]


KETTLE = {
    "id": "kettle",
    "name": "Rill 3",
    "attributes": {"Weight": "1.1 kg", "Sound level": "72 dB", "Battery": "500 Wh", "Foldable": "Yes"},
    "price": {"amount": 20, "currency": "USD"},
}


def of_kettle(text: str) -> Draft:
    return draft_of(question(make_shop([KETTLE]), text, "kettle"))


def test_whether_there_are_lights_is_not_how_light_it_is() -> None:
    assert "1.1 kg" not in facts_said(of_kettle("Does it have lights?"))


def test_how_much_there_is_does_not_say_what_can_be_done_with_it() -> None:
    assert not said(of_kettle("Can I take the battery out?")).startswith(("Yes", "No"))


@pytest.mark.parametrize("text", ["Is its weight any good?", "Is the sound level okay?", "Is the weight good enough?"])
def test_a_figure_is_not_judged_for_the_customer(text: str) -> None:
    assert not said(of_kettle(text)).startswith(("Yes", "No"))


def test_what_is_called_after_a_verb_says_whether_that_can_be_done() -> None:
    assert said(of_kettle("Can I fold it?")).startswith("Yes.")


def test_an_attribute_of_another_measure_answers_nothing() -> None:
    assert of_kettle("How long does the sound last?").outcome == "no_answer"
    assert of_kettle("How loud is it?").attributes == ["Sound level"]


CREAM = {
    "id": "cream",
    "name": "Elder Cream",
    "attributes": {"Nickel-free": "Yes", "Fragrance-free": "No", "Vegan": "Yes"},
}


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("Does the Elder Cream contain nickel?", "No."),
        ("Is the Elder Cream nickel-free?", "Yes."),
        ("Is the Elder Cream free of nickel?", "Yes."),
        ("Is the Elder Cream without fragrance?", "No."),
        ("Is there fragrance in the Elder Cream?", "Yes."),
        ("Does the Elder Cream contain perfume?", "Yes."),
        ("Is the Elder Cream vegan?", "Yes."),
    ],
)
def test_what_is_left_out_is_not_in_it(text: str, opening: str) -> None:
    draft = draft_of(question(make_shop([CREAM]), text, "cream"))
    assert draft.attributes
    assert said(draft).startswith(opening)


def meant(attribute: str, text: str) -> Candidate | None:
    """What an attribute of another name than the question's tells of a desk."""
    shop = make_shop([{"id": "desk", "name": "Elder Desk", "attributes": {attribute: "Yes, in 10 minutes"}}])
    asked = question(shop, text, "desk")
    read = NearestStatements(BagOfWords()).nearest([text], [item for item, _ in asked.evidence])
    [found] = find_facts_by_meaning(shop.products["desk"], [one for one in read if attribute in one.text])
    assert found.attributes == (attribute,)
    return with_verdict(asked.parsed.whole, found, shared_reader())


def test_an_attribute_of_another_name_is_told_with_its_value() -> None:
    told = meant("Self-assembly", "How long until the Elder Desk stands?")
    assert told is not None
    assert "10 minutes" in told.blocks[0].sentences[0].text


def test_an_attribute_of_another_name_that_decides_nothing_is_no_answer_to_whether_something_is_so() -> None:
    assert meant("Self-assembly", "Does the Elder Desk fold away?") is None


class ReadsSurely:
    """Reads a no wherever a question holds a word."""

    def __init__(self, word: str) -> None:
        self.word = word

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        return [
            Judgement(answers=0.9, yes=0.1, no=0.9 if self.word in question else 0.1, supported=0.0)
            for question, _ in pairs
        ]


@pytest.mark.parametrize(("word", "verdict"), [("covered", "No."), ("three years", None)])
def test_a_no_needs_the_question_itself_to_be_decided_whatever_is_said_beside_it(
    word: str, verdict: str | None
) -> None:
    (asked,) = question(make_shop([CREAM]), "The zip broke after three years. Am I still covered?").parsed.clauses
    assert asked.question == "Am I still covered?"
    assert verdict_of(asked, "Zips have a 5-year warranty.", ReadsSurely(word)) == verdict


def test_what_a_product_is_says_nothing_of_what_it_comes_with() -> None:
    stove = {"id": "solo", "name": "Cinder Solo", "category": ["Stoves"], "attributes": {"Weight": "85 g"}}

    def asked(text: str) -> Draft:
        return draft_of(question(make_shop([stove]), text, "solo"))

    assert said(asked("Is the Cinder Solo a stove?")).startswith("Yes.")
    assert asked("What category is the Cinder Solo in?").attributes == ["Category"]
    assert not asked("Does the Cinder Solo come with a stove?").attributes


@pytest.mark.parametrize(
    "text",
    [
        "Does the 45 litre rucksack have a rain cover, the Larkstride 45?",
        "Is there a rain cover in my Larkstride 45 pack?",
        "Does the expedition pack have a rain cover?",
        "Does the Larkstride 45 have a rain cover?",
    ],
)
def test_what_the_product_is_and_the_unit_of_its_figure_are_no_matter_of_the_question(text: str) -> None:
    attributes = {"Rain cover": "Included", "Volume": "45 l"}
    pack = {"id": "l", "name": "Larkstride 45", "category": ["Backpacks"], "attributes": attributes}
    pack |= {"aliases": ["expedition pack", "the big one"]}
    draft = draft_of(question(make_shop([pack]), text, "l", intents=["product_spec"]))
    assert facts_said(draft) == "The rain cover of the Larkstride 45 is included."


@pytest.mark.parametrize("text", ["How much is your camping lamp?", "how much is the campinglantern"])
def test_what_the_product_is_may_be_all_that_a_price_is_asked_for_by(text: str) -> None:
    lamp = {"id": "g", "name": "Glint 3", "category": ["Camping", "Camping lanterns"], "price": "$35"}
    offers = [{"id": "o", "source_type": "offer", "product_id": "g", "text": "Two Glint 3 lamps for camping cost $60."}]
    shop = make_shop([lamp], facts=offers)
    assert "The Glint 3 costs $35." in said(draft_of(question(shop, text, "g", intents=["offers_and_discounts"])))


def test_a_word_of_another_name_that_is_asked_for_is_asked_for() -> None:
    phone = {
        "id": "z",
        "name": "Zed 1",
        "category": ["Phones"],
        "attributes": {"Folding": "Yes, inward", "Weight": "1 kg"},
    }
    shop = make_shop([phone | {"aliases": ["folding phone"]}])
    asked = question(shop, "Is the Zed 1 a folding phone?", "z", intents=["product_spec"])
    assert facts_said(draft_of(asked)) == "The Zed 1 has folding (inward)."


def test_what_the_product_is_may_be_all_that_is_asked() -> None:
    assert "Tents" in facts_said(
        draft_of(question(camping_shop(), "Is the Tarn 2 a tent?", "tarn-2", intents=["product_spec"]))
    )


@pytest.mark.parametrize(
    ("text", "verdict"), [("Are kettles sent to Canada?", None), ("Are creams sent to Canada?", YesNo.NO)]
)
def test_two_denials_in_one_sentence_deny_nothing_together(text: str, verdict: YesNo | None) -> None:
    told = "Kettles are not sent to Europe, and creams are not sent to Canada."
    assert verdict_of(clause(text), told, WordReader()) is verdict


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Do you ship to Switzerland?", "We do not ship to Norway, Switzerland or Iceland."),
        ("Does it work with induction hobs?", "The Wren Stove does not work with induction hobs."),
        ("Can swimwear be returned?", "Swimwear and underwear cannot be returned."),
    ],
)
def test_one_denial_is_of_all_that_its_sentence_names(text: str, told: str) -> None:
    assert verdict_of(clause(text), told, WordReader()) is YesNo.NO
