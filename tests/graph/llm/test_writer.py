"""The cited writer: asked once, repaired once, shown sentence by sentence, and never trusted."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from graph.draft import Block
from graph.llm.model import LanguageModelError
from graph.llm.writer import NOT_BORNE_OUT, CitedWriter
from graph.options import GraphOptions
from graph.parts import Question, Written
from graph.reader import shared_reader
from graph.turn import Usage
from graph.verification import SentenceVerifier, SupportModel
from ingestion.encoder import shared_encoder
from tests.graph.fakes import ScriptedModel
from tests.graph.llm.questions import asked

WEIGHT = "The Heron 2 weighs 1.9 kg [spec:heron-2]."
ROOM = "It holds 2 people [spec:heron-2]."
FALSE = "The Heron 2 weighs 7 kg [spec:egret-3]."


def write(
    model: ScriptedModel, question: Question | None = None, experiences: Sequence[str] = ()
) -> tuple[Written, list[str]]:
    verifier = SentenceVerifier(SupportModel(shared_reader(), shared_encoder()), paraphrases=True)
    writer = CitedWriter(model, verifier, shared_reader(), GraphOptions().sensitive, max_tokens=300)
    question, shown = question or asked(), list[str]()

    def show(blocks: Sequence[Block]) -> None:
        shown.append(" ".join(one.text for block in blocks for one in block.sentences))

    return writer.write(question, question, experiences, show), shown


def test_an_answer_that_is_borne_out_costs_one_request() -> None:
    model = ScriptedModel(f"outcome: clear\n{WEIGHT} {ROOM}")
    written, shown = write(model)
    assert written.draft is not None
    assert written.draft.answered_by == "llm"
    assert written.usage.llm_calls == len(model.requests) == 1
    assert shown[-1] == "The Heron 2 weighs 1.9 kg. It holds 2 people."
    assert written.failure is None


def test_each_sentence_is_shown_once_it_is_verified_and_none_is_taken_back() -> None:
    _, shown = write(ScriptedModel(f"outcome: clear\n{WEIGHT} {FALSE} {ROOM}"))
    assert shown[0] == "The Heron 2 weighs 1.9 kg."
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    assert "7 kg" not in shown[-1]


def test_an_answer_with_too_little_left_is_repaired_once() -> None:
    model = ScriptedModel(f"outcome: clear\n{FALSE}", f"outcome: clear\n{WEIGHT}")
    written, shown = write(model)
    assert len(model.requests) == 2
    assert "7 kg" in model.requests[1].prompt.suffix
    assert model.requests[0].prompt.prefix == model.requests[1].prompt.prefix
    assert shown[-1] == "The Heron 2 weighs 1.9 kg."
    assert written.usage.llm_calls == 2


def test_an_answer_that_stays_unsupported_is_none() -> None:
    model = ScriptedModel(f"outcome: clear\n{FALSE}")
    written, shown = write(model)
    assert written.draft is None
    assert written.failure == NOT_BORNE_OUT
    assert shown == []
    assert len(model.requests) == 2
    assert {one.text for one in written.dropped} == {"The Heron 2 weighs 7 kg."}


@pytest.mark.parametrize("outcome", ["no_answer", "ambiguous"])
def test_an_abstention_is_no_fault(outcome: str) -> None:
    written, _ = write(ScriptedModel(f"outcome: {outcome}"))
    assert written.draft is None
    assert written.failure is None


def test_a_model_that_fails_says_why_and_what_it_cost() -> None:
    written, _ = write(ScriptedModel(LanguageModelError("no answer within 8 s", Usage(llm_calls=1))))
    assert written.draft is None
    assert written.failure == "no answer within 8 s"
    assert written.usage.llm_calls == 1


def test_a_part_that_the_model_found_nothing_for_is_named() -> None:
    question = asked("How heavy is the Heron 2 and which colours does it come in?")
    written, _ = write(ScriptedModel(f"outcome: clear\n{WEIGHT}\nmissing: which colours"), question)
    assert written.draft is not None
    assert written.draft.missing == ["which colours"]
    assert "colour" in written.draft.blocks[-1].sentences[-1].text


def test_a_part_whose_sentence_is_not_borne_out_is_named() -> None:
    question = asked("How heavy is the Heron 2 and which colours does it come in?")
    written, _ = write(ScriptedModel(f"outcome: clear\n{WEIGHT} It comes in teal and plum [spec:heron-2]."), question)
    assert written.draft is not None
    assert len(written.draft.missing) == 1
    assert "colours" in written.draft.missing[0]


def test_a_missing_part_that_nobody_asked_for_is_not_named() -> None:
    written, _ = write(ScriptedModel(f"outcome: clear\n{WEIGHT}\nmissing: the president of France"))
    assert written.draft is not None
    assert written.draft.missing == []


def test_an_answer_to_a_sensitive_question_is_not_shown_before_the_whole_is_judged() -> None:
    question = asked("Is the Heron 2 certified to EN 5912?")
    _, shown = write(ScriptedModel(f"outcome: clear\n{WEIGHT}"), question)
    assert shown == []


def test_a_sensitive_claim_without_a_primary_source_is_withheld() -> None:
    written, shown = write(ScriptedModel("outcome: clear\nThe Heron 2 is fireproof and safe for children [review:r1]."))
    assert written.draft is None
    assert shown == []


def test_other_experiences_are_asked_for_on_the_same_prefix() -> None:
    model = ScriptedModel(
        f"outcome: clear\n{WEIGHT}",
        "What is the packed size of the Heron 2?\nIs the Heron 2 made of unobtainium?",
        "The Heron 2 weighs 1.9 kg. It flies to the moon.",
        '{"relevancy": 5, "grounded": 4, "helped": true}',
    )
    written, _ = write(model, experiences=("followups", "blurb", "judge"))
    assert written.beside.followups == ["What is the packed size of the Heron 2?"]
    assert written.beside.blurb is not None
    assert written.beside.blurb.text == "The Heron 2 weighs 1.9 kg."
    assert written.beside.judgement is not None
    assert (written.beside.judgement.relevancy, written.beside.judgement.judge) == (5, "scripted")
    assert len({request.prompt.prefix for request in model.requests}) == 1
    assert written.usage.llm_calls == 4


def test_what_was_not_asked_for_beside_the_answer_costs_nothing() -> None:
    model = ScriptedModel(f"outcome: clear\n{WEIGHT}")
    write(model)
    assert len(model.requests) == 1
