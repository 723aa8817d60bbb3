"""Turns and sources to try the application on."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.cli import main
from graph.turn import Citation, Confidence, Intent, ShownSentence, Turn
from ingestion.evidence import Evidence
from tests.app.command_line import Result, Run
from tests.app.live_server import LiveServer
from tests.app.scripted_page import FakeVisit, page_of, script

SPEC = Evidence(
    evidence_id="spec:kestrel-2",
    source_type="spec",
    text="Weight: 1.9 kg\nCapacity: 2 people\nHydrostatic head: 3,000 mm",
    title="Kestrel 2 specifications",
    row_id="kestrel-2",
    product_id="kestrel-2",
)
NASTY = Evidence(
    evidence_id="review:r1",
    source_type="review",
    text="<b>great</b> *stars* | pipes | [1] $5 and $6 <script>alert(1)</script>",
    title="A <i>review</i>",
    row_id="r1",
    product_id="kestrel-2",
)


def cited(evidence: Evidence, quote: str, marker: int = 1) -> Citation:
    """A citation of a quote in an evidence."""
    start = evidence.text.index(quote)
    return Citation(
        marker=marker,
        evidence_id=evidence.evidence_id,
        source_type=evidence.source_type,
        title=evidence.title,
        section=None,
        page=None,
        url=evidence.url,
        updated_at=None,
        product_id=evidence.product_id,
        quote=quote,
        start=start,
        end=start + len(quote),
        generation="g1",
    )


def make_turn(**changes: Any) -> Turn:  # noqa: ANN401 - any field of a turn
    """A turn about the weight of a tent, with some fields changed."""
    fields = {
        "thread_id": "t1",
        "turn_id": "turn1",
        "query": "How heavy is the Kestrel 2?",
        "standalone_query": changes.get("query", "How heavy is the Kestrel 2?"),
        "rewritten_by": "none",
        "searchable": True,
        "live_agent": False,
        "products": [{"id": "kestrel-2", "name": "Kestrel 2", "method": "exact", "score": 1.0}],
        "intent": Intent(
            distribution={"product_spec": 0.9, "warranty": 0.1},
            entropy=0.2,
            selected=["product_spec"],
            branch="focused",
        ),
        "outcome": "clear",
        "answer": "The Kestrel 2 weighs 1.9 kg [1].",
        "sentences": [ShownSentence(text="The Kestrel 2 weighs 1.9 kg.", citations=[1], support=1.0, factual=True)],
        "citations": [cited(SPEC, "Weight: 1.9 kg")],
        "retrieved": [{"evidence_id": "spec:kestrel-2", "score": 0.9}],
        "confidence": Confidence(score=0.93, label="high"),
        "timings_ms": {"rewrite": 0.4, "retrieve": 12.0},
        "generation": "g1",
        "prompt_hash": "",
        "config_hash": "c1",
    }
    return Turn.model_validate(fields | changes)


@pytest.fixture
def a_turn() -> Callable[..., Turn]:
    """Makes a turn about the weight of a tent, with some fields changed."""
    return make_turn


@pytest.fixture
def cite() -> Callable[..., Citation]:
    """Makes a citation of a quote in an evidence."""
    return cited


@pytest.fixture
def spec() -> Evidence:
    """A tent's specification."""
    return SPEC


@pytest.fixture
def nasty() -> Evidence:
    """A review full of signs that mean something to HTML, Markdown or our markers."""
    return NASTY


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs `footnote` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def command(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["footnote", *arguments])
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        captured = capfd.readouterr()
        return Result(status, captured.out, captured.err)

    return command


@pytest.fixture
def server() -> Iterator[LiveServer]:
    """A service of the shop on loopback, which answers as it is told."""
    live = LiveServer()
    yield live
    live.close()


@pytest.fixture
def visit(spec: Evidence) -> FakeVisit:
    """An assistant that has answered nothing yet."""
    return FakeVisit(sources={spec.evidence_id: spec})


@pytest.fixture
def page(visit: FakeVisit, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page over the scripted assistant, not yet run."""
    return page_of(script, monkeypatch, visit=visit)
