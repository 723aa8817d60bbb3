"""Figures, their intervals, and the envelope around them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from evals.report import (
    Latency,
    Metric,
    Report,
    latency,
    mean_metric,
    pooled_metric,
    print_report,
    statistic_metric,
    statistic_metrics,
    write_predictions,
)


def interval_of(metric: Metric) -> tuple[float, float]:
    assert metric.ci95 is not None
    return metric.ci95


def test_the_interval_of_a_mean_holds_it_and_is_the_same_in_every_run() -> None:
    values = [1.0] * 60 + [0.0] * 40
    low, high = interval_of(mean_metric(values))
    assert low < 0.6 < high
    assert mean_metric(values) == mean_metric(values)


def test_the_interval_is_as_wide_as_theory_says() -> None:
    low, high = interval_of(mean_metric([1.0] * 200 + [0.0] * 200))
    assert high - low == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 400), rel=0.1)


def test_more_rows_make_the_interval_narrower() -> None:
    few, many = interval_of(mean_metric([0.0, 1.0] * 10)), interval_of(mean_metric([0.0, 1.0] * 500))
    assert many[1] - many[0] < few[1] - few[0]


def test_draws_on_which_a_figure_is_undefined_are_left_out() -> None:
    values = np.array([1.0, 0.0])
    found = statistic_metric(
        2, lambda rows: float(values[rows].mean()) if len(rows) == len(set(rows.tolist())) else math.nan
    )
    assert found.ci95 == (0.5, 0.5)


def test_figures_of_which_a_row_has_several_are_pooled_and_rows_are_drawn() -> None:
    found = pooled_metric([[True, False], [], [True]])
    assert (found.value, found.n) == (pytest.approx(2 / 3, abs=1e-6), 3)
    assert interval_of(found)[0] == 0.5
    assert pooled_metric([[], []]) == Metric(value=None, ci95=None, n=0)


def test_a_figure_over_no_rows_is_null() -> None:
    assert mean_metric([]) == Metric(value=None, ci95=None, n=0)
    assert latency([]) == Latency(p50=None, p95=None)


def test_a_figure_says_over_how_many_rows_it_was_taken() -> None:
    assert mean_metric([True, True, True]) == Metric(value=1.0, ci95=(1.0, 1.0), n=3)
    assert latency([1.0, 2.0, 3.0]) == Latency(p50=2.0, p95=2.9)


def test_a_figure_of_all_rows_together_is_null_where_it_is_undefined() -> None:
    assert statistic_metric(3, lambda rows: float(rows.min())).value == 0
    assert statistic_metric(3, lambda _: math.nan) == Metric(value=None, ci95=None, n=3)


def test_intervals_of_several_figures_are_those_of_each() -> None:
    values = np.array([[1.0, 0.0], [0.0, 0.5], [1.0, 0.9]])
    both = statistic_metrics(3, lambda rows: values[rows].mean(axis=0), [3, 3])
    assert both == [statistic_metric(3, lambda rows, c=column: float(values[rows, c].mean())) for column in (0, 1)]


def test_predictions_are_one_line_a_row(tmp_path: Path) -> None:
    write_predictions(tmp_path / "out.jsonl", [{"said": "größer\n"}, {"said": "b"}])
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["said"] for line in lines] == ["größer\n", "b"]
    assert "größer" in lines[0]


def test_a_report_is_readable() -> None:
    report = Report(
        component="conversations",
        data="fixtures",
        n=2,
        skipped={"FOOTNOTE_BENCH is not set": 3},
        warnings=["2 gold ids are not in the index"],
        config_hash="c",
        generation="g",
        metrics={"turn_pass_rate": mean_metric([1, 0]), "empty": mean_metric([])},
        latency_ms=latency([5.0, 7.0]),
        seconds=1.0,
    )
    console = Console(record=True, width=100)
    print_report(console, report)
    text = console.export_text()
    for part in (
        "turn_pass_rate  0.500",
        "0.000 .. 1.000",
        "3 skipped: FOOTNOTE_BENCH",
        "2 gold ids are",
        "6.0 ms a row",
    ):
        assert part in text
