"""Rows written for an evaluation, and the figures it gives."""

import json
from pathlib import Path
from typing import Any

from evals.report import Evaluation


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    data = folder / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return data


def values(evaluation: Evaluation) -> dict[str, float | None]:
    return {name: metric.value for name, metric in evaluation.report.metrics.items()}
