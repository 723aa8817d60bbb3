"""The chat page, driven without a browser over a scripted assistant."""

import sys
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from app.errors import InputError, UnknownSourceError
from app.storage.records import Feedback, Interrupted, ThreadSummary
from app.turns import AnswerPiece, Finished, TurnEvent
from graph.turn import Blurb, Clarification, Judgement, Turn, Usage, User
from ingestion.evidence import Evidence, Money, Product

TurnMaker = Callable[..., Turn]
KESTREL = Product(
    id="kestrel-2",
    name="Kestrel 2",
    brand="Northbound",
    category=("Camping", "Tents"),
    url="https://shop.example/p/kestrel-2",
    price=Money(249, "USD"),
    attributes={"Weight": "1.9 kg"},
)
HERON = Product(id="heron-2", name="Heron 2", category=("Camping", "Tents"), price=Money(189, "USD"))


@dataclass
class FakeVisit:
    """Answers with the turns it is given, in order, and keeps what it is told."""

    script: list[Turn | Exception] = field(default_factory=list)
    sources: dict[str, Evidence] = field(default_factory=dict)
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    asked: list[tuple[str, User | None]] = field(default_factory=list)
    said: dict[str, Feedback] = field(default_factory=dict)
    unanswered: dict[str, list[Interrupted]] = field(default_factory=dict)
    products: dict[str, Product] = field(default_factory=lambda: {"kestrel-2": KESTREL, "heron-2": HERON})
    regions: list[str] = field(default_factory=lambda: ["US", "EU"])
    experiences: list[str] = field(default_factory=list)
    wanted: list[list[str]] = field(default_factory=list)

    def stream(
        self,
        text: str,
        thread: str | None = None,
        style: str = "text",
        user: User | None = None,
        experiences: Collection[str] = (),
    ) -> Generator[TurnEvent]:
        assert style == "text"
        self.asked.append((text, user))
        self.wanted.append(list(experiences))
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        turn = answer.model_copy(update={"thread_id": thread, "turn_id": f"turn{len(self.asked)}", "query": text})
        for piece in turn.answer.partition(" "):
            yield AnswerPiece(piece)
        self.turns.setdefault(thread or "", []).append(turn)
        yield Finished(turn)

    def threads(self) -> list[ThreadSummary]:
        return [
            ThreadSummary(thread, turns[0].query, datetime(2026, 6, 1, tzinfo=UTC), len(turns))
            for thread, turns in self.turns.items()
        ]

    def history(self, thread: str) -> list[Turn]:
        return list(self.turns.get(thread, []))

    def interrupted(self, thread: str) -> list[Interrupted]:
        return self.unanswered.get(thread, [])

    def source(self, evidence_id: str, generation: str) -> Evidence:
        if evidence_id not in self.sources:
            raise UnknownSourceError(evidence_id, generation)
        return self.sources[evidence_id]

    def feedback(self, thread: str) -> dict[str, Feedback]:
        turn_ids = {turn.turn_id for turn in self.history(thread)}
        return {turn_id: said for turn_id, said in self.said.items() if turn_id in turn_ids}

    def record_feedback(self, turn_id: str, said: Feedback | None) -> None:
        if said is None:
            self.said.pop(turn_id, None)
        else:
            self.said[turn_id] = said


def _script() -> None:
    import streamlit as st  # noqa: PLC0415 - this function is the page's script

    from app.ui.page import show  # noqa: PLC0415

    show(st.session_state["visit"])


@pytest.fixture
def visit(spec: Evidence) -> FakeVisit:
    """An assistant that has answered nothing yet."""
    return FakeVisit(sources={spec.evidence_id: spec})


@pytest.fixture
def page(visit: FakeVisit, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page over the scripted assistant, not yet run."""
    # A run makes the script the main module and leaves it there: a process that a later test spawns would run it again.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    test = AppTest.from_function(_script, default_timeout=30)
    test.session_state["visit"] = visit
    return test


def _html(page: AppTest) -> str:
    assert not page.exception
    return "\n".join(element.proto.body for element in page.get("html"))


def _ask(page: AppTest, text: str) -> AppTest:
    return page.chat_input(key="question").set_value(text).run()


def test_an_empty_chat_offers_questions_that_can_be_pressed(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    page.run()
    assert "Ask the shop." in _html(page)
    page.button(key="example-0").click().run()
    assert [text for text, _ in visit.asked] == ["What is the weight of the Kestrel 2?"]
    assert "Ask the shop." not in _html(page)


def test_an_answer_shows_its_words_and_opens_its_source(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    html = _html(_ask(page.run(), "How heavy is it?"))
    assert '<div class="question">How heavy is it?</div>' in html
    assert "The Kestrel 2 weighs 1.9 kg" in html
    assert "<mark>Weight: 1.9 kg</mark>" in html


def test_a_conversation_survives_a_reload_by_its_address(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.turns = {"t9": [a_turn(thread_id="t9", query="Is it heavy?")]}
    page.query_params["thread"] = "t9"
    html = _html(page.run())
    assert '<div class="question">Is it heavy?</div>' in html
    assert html.count('<div class="turn">') == 1


def test_an_address_of_no_conversation_says_so_and_a_question_there_begins_another(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [a_turn()]
    page.query_params["thread"] = "somebody-elses"
    assert "not found" in page.run().info[0].value
    _ask(page, "How heavy is it?")
    assert not page.info
    assert list(visit.turns) == [page.query_params["thread"]] != ["somebody-elses"]
    assert len(page.query_params["thread"]) == 32


def test_a_new_conversation_gets_an_address(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(), a_turn()]
    _ask(page.run(), "one")
    address = page.query_params["thread"]
    _ask(page, "two")
    assert page.query_params["thread"] == address
    assert [len(turns) for turns in visit.turns.values()] == [2]
    assert _html(page).count('<div class="turn">') == 2


def test_the_sidebar_opens_old_conversations_and_a_new_one(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.turns = {"t1": [a_turn(query="first")], "t2": [a_turn(query="second", turn_id="turn2")]}
    page.run()
    page.button(key="thread-t2").click().run()
    assert '<div class="question">second</div>' in _html(page)
    page.button(key="new-chat").click().run()
    assert "thread" not in page.query_params
    assert "Ask the shop." in _html(page)


def test_pressing_an_option_sends_it(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    asks_back = a_turn(
        outcome="ambiguous",
        answer="Which one?",
        citations=[],
        clarification=Clarification(question="Which one?", options=["Kestrel 2", "Heron *2*"]),
    )
    visit.script = [asks_back, a_turn()]
    _ask(page.run(), "How heavy is the 2?")
    assert page.button(key="reply-turn1-1").label == r"Heron \*2\*"
    page.button(key="reply-turn1-1").click().run()
    assert [text for text, _ in visit.asked] == ["How heavy is the 2?", "Heron *2*"]


def test_only_the_last_turn_offers_replies(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(followups=["Is it waterproof?"]), a_turn(followups=["What do reviews say?"])]
    _ask(page.run(), "one")
    _ask(page, "two")
    keys = [button.key for button in page.button if (button.key or "").startswith("reply-")]
    assert keys == ["reply-turn2-0"]


def test_a_suggested_product_opens_as_the_product_page(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(suggestions=[{"product_id": "heron-2", "name": "Heron 2"}]), a_turn()]
    _ask(page.run(), "one")
    page.button(key="look-turn1-heron-2").click().run()
    assert page.selectbox(key="product").value == "heron-2"
    assert "$189" in _html(page)
    _ask(page, "How heavy is it?")
    user = visit.asked[-1][1]
    assert user is not None
    assert user.page.product_id == "heron-2"


def test_who_asks_is_handed_to_the_assistant(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    page.run()
    page.selectbox(key="product").set_value("kestrel-2")
    page.button_group(key="role").set_value("seller")
    page.selectbox(key="region").set_value("EU")
    page.text_input(key="membership").set_value(" gold ")
    _ask(page.run(), "Can I return it?")
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
    _ask(page.run(), "How heavy is the Kestrel 2?")
    assert visit.wanted == [["blurb", "judge"]]
    shown = _html(page)
    assert "A tent of 1.9 kg." in shown
    assert "3 calls, 2,000 prompt tokens, 75% of them cached, 90 written" in shown
    assert "grounded 4 of 5" in shown


def test_nothing_said_about_the_user_is_nothing_known(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn()]
    _ask(page.run(), "x")
    user = visit.asked[0][1]
    assert user is not None
    assert user.model_dump(exclude_defaults=True) == {}


def test_a_product_page_can_be_linked_to(page: AppTest) -> None:
    page.query_params["product"] = "kestrel-2"
    page.run()
    assert page.selectbox(key="product").value == "kestrel-2"
    assert "$249" in _html(page)


def test_an_unknown_product_in_the_address_is_ignored(page: AppTest) -> None:
    page.query_params["product"] = "nonsense"
    page.run()
    assert page.selectbox(key="product").value is None


def test_feedback_is_recorded_and_drawn_again(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(), a_turn()]
    _ask(page.run(), "x")
    page.feedback[0].set_value(1).run()
    assert visit.said == {"turn1": Feedback("up")}
    _ask(page, "y")
    assert visit.said == {"turn1": Feedback("up")}
    assert [feedback.value for feedback in page.feedback] == [1, None]


def test_a_thumb_down_can_be_explained_by_a_reason_and_in_ones_own_words(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [a_turn()]
    _ask(page.run(), "x")
    page.feedback[0].set_value(0).run()
    page.pills(key="reason-turn1").set_value("It is not right").run()
    page.text_input(key="comment-turn1").set_value("It has 3 poles.").run()
    assert visit.said == {"turn1": Feedback("down", "It is not right", "It has 3 poles.")}
    page.feedback[0].set_value(1).run()
    assert visit.said == {"turn1": Feedback("up")}


def test_a_refused_question_is_explained_and_the_chat_goes_on(
    page: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [InputError("The question is *empty*."), a_turn()]
    _ask(page.run(), " ")
    assert page.error[0].value == r"The question is \*empty\*\."
    _ask(page, "How heavy is it?")
    assert not page.error
    assert "1.9 kg" in _html(page)


def test_a_fault_shows_a_message_and_no_traceback(page: AppTest, visit: FakeVisit) -> None:
    visit.script = [RuntimeError("secret detail")]
    _ask(page.run(), "x")
    assert "Something went wrong" in page.error[0].value
    assert "secret detail" not in page.error[0].value


def test_markup_in_question_and_answer_is_shown_as_text(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.script = [a_turn(answer="<b>great</b> *stars* $5 | [1]")]
    html = _html(_ask(page.run(), "<script>alert(1)</script>"))
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
    assert "This was interrupted" in _html(page)
    assert "&lt;b&gt;Kestrel 2&lt;/b&gt;" in _html(page)
    page.button(key="again-lost").click().run()
    assert [text for text, _ in visit.asked] == [asked]
    assert _html(page).index("This was interrupted") < _html(page).index("weighs 1.9 kg")
    assert "again-lost" not in {button.key for button in page.button}
