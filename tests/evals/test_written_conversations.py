"""What the rewriter that ships makes of a conversation that is only written down."""

from evals.rows import Message
from evals.written_conversations import rewritten


def said(*turns: tuple[str, str]) -> list[Message]:
    return [Message(role=role, content=content) for role, content in turns]


def test_earlier_questions_are_rewritten_before_the_last_one_leans_on_them() -> None:
    history = said(("user", "What is throat cancer?"), ("user", "How common is it?"))
    assert rewritten(history, "Is it treatable?").standalone_query == "Is throat cancer treatable?"


def test_who_answers_may_be_called_anything() -> None:
    history = said(("user", "What is throat cancer?"), ("bot", "A disease."), ("agent", "Ask a doctor."))
    assert rewritten(history, "Is it treatable?").standalone_query == "Is throat cancer treatable?"


def test_a_conversation_may_begin_with_an_answer() -> None:
    assert rewritten(said(("assistant", "Welcome!")), "Do you sell lamps?").standalone_query == "Do you sell lamps?"


def test_the_first_title_is_the_product_of_the_open_page() -> None:
    history = said(("user", "What does it cost?"), ("assistant", "$20"))
    assert rewritten(history, "Is it heavy?", ["Lamp Z40", "Prices"]).standalone_query == "Is Lamp Z40 heavy?"


def test_flags_are_read_with_the_rewrite() -> None:
    found = rewritten([], "I want to speak to a human.")
    assert (found.searchable, found.live_agent) == (False, True)


def test_on_a_page_about_no_product_what_is_asked_is_about_its_title() -> None:
    assert rewritten([], "How common is it?", ["Throat cancer"]).standalone_query == "How common is Throat cancer?"
