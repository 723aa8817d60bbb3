"""A run that is killed at any moment loses nothing, and the next one completes."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from ingestion.encoder import DIMENSIONS
from ingestion.generations import complete_generations, latest_generation
from ingestion.knowledge import open_knowledge
from ingestion.source_types import SOURCE_TYPES

WriteShop = Callable[[Mapping[str, object]], Path]
Contents = dict[str, object]

KILLS = 20
ATTEMPTS = 3 * KILLS
COMPLETED_EVERY = 4


def edition(name: str) -> dict[str, object]:
    """A small shop; another edition has another text in every article and review, and some articles of its own."""
    articles = {f"help/{number}{name * (number % 2)}.md": f"# Boots {number}\n\nUse {name}." for number in range(8)}
    products = [{"id": f"p{number}", "name": f"Tent {number}", "attributes": {"Pole": "1"}} for number in range(10)]
    reviews = [{"id": f"r{number}", "product_id": "p1", "text": f"{name} {number}"} for number in range(30)]
    return {"products.jsonl": products, "reviews.jsonl": reviews, **articles}


class Runs:
    """Ingest processes, forked from one that has imported everything."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, shop: Path, index: Path, kill_after: float | None = None) -> tuple[float, int]:
        """Run one to its end, or kill it after so many seconds; returns how long it took, and its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{shop} {index}\n")
        self._process.stdin.flush()
        child = int(self._process.stdout.readline())
        if kill_after is not None:
            time.sleep(kill_after)
            with suppress(ProcessLookupError):  # it has ended before
                os.kill(child, signal.SIGKILL)
        seconds, status = self._process.stdout.readline().split()
        return float(seconds), int(status)


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    here = Path(__file__)
    command = [sys.executable, str(here.with_name("ingest_forks.py"))]
    environment = {**os.environ, "PYTHONPATH": f"{here.parents[2]}{os.pathsep}{here.parent}"}
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Runs(process)


def contents(index: Path) -> Contents:
    """All that the generation which answers now has to say, read in each of the ways there are."""
    knowledge = open_knowledge(index)
    try:
        lexical = {one for one, _ in knowledge.lexical("use", {"help_article"}, 99)}
        dense = {one for one, _ in knowledge.dense(np.ones(DIMENSIONS), {"help_article"}, 99)}
        of_products = [
            one.evidence_id for name in knowledge.products for one in knowledge.product_evidence(name, SOURCE_TYPES)
        ]
        evidence = knowledge.evidence(sorted({*of_products, *lexical, *dense}))
        return {
            "evidence": evidence,
            "vectors": knowledge.vectors([one.evidence_id for one in evidence]).tolist(),
            "found": (lexical, dense, knowledge.row_ids()),
            "products": dict(knowledge.products),
        }
    finally:
        knowledge.close()


def test_a_run_killed_at_any_moment_loses_nothing_and_the_next_one_completes(
    runs: Runs, write_shop: WriteShop, tmp_path: Path
) -> None:
    moments = random.Random(0)  # noqa: S311 - nothing secret
    first, second, never_killed = tmp_path / "first", tmp_path / "second", tmp_path / "never-killed"
    shop = write_shop(edition("old"))
    runs.run(shop, first)
    old = contents(first)
    shutil.rmtree(shop)
    write_shop(edition("new"))
    shutil.copytree(first, never_killed)
    whole_run, _ = runs.run(shop, never_killed)
    new = contents(never_killed)
    assert old != new

    killed = 0
    for attempt in range(ATTEMPTS):
        shutil.copytree(first, second)
        seconds, status = runs.run(shop, second, kill_after=whole_run * (killed + moments.random()) / KILLS)
        if status == 0:  # it ended before: the machine has become quicker
            whole_run = min(whole_run, seconds)
        killed += status == -signal.SIGKILL
        assert contents(second) == (old if latest_generation(second) == latest_generation(first) else new)
        if attempt % COMPLETED_EVERY == 0 or killed == KILLS:
            assert runs.run(shop, second)[1] == 0
            assert contents(second) == new
            assert latest_generation(second) != latest_generation(first)
            # A run that is killed as it is about to answer leaves a whole generation behind: nothing is half of one.
            assert len(list((second / "generations").iterdir())) == len(complete_generations(second)) <= 3
        shutil.rmtree(second)
        if killed == KILLS:
            break
    assert killed > KILLS // 2
