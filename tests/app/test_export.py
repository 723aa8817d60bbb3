"""A conversation as a file."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

from app.export import as_json, as_markdown
from app.presentation import answer_with_sources
from app.storage.records import StaffMessage
from graph.turn import Citation, Review, Turn
from ingestion.evidence import Evidence

TurnMaker = Callable[..., Turn]
Cite = Callable[..., Citation]


def test_an_answer_is_copied_with_its_numbered_sources(a_turn: TurnMaker, spec: Evidence, cite: Cite) -> None:
    cited = cite(spec, "Weight: 1.9 kg").model_copy(update={"url": "https://shop.example/k2", "page": 3})
    assert answer_with_sources(a_turn(citations=[cited])) == (
        "The Kestrel 2 weighs 1.9 kg [1].\n\nSources\n"
        "[1] Specification: Kestrel 2 specifications, page 3: “Weight: 1.9 kg” https://shop.example/k2"
    )
    assert answer_with_sources(a_turn(answer="Hello.", citations=[])) == "Hello."


def test_markdown_has_questions_as_headings_and_sources_as_footnotes_numbered_through(
    a_turn: TurnMaker, spec: Evidence, cite: Cite
) -> None:
    table = "| | Kestrel 2 |\n|---|---|\n| Capacity | 2 people [1] |\n\n- **For:** light [2]"
    both = [cite(spec, "Capacity: 2 people"), cite(spec, "Weight: 1.9 kg", marker=2)]
    text = as_markdown("Tents", [a_turn(), a_turn(query="and *more*?", answer=table, citations=both)])
    assert text == (
        "# Tents\n\n## How heavy is the Kestrel 2?\n\nThe Kestrel 2 weighs 1.9 kg[^1].\n\n"
        "## and \\*more\\*?\n\n|  | Kestrel 2 |\n|---|---|\n| Capacity | 2 people[^2] |\n\n- **For:** light[^3]\n\n"
        "[^1]: Specification: Kestrel 2 specifications: “Weight: 1.9 kg”\n\n"
        "[^2]: Specification: Kestrel 2 specifications: “Capacity: 2 people”\n\n"
        "[^3]: Specification: Kestrel 2 specifications: “Weight: 1.9 kg”\n"
    )


def test_steps_keep_their_numbers(a_turn: TurnMaker) -> None:
    text = as_markdown("Steps", [a_turn(answer="3. Press.\n4. Wait [1].")])
    assert "3. Press.\n4. Wait[^1]." in text


def test_a_spoken_answer_has_its_sources_at_its_end(a_turn: TurnMaker) -> None:
    text = as_markdown("Tents", [a_turn(answer="It weighs one point nine kilograms.", style="voice")])
    assert "It weighs one point nine kilograms.[^1]" in text


def test_signs_of_a_source_mean_nothing_to_markdown(a_turn: TurnMaker, nasty: Evidence, cite: Cite) -> None:
    text = as_markdown("<x>", [a_turn(answer="See [1] and [7].", citations=[cite(nasty, "[1] $5 and $6 <script>")])])
    assert text.startswith(r"# \<x\>")
    assert r"See[^1] and\[7\]." in text
    assert r"\[1\] \$5 and \$6 \<script\>" in text


def test_what_a_person_wrote_stands_behind_its_turn(a_turn: TurnMaker, spec: Evidence, cite: Cite) -> None:
    message = StaffMessage(
        "turn1", datetime(2026, 6, 1, tzinfo=UTC), "Ann", "It is light [1].", (cite(spec, "1.9 kg"),)
    )
    text = as_markdown("Tents", [a_turn(), a_turn(turn_id="turn2", query="next")], [message])
    assert text.index("weighs") < text.index("**From Ann:**\n\nIt is light[^2].") < text.index("## next")


def test_json_is_the_turns(a_turn: TurnMaker) -> None:
    turns = [a_turn(), a_turn(turn_id="turn2")]
    assert [Turn.model_validate(turn) for turn in json.loads(as_json(turns))] == turns


def test_json_holds_nothing_that_was_withheld_from_the_customer(a_turn: TurnMaker) -> None:
    text = as_json([a_turn(review=Review(required=True, issues=["withheld: It cures."]))])
    assert "It cures" not in text
    assert json.loads(text)[0]["review"]["required"]
