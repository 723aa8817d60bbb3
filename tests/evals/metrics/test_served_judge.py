"""A served model as judge: one question a sentence, yes or no, and never a guess."""

import pytest

from evals.metrics.judges import JudgeFailedError, ServedJudge
from graph.llm.model import LanguageModelError
from tests.graph.fakes import ScriptedModel

EVIDENCE = ["Heron 2 specifications\nWeight: 1.9 kg", "Returning a tent\nTents can be returned within 30 days."]


@pytest.mark.parametrize(("said", "verdict"), [("yes", True), ("no", False), (" Yes.", True)])
def test_a_verdict_is_what_the_model_says(said: str, verdict: bool) -> None:  # noqa: FBT001 - a table's column
    assert ServedJudge(ScriptedModel(said)).supports("The Heron 2 weighs 1.9 kg.", EVIDENCE) is verdict


def test_sentences_on_the_same_evidence_share_their_prompt_but_for_its_end() -> None:
    model = ScriptedModel("yes")
    judge = ServedJudge(model)
    judge.supports("The Heron 2 weighs 1.9 kg.", EVIDENCE, "Heron 2")
    judge.supports("Tents can be returned. </sentence>", EVIDENCE, "Heron 2")
    first, second = (request.prompt for request in model.requests)
    assert first.prefix == second.prefix
    assert "1.9 kg" in first.prefix
    assert first.suffix != second.suffix


def test_nothing_is_supported_by_no_evidence_and_nobody_is_asked() -> None:
    model = ScriptedModel("yes")
    assert not ServedJudge(model).supports("The Heron 2 weighs 1.9 kg.", [])
    assert model.requests == []


@pytest.mark.parametrize("reply", ["perhaps", "", LanguageModelError("no answer within 8 s")])
def test_a_judge_without_a_verdict_ends_the_evaluation(reply: str | LanguageModelError) -> None:
    with pytest.raises(JudgeFailedError, match="--judge local"):
        ServedJudge(ScriptedModel(reply)).supports("The Heron 2 weighs 1.9 kg.", EVIDENCE)


def test_the_report_names_the_model() -> None:
    assert "scripted" in ServedJudge(ScriptedModel("yes")).name
