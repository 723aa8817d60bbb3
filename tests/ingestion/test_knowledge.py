"""The knowledge base: what a turn reads from an index."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from graph.parts import KnowledgeBase
from ingestion.encoder import shared_encoder
from ingestion.errors import CorruptIndexError, MissingGenerationError, MissingIndexError, UnknownEvidenceError
from ingestion.generations import latest_generation
from ingestion.knowledge import IndexedKnowledge, check_readable, open_knowledge
from ingestion.source_types import SOURCE_TYPES


@pytest.fixture
def knowledge(index: Path) -> Iterator[IndexedKnowledge]:
    opened = open_knowledge(index)
    yield opened
    opened.close()


def ids(knowledge: IndexedKnowledge, product_id: str, *source_types: str) -> set[str]:
    return {one.evidence_id for one in knowledge.product_evidence(product_id, frozenset(source_types))}


def test_it_is_what_the_graph_asks_for(knowledge: IndexedKnowledge) -> None:
    base: KnowledgeBase = knowledge
    assert base.generation
    assert base.glossary[0].term == "Gold"
    assert "United States" in base.regions["US"]


def test_products_come_in_the_shops_order(knowledge: IndexedKnowledge) -> None:
    assert list(knowledge.products)[:3] == ["aurora-x2", "aurora-x2-pro", "aurora-x3"]
    product = knowledge.products["aurora-x2"]
    assert product.category == ("Electronics", "Phones")
    assert str(product.price) == "$599"
    assert product.variants[1].in_stock is False


def test_evidence_comes_in_the_order_asked_for(knowledge: IndexedKnowledge) -> None:
    wanted = ["review:r-x2-1", "spec:aurora-x2", "review:r-x2-1"]
    assert [one.evidence_id for one in knowledge.evidence(wanted)] == wanted
    assert knowledge.evidence([]) == []


def test_an_unknown_id_is_named(knowledge: IndexedKnowledge) -> None:
    with pytest.raises(UnknownEvidenceError, match="spec:nothing"):
        knowledge.evidence(["spec:aurora-x2", "spec:nothing"])
    with pytest.raises(UnknownEvidenceError, match="spec:nothing"):
        knowledge.vectors(["spec:nothing"])


def test_vectors_are_unit_vectors_in_the_order_asked_for(knowledge: IndexedKnowledge) -> None:
    both = knowledge.vectors(["spec:aurora-x2", "spec:heron-2"])
    assert both.shape == (2, 384)
    assert np.allclose(np.linalg.norm(both, axis=1), 1, atol=1e-5)
    assert np.array_equal(both[1], knowledge.vectors(["spec:heron-2"])[0])
    assert knowledge.vectors([]).shape == (0, 384)


def test_a_products_evidence_is_its_own_and_that_of_its_category_and_brand(knowledge: IndexedKnowledge) -> None:
    assert ids(knowledge, "kestrel-2", "warranty", "return_policy") == {
        "warranty:warranty-fellmark",
        "return_policy:returns-tents",
    }
    assert ids(knowledge, "aurora-x2", "warranty", "authenticity", "offer") == {
        "warranty:warranty-phones",
        "authenticity:auth-aurora",
        "offer:offer-x2-spring",
    }
    assert ids(knowledge, "strider-flow", "size_chart") == {"size_chart:size-strider-flow"}


def test_what_is_said_of_the_whole_shop_is_found_by_search_alone(knowledge: IndexedKnowledge) -> None:
    assert not ids(knowledge, "kestrel-2", "payment")
    assert knowledge.lexical("which credit cards", frozenset({"payment"}), 3)[0][0] == "payment:payment-methods"


def test_a_product_that_is_not_sold_has_no_evidence(knowledge: IndexedKnowledge) -> None:
    assert knowledge.product_evidence("aurora-x9", SOURCE_TYPES) == []


def test_dense_search_finds_by_meaning(knowledge: IndexedKnowledge) -> None:
    vector = shared_encoder().encode(["I want my money back for something I bought"])[0]
    found = knowledge.dense(vector, SOURCE_TYPES, 5)
    assert {"return_policy:returns-all", "help_article:returns#2"} & {evidence_id for evidence_id, _ in found[:3]}
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert all(-1 <= score <= 1 for _, score in found)


def test_searches_keep_to_the_kinds_asked_for_and_to_the_limit(knowledge: IndexedKnowledge) -> None:
    vector = shared_encoder().encode(["cancel an order"])[0]
    for found in (knowledge.dense(vector, {"manual"}, 2), knowledge.lexical("rinse and unplug it", {"manual"}, 2)):
        assert found
        assert all(evidence_id.startswith("manual:") for evidence_id, _ in found)
    assert len(knowledge.dense(vector, SOURCE_TYPES, 2)) == 2
    assert knowledge.dense(vector, frozenset(), 2) == []
    assert knowledge.lexical("cancel", frozenset(), 2) == []


def test_search_leaves_out_what_is_about_one_product_but_for_its_documents(knowledge: IndexedKnowledge) -> None:
    vector = shared_encoder().encode(["battery of the Aurora X2"])[0]
    found = [*knowledge.dense(vector, SOURCE_TYPES, 50), *knowledge.lexical("battery Aurora X2", SOURCE_TYPES, 50)]
    shown = {one.source_type for one in knowledge.evidence([evidence_id for evidence_id, _ in found])}
    assert not shown & {"spec", "review", "feature", "description", "qa", "variant", "stock", "offer"}


def test_lexical_search_folds_word_forms_and_uses_titles(knowledge: IndexedKnowledge) -> None:
    assert knowledge.lexical("descale kettles", {"manual"}, 1)[0][0] == "manual:brume-kettle-manual#1"
    assert knowledge.lexical("tracking orders", {"help_article"}, 1)[0][0] == "help_article:help/track-order"


@pytest.mark.parametrize(
    "text", ['"', "a AND", "NEAR(x, 2)", "text: *", "^b", "-c", "(", "it's; DROP TABLE", "😀", "", "\x00"]
)
def test_nothing_in_a_question_is_read_as_a_query_language(knowledge: IndexedKnowledge, text: str) -> None:
    assert isinstance(knowledge.lexical(text, SOURCE_TYPES, 5), list)


def test_a_question_of_function_words_alone_is_still_searched(knowledge: IndexedKnowledge) -> None:
    assert knowledge.lexical("how to", SOURCE_TYPES, 5)


def test_it_may_be_read_from_several_threads(index: Path) -> None:
    knowledge = open_knowledge(index)
    vector = shared_encoder().encode(["return a tent"])[0]
    wanted = list(knowledge.products)

    def read(number: int) -> tuple[int, int, int]:
        product_id = wanted[number % len(wanted)]
        return (
            len(knowledge.product_evidence(product_id, SOURCE_TYPES)),
            len(knowledge.dense(vector, SOURCE_TYPES, 5)),
            len(knowledge.lexical("return a tent", SOURCE_TYPES, 5)),
        )

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(read, range(64)))
    assert together == [read(number) for number in range(64)]


def test_a_generation_may_be_opened_by_name(index: Path) -> None:
    name = latest_generation(index)
    assert open_knowledge(index, name).generation == name
    with pytest.raises(MissingGenerationError, match=name):
        open_knowledge(index, "20200101T000000000000-00000000")


def test_no_index_is_an_error_that_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(MissingIndexError, match="Make one with: footnote ingest SHOP --index"):
        open_knowledge(tmp_path / "nowhere")


@pytest.mark.parametrize("damage", ["pointer", "database", "missing database", "chroma", "missing chroma"])
def test_a_damaged_index_is_an_error_that_says_how_to_mend_it(index: Path, tmp_path: Path, damage: str) -> None:
    copy = tmp_path / "copy"
    copytree(index, copy)
    folder = copy / "generations" / latest_generation(copy)
    if damage == "pointer":
        (copy / "CURRENT").write_text("20990101T000000000000-00000000\n")
    elif damage == "database":
        (folder / "knowledge.sqlite").write_bytes(b"garbage" * 1000)
    elif damage == "missing database":
        (folder / "knowledge.sqlite").unlink()
    elif damage == "missing chroma":
        (folder / "chroma").rename(tmp_path / "elsewhere")
    else:
        (folder / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with pytest.raises(CorruptIndexError, match="Make it again with: footnote ingest"):
        open_knowledge(copy).dense(np.ones(384, dtype=np.float32), SOURCE_TYPES, 3)
    if damage == "missing chroma":
        assert not (folder / "chroma").exists()


@pytest.mark.parametrize("name", ["meta.json", "*.idx", "*.term", "*.store", "."])
def test_a_damaged_lexical_index_is_an_error_too(index: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "copy"
    copytree(index, copy)
    folder = copy / "generations" / latest_generation(copy) / "lexical"
    if name == ".":
        folder.rename(tmp_path / "elsewhere")
    for file in folder.glob(name) if name != "." else []:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(CorruptIndexError, match="Make it again with: footnote ingest"):
        open_knowledge(copy).lexical("return a tent", SOURCE_TYPES, 3)
    with pytest.raises(CorruptIndexError):
        check_readable(copy, latest_generation(copy))
