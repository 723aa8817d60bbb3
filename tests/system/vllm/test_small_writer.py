"""`make run-llm` without a model and without a GPU: the small writer, served on the CPU, behind whole turns."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from app import demo
from app.cli.vllm import model_server
from app.llm import writer
from app.llm.options import LlmOptions
from app.settings import Settings
from evals.benches.observed_model import observed_assistant
from graph.reader import shared_reader
from graph.verification import SentenceVerifier, SupportModel
from ingestion.encoder import shared_encoder
from ingestion.ingest import ingest
from tests.system.vllm.checked_turns import TurnChecker

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[3]
LLM = "FOOTNOTE_LLM__"
QUESTIONS = (
    "How heavy is the Kestrel 2?",
    "Can I return it after three weeks?",
    "How long is the warranty on the Heron 2?",
    "How do I wash it?",
    "What do customers say about the Kestrel 2?",
)


@pytest.fixture(scope="module")
def variables() -> Iterator[Mapping[str, str]]:
    """What an application is told that uses the writer, as long as it is served."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        with model_server(writer.NAME, Settings.load()) as told:
            yield told


def test_on_the_cpu_it_is_asked_only_where_the_local_answer_is_not_sure(variables: Mapping[str, str]) -> None:
    assert variables["FOOTNOTE_LLM__WHEN"] == "unsure"


def test_it_writes_answers_that_are_shown_and_none_that_their_sources_do_not_say(
    variables: Mapping[str, str], tmp_path: Path
) -> None:
    ingest([demo.shop_path()], tmp_path / "demo")
    said = {name.removeprefix(LLM).lower(): value for name, value in variables.items() if name.startswith(LLM)}
    llm = LlmOptions.model_validate({**said, "when": "always"})
    verifier = SentenceVerifier(SupportModel(shared_reader(), shared_encoder()))
    with observed_assistant(str(tmp_path / "demo"), llm) as (assistant, model):
        checker = TurnChecker(assistant, verifier, model)
        turns = [checker.ask(question, "customer") for question in QUESTIONS]
    for one in turns:
        assert one.crash is None, one.question
        assert not one.broken, one.question
        assert not one.unsupported, one.question
    written = [exchange.text for one in turns for exchange in one.exchanges if exchange.failure is None]
    assert sum(text.startswith("outcome: ") for text in written) >= 3, [
        (one.text, one.failure) for turn in turns for one in turn.exchanges
    ]
    assert any(one.turn is not None and one.turn.answered_by == "llm" for one in turns), written
