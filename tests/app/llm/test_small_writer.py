"""The small writer: how it is served on the CPU, and what is said where it cannot be made."""

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from app.errors import AppError
from app.llm import writer
from app.llm.vllm import CPU_PROGRAM, CPU_VARIABLES, ServerPlan, program_of


def test_it_is_served_from_its_folder_under_its_own_name(tmp_path: Path) -> None:
    words = ServerPlan(writer.NAME, context=writer.CONTEXT, weights=tmp_path).command("python")
    assert words[:5] == ["python", "-m", "vllm.entrypoints.openai.api_server", "--model", str(tmp_path)]
    assert words[words.index("--served-model-name") + 1] == writer.NAME


@pytest.mark.parametrize("compiler", [True, False])
def test_it_is_compiled_where_there_is_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, compiler: bool
) -> None:
    monkeypatch.setenv("CXX", sys.executable if compiler else "no-such-compiler")
    monkeypatch.setattr(sysconfig, "get_path", lambda _: tmp_path)
    (tmp_path / "Python.h").touch()
    words = ServerPlan(writer.NAME, context=writer.CONTEXT, weights=tmp_path).command("python")
    assert ("--enforce-eager" in words) is not compiler


def test_a_core_is_left_to_the_application() -> None:
    assert 0 < int(CPU_VARIABLES["OMP_NUM_THREADS"]) < max(2, os.cpu_count() or 0)


def test_a_server_for_the_cpu_is_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = ServerPlan(writer.NAME, context=writer.CONTEXT, weights=tmp_path)
    with pytest.raises(AppError, match="make run-llm"):
        program_of(plan)
    program = tmp_path / CPU_PROGRAM
    program.parent.mkdir(parents=True)
    program.touch()
    assert program_of(plan) == str(program)


def test_where_a_package_is_missing_what_installs_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "find_spec", lambda _: None)
    with pytest.raises(AppError, match="make run-llm"):
        writer.writer_folder(tmp_path / "models")
    assert not list((tmp_path / "models").iterdir())


def test_a_folder_that_was_made_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    monkeypatch.setattr(writer, "_write", made.append)
    folder = writer.writer_folder(tmp_path)
    assert writer.writer_folder(tmp_path) == folder
    assert len(made) == 1
    assert list(tmp_path.iterdir()) == [folder]
