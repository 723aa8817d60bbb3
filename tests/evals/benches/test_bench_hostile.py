"""The benchmark of hostile texts: what it sends, what it takes for growth, and how it tells it."""

from io import StringIO

import pytest
from rich.console import Console

from evals.benches.hostile import (
    BAR,
    KNOWN,
    READERS,
    Growth,
    HostileBenchmark,
    HostileString,
    compare,
    generated,
    print_benchmark,
)


@pytest.mark.parametrize("string", [*KNOWN, *generated(20)], ids=lambda string: string.name[:20])
def test_a_text_is_made_again_the_same_at_each_length(string: HostileString) -> None:
    assert len(string.text(390)) == 390
    assert len(string.text(3_900)) == 3_900
    assert string.text(390) == string.text(390)


def test_the_generated_texts_differ() -> None:
    made = generated(200)
    assert [string.name for string in made] == [string.name for string in generated(200)]
    assert len({string.text(390) for string in made}) == 200


def measured(growth: int) -> HostileBenchmark:
    """What is found of a stage that takes so many times longer for ten times the text."""
    worst: dict[str, Growth] = {}
    refused: dict[str, int] = {}

    def stage(text: str) -> dict[str, float]:
        if text.startswith("<"):
            raise RecursionError
        return {"a stage": 10.0 if len(text) < 1_000 else 10.0 * growth}

    compare(stage, KNOWN, 390, worst, refused)
    return HostileBenchmark(strings=len(KNOWN), holds=worst["a stage"].growth <= BAR, stages=worst, refused=refused)


def test_growth_is_that_of_the_worst_text_and_a_refusal_is_counted() -> None:
    result = measured(100)
    assert not result.holds
    assert result.stages["a stage"].growth == pytest.approx(100)
    assert sum(result.refused.values()) == sum(string.text(390).startswith("<") for string in KNOWN)
    assert measured(10).holds


def test_the_worst_stage_is_told() -> None:
    written = StringIO()
    print_benchmark(Console(file=written, width=120), measured(100))
    assert "100.0" in written.getvalue()
    assert "should grow" in written.getvalue()


@pytest.mark.parametrize("name", READERS)
def test_every_reader_reads_every_text(name: str) -> None:
    for string in [*KNOWN, *generated(30)]:
        READERS[name](string.text(400))
