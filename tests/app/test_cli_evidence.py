"""`footnote evidence`: a source in full, from an index or from a recorded answer."""

import json
from pathlib import Path

from tests.app.command_line import Run


def test_evidence_prints_the_source_in_full(run: Run, index: Path) -> None:
    shown = json.loads(run("evidence", "spec:aurora-x2", "--index", str(index), "--json").out)
    assert list(shown) == [
        "evidence_id",
        "source_type",
        "text",
        "title",
        "section",
        "page",
        "url",
        "updated_at",
        "product_id",
        "generation",
    ]
    assert "Weight: 172 g" in shown["text"]
    assert "Weight: 172 g" in run("evidence", "spec:aurora-x2", "--index", str(index)).out


def test_evidence_of_a_citation_reads_character_for_character(run: Run, index: Path) -> None:
    turn = json.loads(run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--json").out)
    (citation,) = turn["citations"]
    arguments = ["--index", str(index), "--generation", citation["generation"], "--json"]
    source = json.loads(run("evidence", citation["evidence_id"], *arguments).out)
    assert source["text"][citation["start"] : citation["end"]] == citation["quote"]


def test_evidence_of_a_recorded_answer_opens_without_its_index(run: Run, index: Path) -> None:
    turn = json.loads(run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--json").out)
    generation = turn["citations"][0]["generation"]
    source = json.loads(
        run("evidence", "spec:aurora-x2", "--index", "nowhere", "--generation", generation, "--json").out
    )
    assert source["generation"] == generation


def test_unknown_evidence_is_bad_input(run: Run, index: Path) -> None:
    result = run("evidence", "spec:nothing", "--index", str(index))
    assert result.status == 2
    assert "spec:nothing" in result.err
