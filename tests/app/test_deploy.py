"""The files in `deploy/`, and the table of models, say what the application says."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.cli.vllm import recommended_context
from app.llm.vllm import DEFAULT, ServerPlan
from app.settings import PREFIX, Settings, known_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
VARIABLE = re.compile(rf"\b{PREFIX}\w+")


@pytest.fixture(scope="module")
def services() -> Mapping[str, Any]:
    """The services of the compose file."""
    loaded: Mapping[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return loaded


def interpolated(text: object) -> str:
    """What compose makes of a value where no variable is set."""
    return re.sub(r"\$\{\w+:[-?]([^}]*)\}", r"\1", str(text))


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile"])
def test_every_variable_that_is_named_is_a_setting(name: str) -> None:
    known = {PREFIX + setting.upper().replace(".", "__") for setting in known_settings()}
    assert set(VARIABLE.findall((DEPLOY / name).read_text())) <= known


def test_the_model_is_served_as_the_command_line_recommends(services: Mapping[str, Any]) -> None:
    host = "0.0.0.0"  # noqa: S104 - within the network of the containers
    plan = ServerPlan(DEFAULT, recommended_context(Settings()), host=host)
    vllm = services["vllm"]
    assert [*vllm["entrypoint"], *map(interpolated, vllm["command"])] == plan.command()


def test_app_and_server_agree_on_address_model_and_key(services: Mapping[str, Any]) -> None:
    asked, serves = services["app"]["environment"], services["vllm"]["environment"]
    assert asked["FOOTNOTE_LLM__BASE_URL"] == "http://vllm:8000/v1"
    assert asked["FOOTNOTE_LLM__MODEL"] == services["vllm"]["command"][0]
    assert asked["FOOTNOTE_LLM__API_KEY"] == serves["VLLM_API_KEY"]


def test_only_the_page_can_be_reached_and_from_this_machine_alone(services: Mapping[str, Any]) -> None:
    published = {name: service.get("ports", []) for name, service in services.items()}
    assert published == {"app": ["127.0.0.1:8501:8501"], "vllm": []}


def test_the_page_of_the_containers_wants_a_password(services: Mapping[str, Any]) -> None:
    assert services["app"]["environment"]["FOOTNOTE_SERVE__PASSWORD"].startswith("${FOOTNOTE_SERVE__PASSWORD:?")
    assert "ENV FOOTNOTE_SERVE__HOST=0.0.0.0" in (DEPLOY / "Dockerfile").read_text()


def test_a_gpu_is_reserved_and_health_is_watched(services: Mapping[str, Any]) -> None:
    (device,) = services["vllm"]["deploy"]["resources"]["reservations"]["devices"]
    assert device["capabilities"] == ["gpu"]
    assert "/health" in str(services["vllm"]["healthcheck"]["test"])
    assert "HEALTHCHECK" in (DEPLOY / "Dockerfile").read_text()


def test_the_image_runs_as_an_ordinary_user_and_keeps_its_data_in_a_volume(services: Mapping[str, Any]) -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    assert lines.index("USER footnote") < lines.index("VOLUME /data")
    assert not [line for line in lines[lines.index("USER footnote") :] if line.startswith("RUN")]
    assert services["app"]["volumes"] == ["footnote:/data"]


def test_every_file_of_the_image_is_let_through_and_exists() -> None:
    root, ignored = DEPLOY.parent, (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    let_through = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert ignored[0] == "*"
    assert all((root / name).exists() for name in let_through)
    assert {"app", "graph", "ingestion", "evals", "pyproject.toml", "streamlit_app.py", "README.md"} <= let_through


def test_the_table_of_models_has_the_one_that_a_command_names() -> None:
    assert f"| `{DEFAULT}` |" in (DEPLOY.parent / "docs" / "language-models.md").read_text()
