"""The notebooks, run cell by cell as somebody would who opens them in the project's folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    kept = {name: str(tmp_path / f"{name}.sqlite") for name in ("FOOTNOTE_RECORDS", "FOOTNOTE_THREADS")}
    run = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **kept}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
