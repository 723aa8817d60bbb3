"""The chat page, driven without a browser over a scripted assistant."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.errors import InputError, SettingsError, UnwritableRecordsError
from app.storage.records import Feedback, Interrupted
from app.ui.shared import SharedAssistant
from graph.turn import Blurb, Clarification, Judgement, Review, Turn, Usage
from ingestion.errors import KnowledgeError
from tests.app.scripted_page import FakeVisit, ask, html_of, page_of

TurnMaker = Callable[..., Turn]


def test_an_empty_chat_offers_questions_that_can_be_pressed(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    page.run()
    assert "Ask the shop." in html_of(page)
    page.button(key="example-0").click().run()
    assert [text for text, _ in visit.asked] == ["What is the weight of the Kestrel 2?"]
    assert "Ask the shop." not in html_of(page)


def test_an_answer_shows_its_words_and_opens_its_source(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    html = html_of(ask(page.run(), "How heavy is it?"))
    assert '<div class="question">How heavy is it?</div>' in html
    assert "The Kestrel 2 weighs 1.9 kg" in html
    assert "<mark>Weight: 1.9 kg</mark>" in html


def test_a_conversation_survives_a_reload_by_its_address(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.turns = {"t9": [a_turn(thread_id="t9", query="Is it heavy?")]}
    page.query_params["thread"] = "t9"
    html = html_of(page.run())
    assert '<div class="question">Is it heavy?</div>' in html
    assert html.count('<div class="turn">') == 1


def test_an_address_of_no_conversation_says_so_and_a_question_there_begins_another(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [a_turn()]
    page.query_params["thread"] = "somebody-elses"
    assert "not found" in page.run().info[0].value
    ask(page, "How heavy is it?")
    assert not page.info
    assert list(visit.turns) == [page.query_params["thread"]] != ["somebody-elses"]
    assert len(page.query_params["thread"]) == 32


def test_a_new_conversation_gets_an_address(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(), a_turn()]
    ask(page.run(), "one")
    address = page.query_params["thread"]
    ask(page, "two")
    assert page.query_params["thread"] == address
    assert [len(turns) for turns in visit.turns.values()] == [2]
    assert html_of(page).count('<div class="turn">') == 2


def test_the_sidebar_opens_old_conversations_and_a_new_one(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.turns = {"t1": [a_turn(query="first")], "t2": [a_turn(query="second", turn_id="turn2")]}
    page.run()
    page.button(key="thread-t2").click().run()
    assert '<div class="question">second</div>' in html_of(page)
    page.button(key="new-chat").click().run()
    assert "thread" not in page.query_params
    assert "Ask the shop." in html_of(page)


def test_pressing_an_option_sends_it(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    asks_back = a_turn(
        outcome="ambiguous",
        answer="Which one?",
        citations=[],
        clarification=Clarification(question="Which one?", options=["Kestrel 2", "Heron *2*"]),
    )
    visit.script = [asks_back, a_turn()]
    ask(page.run(), "How heavy is the 2?")
    assert page.button(key="reply-turn1-1").label == r"Heron \*2\*"
    page.button(key="reply-turn1-1").click().run()
    assert [text for text, _ in visit.asked] == ["How heavy is the 2?", "Heron *2*"]


def test_only_the_last_turn_offers_replies(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(followups=["Is it waterproof?"]), a_turn(followups=["What do reviews say?"])]
    ask(page.run(), "one")
    ask(page, "two")
    keys = [button.key for button in page.button if (button.key or "").startswith("reply-")]
    assert keys == ["reply-turn2-0"]


def test_a_suggested_product_opens_as_the_product_page(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(suggestions=[{"product_id": "heron-2", "name": "Heron 2"}]), a_turn()]
    ask(page.run(), "one")
    assert "$189" in html_of(page)
    page.button(key="look-turn1-heron-2").click().run()
    assert page.selectbox(key="product").value == "heron-2"
    page.button(key="ask-about").click().run()
    ask(page, "How heavy is it?")
    user = visit.asked[-1][1]
    assert user is not None
    assert user.page.product_id == "heron-2"


def test_products_that_were_just_shown_are_not_shown_again(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    heron = {"id": "heron-2", "name": "Heron 2", "method": "exact", "score": 1.0}
    visit.script = [a_turn(), a_turn(), a_turn(products=[heron])]
    for text in ("How heavy is the Kestrel 2?", "and how large?", "and the Heron 2?"):
        ask(page.run(), text)
    shown = [button.key for button in page.button if (button.key or "").startswith("look-")]
    assert shown == ["look-turn1-kestrel-2", "look-turn3-heron-2"]


def test_who_asks_is_handed_to_the_assistant(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    page.run()
    page.selectbox(key="product").set_value("kestrel-2")
    page.button_group(key="role").set_value("seller")
    page.selectbox(key="region").set_value("EU")
    page.text_input(key="membership").set_value(" gold ")
    ask(page.run(), "Can I return it?")
    user = visit.asked[0][1]
    assert user is not None
    assert (user.role, user.region, user.membership, user.page.product_id) == ("seller", "EU", "gold", "kestrel-2")


def test_without_a_model_nothing_is_offered_beside_an_answer(page: AppTest) -> None:
    page.run()
    assert not [group for group in page.get("button_group") if group.key == "experiences"]


def test_what_is_wanted_beside_an_answer_is_asked_for_and_shown(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.experiences = ["followups", "blurb", "judge"]
    visit.script = [
        a_turn(
            blurb=Blurb(text="A tent of 1.9 kg.", evidence_ids=["spec:kestrel-2"]),
            judgement=Judgement(judge="some model", relevancy=5, grounded=4, helped=True),
            usage=Usage(llm_calls=3, prompt_tokens=2000, cached_tokens=1500, completion_tokens=90),
        )
    ]
    page.run()
    page.button_group(key="experiences").set_value(["blurb", "judge"])
    ask(page.run(), "How heavy is the Kestrel 2?")
    assert visit.wanted == [["blurb", "judge"]]
    shown = html_of(page)
    assert "A tent of 1.9 kg." in shown
    assert "3 calls, 2,000 prompt tokens, 75% of them cached, 90 written" in shown
    assert "grounded 4 of 5" in shown


def test_nothing_said_about_the_user_is_nothing_known(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    ask(page.run(), "x")
    user = visit.asked[0][1]
    assert user is not None
    assert user.model_dump(exclude_defaults=True) == {}


def test_a_product_page_can_be_linked_to(page: AppTest) -> None:
    page.query_params["product"] = "kestrel-2"
    page.run()
    assert page.selectbox(key="product").value == "kestrel-2"
    assert "$249" in html_of(page)


def test_an_unknown_product_in_the_address_is_ignored(page: AppTest) -> None:
    page.query_params["product"] = "nonsense"
    page.run()
    assert page.selectbox(key="product").value is None


def test_feedback_is_recorded_and_drawn_again(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(), a_turn()]
    ask(page.run(), "x")
    page.feedback[0].set_value(1).run()
    assert visit.said == {"turn1": Feedback("up")}
    ask(page, "y")
    assert visit.said == {"turn1": Feedback("up")}
    assert [feedback.value for feedback in page.feedback] == [1, None]


def test_a_thumb_down_can_be_explained_by_a_reason_and_in_ones_own_words(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [a_turn()]
    ask(page.run(), "x")
    page.feedback[0].set_value(0).run()
    assert visit.said == {"turn1": Feedback("down")}
    page.pills(key="reason-turn1").set_value("It is not right")
    page.text_input(key="comment-turn1").set_value("It has 3 poles.")
    page.button(key="send-turn1").click().run()
    assert visit.said == {"turn1": Feedback("down", "It is not right", "It has 3 poles.")}
    assert "Thank you" in page.caption[0].value
    assert not page.pills
    page.feedback[0].set_value(1).run()
    assert visit.said == {"turn1": Feedback("up")}
    assert not page.caption


def test_a_thumb_that_was_explained_is_thanked_for_when_the_page_is_opened_again(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.turns, visit.said = {"t1": [a_turn()]}, {"turn1": Feedback("down", "It is not right")}
    page.query_params["thread"] = "t1"
    assert "Thank you" in page.run().caption[0].value


def test_nothing_that_was_withheld_is_drawn(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(review=Review(required=True, issues=["medical (high): withheld: It cures colds."]))]
    html = html_of(ask(page.run(), "Does it cure colds?"))
    assert "A person of the shop will look at this answer." in html
    assert "It cures" not in html


def test_a_refused_question_is_explained_and_the_chat_goes_on(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [InputError("The question is *empty*."), a_turn()]
    ask(page.run(), " ")
    assert page.error[0].value == r"The question is \*empty\*\."
    ask(page, "How heavy is it?")
    assert not page.error
    assert "1.9 kg" in html_of(page)


@pytest.mark.parametrize(
    "error",
    [
        UnwritableRecordsError(Path("/srv/records.sqlite"), "disk full"),
        SettingsError("Set FOOTNOTE_INDEX."),
        KnowledgeError("/srv/index is damaged"),
    ],
)
def test_what_only_the_shop_can_mend_is_logged_and_not_told(
    error: Exception, page: AppTest, visit: FakeVisit, caplog: pytest.LogCaptureFixture
) -> None:
    visit.script = [error]
    told = ask(page.run(), "x").error[0].value
    assert "Something went wrong" in told
    assert "/srv" not in told
    assert "FOOTNOTE" not in told
    assert str(error) in caplog.text


def _served() -> None:
    from app.ui.page import main  # noqa: PLC0415 - this function is the page's script

    main()


def test_a_customer_is_not_told_why_the_shop_cannot_be_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("app.ui.page.shared_assistant", SharedAssistant())
    monkeypatch.setenv("FOOTNOTE_INDEX", str(tmp_path / "nowhere"))
    assert [told.value for told in page_of(_served, monkeypatch).run().error] == [
        "The shop cannot be opened now. Please try again later."
    ]
    assert "nowhere" in caplog.text


def test_a_fault_shows_a_message_and_no_traceback(page: AppTest, visit: FakeVisit) -> None:
    visit.script = [RuntimeError("secret detail")]
    ask(page.run(), "x")
    assert "Something went wrong" in page.error[0].value
    assert "secret detail" not in page.error[0].value


def test_markup_in_question_and_answer_is_shown_as_text(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(answer="<b>great</b> *stars* $5 | [1]")]
    html = html_of(ask(page.run(), "<script>alert(1)</script>"))
    assert "<script>" not in html
    assert "&lt;b&gt;great&lt;/b&gt; *stars* $5 |" in html


def test_a_question_that_was_interrupted_is_shown_in_its_place_and_can_be_asked_again(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    asked = "How heavy is the <b>Kestrel 2</b>?"
    visit.script = [a_turn(), a_turn()]
    visit.unanswered = {"t1": [Interrupted("lost", asked, None)]}
    page.query_params["thread"] = "t1"
    page.run()
    assert "This was interrupted" in html_of(page)
    assert "&lt;b&gt;Kestrel 2&lt;/b&gt;" in html_of(page)
    page.button(key="again-lost").click().run()
    assert [text for text, _ in visit.asked] == [asked]
    assert html_of(page).index("This was interrupted") < html_of(page).index("weighs 1.9 kg")
    assert "again-lost" not in {button.key for button in page.button}


def test_a_question_that_is_being_answered_is_shown_until_the_answer_is_there(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.going_on = {"t1": [Interrupted("turn1", "How <heavy> is it?", None)]}
    page.query_params["thread"] = "t1"
    html = html_of(page.run())
    assert "How &lt;heavy&gt; is it?" in html
    assert "Reading the question" in html
    assert not page.info
    visit.going_on, visit.turns = {}, {"t1": [a_turn(query="How <heavy> is it?")]}
    html = html_of(page.run())
    assert html.count('<div class="question">How &lt;heavy&gt; is it?</div>') == 1
    assert html.count('<div class="turn">') == 1
    assert "Reading the question" not in html


def test_a_question_has_its_address_before_it_is_answered_and_loses_it_when_it_is_refused(
    page: AppTest, visit: FakeVisit
) -> None:
    visit.script = [InputError("The question is empty.")]
    ask(page.run(), " ")
    assert "thread" not in page.query_params


def test_answers_to_listen_to_are_asked_for_as_such(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(), a_turn(style="voice")]
    ask(page.run(), "one")
    page.toggle(key="aloud").set_value(True)
    ask(page, "two")
    assert visit.styles == ["text", "voice"]
