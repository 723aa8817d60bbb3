"""A served model is declared in settings; what cannot work is refused when settings are read, secrets stay secret."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import SettingsError
from app.llm import served_model
from app.llm.breaker import GuardedModel
from app.llm.options import LlmOptions, Stage
from app.settings import Settings

URL = "http://localhost:8000/v1"
STAGES: tuple[Stage, ...] = ("rewrite", "respond", "judge")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def given(monkeypatch: pytest.MonkeyPatch, **variables: str) -> LlmOptions:
    for name, value in variables.items():
        monkeypatch.setenv(f"FOOTNOTE_LLM__{name}", value)
    return Settings.load().llm


def test_without_an_endpoint_every_stage_is_local(monkeypatch: pytest.MonkeyPatch) -> None:
    options = given(monkeypatch, WHEN="always", MODEL="some/model", API_KEY="s3cret")
    assert not any(options.serves(stage) for stage in STAGES)
    assert served_model(options) is None


def test_with_one_every_stage_is_served_but_those_set_to_local(monkeypatch: pytest.MonkeyPatch) -> None:
    options = given(monkeypatch, BASE_URL=URL, MODEL="some/model", JUDGE="local")
    assert [options.serves(stage) for stage in STAGES] == [True, True, False]
    assert not options.model_copy(update={"when": "never"}).serves("respond")


def test_a_served_model_is_guarded_and_asked_nothing_yet() -> None:
    model = served_model(LlmOptions(base_url="http://127.0.0.1:9/v1", model="some/model"))
    assert isinstance(model, GuardedModel)
    assert model.name == "some/model"


@pytest.mark.parametrize("url", [URL, URL + "/", f" {URL} "])
def test_a_slash_at_the_end_is_tolerated(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert given(monkeypatch, BASE_URL=url, MODEL="m").base_url == URL


def test_empty_variables_are_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert given(monkeypatch, BASE_URL="", MODEL="", API_KEY="") == LlmOptions()


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"BASE_URL": URL}, r"name the served model with FOOTNOTE_LLM__MODEL"),
        ({"BASE_URL": "localhost:8000", "MODEL": "m"}, r"FOOTNOTE_LLM__BASE_URL.*must begin with http://"),
        ({"BASE_URL": "ftp://localhost", "MODEL": "m"}, "must begin with http://"),
        ({"BASE_URL": "http://", "MODEL": "m"}, "must begin with http://"),
        ({"BASE_URL": "http://local host/v1", "MODEL": "m"}, "must begin with http://"),
        ({"BASE_URL": "http://localhost:port/v1", "MODEL": "m"}, "must begin with http://"),
        ({"BASE_URL": "http://me:s3cret@localhost/v1", "MODEL": "m"}, "FOOTNOTE_LLM__API_KEY"),
        ({"BASE_URL": URL + "?key=s3cret", "MODEL": "m"}, r"must end before \?"),
        ({"WHEN": "sometimes"}, "FOOTNOTE_LLM__WHEN"),
        ({"REFINEMENT": "guess"}, "FOOTNOTE_LLM__REFINEMENT"),
        ({"STRUCTURED": "maybe"}, "FOOTNOTE_LLM__STRUCTURED"),
        ({"TEMPERATURE": "-1"}, "FOOTNOTE_LLM__TEMPERATURE"),
        ({"MAX_TOKENS": "0"}, "FOOTNOTE_LLM__MAX_TOKENS"),
        ({"TOTAL_S": "0"}, "FOOTNOTE_LLM__TOTAL_S"),
        ({"FAILURES": "0"}, "FOOTNOTE_LLM__FAILURES"),
        ({"URL": URL}, r"Did you mean llm\.base_url"),
    ],
)
def test_what_cannot_work_is_named_with_its_variable_and_no_secret(
    variables: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsError, match=said) as raised:
        given(monkeypatch, **variables)
    assert "s3cret" not in str(raised.value)


def test_the_key_is_neither_shown_nor_hashed_and_the_address_is_not_hashed() -> None:
    def settings(**changes: object) -> Settings:
        return Settings.model_validate({"llm": {"base_url": URL, "model": "m", "api_key": "s3cret"} | changes})

    assert "s3cret" not in repr(settings()) + str(settings().model_dump()) + settings().model_dump_json()
    assert settings().config_hash == settings(api_key="other").config_hash
    assert settings().config_hash == settings(base_url="https://other.example/v1").config_hash


def test_whether_a_model_answers_and_which_is_part_of_the_hash() -> None:
    hashes = {
        Settings.model_validate({"llm": options}).config_hash
        for options in (
            {},
            {"model": "m"},
            {"model": "m", "base_url": URL},
            {"model": "n", "base_url": URL},
            {"model": "m", "base_url": URL, "when": "never"},
            {"model": "m", "base_url": URL, "temperature": 0.5},
        )
    }
    assert len(hashes) == 6


def test_who_asks_no_model_does_not_load_its_library() -> None:
    code = (
        "import sys, app.settings; from app.llm import served_model; from app.llm.options import LlmOptions;"
        "assert served_model(LlmOptions()) is None;"
        "assert not {'openai', 'langchain_openai', 'langchain_core'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])  # noqa: S603 - our own code
