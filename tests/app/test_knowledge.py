"""What the shop's people add to an index: facts and files, read at the next ingest, and back to what was."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import Assistant
from app.errors import InputError
from app.knowledge import FACTS, LARGEST_UPLOAD, ShopKnowledge, ingest_shop
from app.settings import Settings

PRODUCTS = (
    '{"id": "tarn-2", "name": "Tarn 2", "attributes": {"Weight": "1.9 kg"}}\n'
    '{"id": "heron-2", "name": "Heron 2", "attributes": {"Weight": "2.4 kg"}}\n'
)
ASKED = "Does the Tarn 2 come with a repair kit?"
FACT = "The Tarn 2 comes with a repair kit for poles and fabric."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop of two products."""
    made = tmp_path_factory.mktemp("shop")
    (made / "products.jsonl").write_text(PRODUCTS, encoding="utf-8")
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(records=tmp_path / "records.sqlite", threads=tmp_path / "threads.sqlite")


@pytest.fixture
def knowledge(folder: Path, settings: Settings, tmp_path: Path) -> ShopKnowledge:
    """The shop's index."""
    ingest_shop([folder], tmp_path / "index", settings)
    return ShopKnowledge(tmp_path / "index", settings)


@pytest.fixture
def assistant(knowledge: ShopKnowledge, settings: Settings, tmp_path: Path) -> Iterator[Assistant]:
    """Answers from that index."""
    assert knowledge.added() == []
    with Assistant.open(str(tmp_path / "index"), settings) as opened:
        yield opened


def test_a_missing_fact_is_answered_from_the_turn_after_its_ingest_and_can_be_taken_back(
    knowledge: ShopKnowledge, assistant: Assistant
) -> None:
    before = assistant.ask(ASKED)
    assert before.outcome == "no_answer"
    evidence_id = knowledge.write_fact(f" {FACT} ", "feature", "tarn-2")
    assert knowledge.ingest().generation != before.generation
    after = assistant.ask(ASKED)
    assert [(one.evidence_id, one.quote) for one in after.citations] == [(evidence_id, FACT)]
    knowledge.roll_back(before.generation)
    assert assistant.ask(ASKED).outcome == "no_answer"


def test_written_facts_are_told_until_they_are_withdrawn(knowledge: ShopKnowledge) -> None:
    odd = "One line, \u2028 another, “and” ünicode"
    ids = [knowledge.write_fact(text, "feature", product) for text, product in ((FACT, "tarn-2"), (odd, None))]
    first, second = knowledge.facts()
    assert [first.evidence_id, second.evidence_id] == ids
    assert (first.text, first.product_id, second.text, second.product_id) == (FACT, "tarn-2", odd, None)
    knowledge.ingest()
    assert knowledge.info()["evidence"]["feature"] == 2
    knowledge.withdraw(first.id)
    assert knowledge.facts() == [second]
    knowledge.withdraw(second.id)
    knowledge.withdraw("never-written")
    assert knowledge.facts() == []
    assert not knowledge.ingest().skipped
    assert "feature" not in knowledge.info()["evidence"]


def test_what_somebody_added_to_a_fact_by_hand_is_kept(knowledge: ShopKnowledge) -> None:
    knowledge.write_fact(FACT, "feature", "tarn-2")
    path = knowledge.folder / FACTS
    by_hand = json.loads(path.read_text()) | {"region": "EU"}
    path.write_text(json.dumps(by_hand) + "\n\n")
    knowledge.write_fact("The shop is closed on Mondays.", "help_article")
    assert [one.text for one in knowledge.facts()] == [FACT, "The shop is closed on Mondays."]
    assert json.loads(path.read_text().splitlines()[0]) == by_hand


@pytest.mark.parametrize("line", ["{", "[1]", '{"text": "no id"}'])
def test_a_line_that_is_no_fact_is_named_and_left(knowledge: ShopKnowledge, line: str) -> None:
    knowledge.write_fact(FACT, "feature", "tarn-2")
    path = knowledge.folder / FACTS
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"facts\.jsonl"):
        knowledge.facts()
    assert line in path.read_text()


def test_the_same_fact_is_not_written_twice(knowledge: ShopKnowledge) -> None:
    knowledge.write_fact(FACT, "feature", "tarn-2")
    with pytest.raises(InputError, match="there already"):
        knowledge.write_fact(f"{FACT} ", "feature", "tarn-2")
    knowledge.write_fact(FACT, "feature", "heron-2")
    assert len(knowledge.facts()) == 2


def test_a_file_is_read_until_it_is_removed(knowledge: ShopKnowledge) -> None:
    knowledge.upload("returns.md", b"# Returns\n\nReturn a tent within 30 days.\n")
    assert [path.name for path in knowledge.added()] == ["returns.md"]
    knowledge.ingest()
    assert knowledge.info()["evidence"]["help_article"] == 1
    knowledge.remove("returns.md")
    knowledge.remove("../shop.toml")
    knowledge.ingest()
    assert "help_article" not in knowledge.info()["evidence"]
    assert knowledge.info()["products"] == 2


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001])
def test_a_fact_without_words_or_with_too_many_is_refused(tmp_path: Path, settings: Settings, text: str) -> None:
    with pytest.raises(InputError, match="A fact has 1 to 2,000 characters"):
        ShopKnowledge(tmp_path / "index", settings).write_fact(text, "feature")


@pytest.mark.parametrize("name", ["../returns.md", "a/b.md", ".hidden.md", FACTS, ""])
def test_a_file_that_would_lie_elsewhere_is_refused(tmp_path: Path, settings: Settings, name: str) -> None:
    with pytest.raises(InputError, match="plain name"):
        ShopKnowledge(tmp_path / "index", settings).upload(name, b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(InputError, match="at most 20,000,000"):
        ShopKnowledge(tmp_path / "index", settings).upload("a.md", b"x" * (LARGEST_UPLOAD + 1))
