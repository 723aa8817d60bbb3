"""The server command that is recommended, and how long its context is."""

from pathlib import Path

import pytest

from app.cli.vllm import REST_TOKENS, STATIC_TOKENS, needed_context, recommended_context
from app.errors import AppError, InputError
from app.llm.options import LlmOptions
from app.llm.vllm import DEFAULT, ServerPlan, require_gpu, required_model
from app.settings import Settings
from graph.llm.prompts import notes, prompt_text, static_prompt
from graph.options import GraphOptions
from ingestion.encoder import SentenceEncoder

CHUNK = 256


def words(**changes: object) -> list[str]:
    return ServerPlan(**{"model": "some/model", "context": 9_000} | changes).command()


def value(flag: str, command: list[str]) -> str:
    return command[command.index(flag) + 1]


def test_the_command_names_what_it_is_asked_for() -> None:
    command = words(port=9000)
    assert command[:3] == ["vllm", "serve", "some/model"]
    assert value("--served-model-name", command) == "some/model"
    assert value("--max-model-len", command) == "9000"
    assert value("--port", command) == "9000"


def test_nobody_else_reaches_the_server_unless_that_is_asked_for() -> None:
    assert value("--host", words()) == "127.0.0.1"
    flags = ServerPlan("some/model", 9_000, host="0.0.0.0").flags  # noqa: S104 - the case
    assert any("VLLM_API_KEY" in why for why in flags.values())


def test_every_flag_has_its_reason() -> None:
    flags = ServerPlan("some/model", 9_000).flags
    assert all(why and flag[0].startswith("--") for flag, why in flags.items())


def test_the_context_grows_with_what_is_read_and_written() -> None:
    usual = needed_context(Settings())
    assert needed_context(Settings(graph=GraphOptions(evidence_limit=25))) - usual > CHUNK
    assert needed_context(Settings(llm=LlmOptions(max_tokens=1_024))) - usual == 2 * 512
    assert usual <= recommended_context(Settings())


def test_the_rules_fit_into_the_share_they_are_given() -> None:
    assert SentenceEncoder().count_tokens(static_prompt()) < STATIC_TOKENS


def test_what_intents_and_suffixes_say_fits_into_the_share_of_the_rest() -> None:
    count = SentenceEncoder().count_tokens
    longest_notes = sorted(count(notes(intent)) for intent in GraphOptions().sources_by_intent)[-3:]
    suffixes = [count(prompt_text(name)) for name in ("answer", "repair", "blurb", "followups", "judge")]
    assert sum(longest_notes) + max(suffixes) < REST_TOKENS


def test_without_a_model_those_that_are_recommended_are_told() -> None:
    with pytest.raises(InputError) as told:
        required_model("  ")
    assert DEFAULT in str(told.value)


@pytest.mark.parametrize("device", ["nvidia0", "kfd", "dxg"])
def test_a_gpu_is_seen_by_its_driver(tmp_path: Path, device: str) -> None:
    (tmp_path / "nvidiactl").touch()
    with pytest.raises(AppError, match="FOOTNOTE_LLM__BASE_URL"):
        require_gpu(tmp_path)
    (tmp_path / device).touch()
    require_gpu(tmp_path)
