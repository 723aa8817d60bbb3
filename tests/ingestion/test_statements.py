"""Statements: what is read of an evidence, its vectors, and the weights that make them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ingestion.embedding_cache import TextEncoder
from ingestion.ingest import ingest
from ingestion.knowledge import open_knowledge
from ingestion.statement_encoder import shared_statement_encoder
from ingestion.statements import statement_spans, statement_texts
from tests.graph.shops import document
from tests.ingestion.conftest import WriteShop

FILES: Mapping[str, object] = {
    "products.jsonl": [{"id": "mug", "name": "Fell Mug", "description": "It holds tea. It keeps warm."}],
    "questions.jsonl": [{"id": "q", "product_id": "mug", "question": "Is it loud?", "answer": "No. Mugs are silent."}],
}


def test_a_sentence_is_read_behind_what_names_its_source() -> None:
    care = document("care", "- Rinse it.\n- Dry it.", title="Mugs", section="Care")
    assert statement_texts(care) == ["Mugs > Care: Rinse it.", "Mugs > Care: Dry it."]
    assert [care.text[start:end] for start, end in statement_spans(care)] == ["- Rinse it.", "- Dry it."]


def test_an_answer_is_read_with_its_question_and_quoted_without() -> None:
    told = document("q", "Question: Is it loud?\nAnswer: No. Mugs are silent.", kind="qa", title="Fell Mug")
    assert statement_texts(told) == ["Fell Mug: Question: Is it loud? Answer: No. Mugs are silent."]
    [(start, end)] = statement_spans(told)
    assert told.text[start:end] == "No. Mugs are silent."


def test_an_index_knows_the_statements_it_was_given_an_encoder_for(
    write_shop: WriteShop, encoder: TextEncoder, tmp_path: Path
) -> None:
    ingest([write_shop(FILES)], tmp_path / "index", encoder=encoder, statements=encoder)
    knowledge = open_knowledge(tmp_path / "index")
    evidence = knowledge.product_evidence("mug", {"description", "qa"})
    known = knowledge.statement_vectors(evidence)
    assert {key: len(rows) for key, rows in known.items()} == {"description:mug": 2, "qa:q": 1}
    for item in evidence:
        assert np.allclose(known[item.evidence_id], encoder.encode(statement_texts(item)), atol=1e-3)
    knowledge.close()


def test_without_one_they_are_embedded_when_they_are_read(
    write_shop: WriteShop, encoder: TextEncoder, tmp_path: Path
) -> None:
    ingest([write_shop(FILES)], tmp_path / "index", encoder=encoder)
    knowledge = open_knowledge(tmp_path / "index")
    assert knowledge.statement_vectors(knowledge.product_evidence("mug", {"description"})) == {}
    knowledge.close()


def test_what_says_something_else_than_the_index_is_not_known(
    write_shop: WriteShop, encoder: TextEncoder, tmp_path: Path
) -> None:
    ingest([write_shop(FILES)], tmp_path / "index", encoder=encoder, statements=encoder)
    knowledge = open_knowledge(tmp_path / "index")
    [item] = knowledge.product_evidence("mug", {"description"})
    assert set(knowledge.statement_vectors([item])) == {item.evidence_id}
    assert knowledge.statement_vectors([replace(item, text="It holds tea. It keeps cold.")]) == {}
    knowledge.close()


def test_the_encoder_that_ships_finds_what_answers_in_other_words() -> None:
    question, answer, other = shared_statement_encoder().encode(
        [
            "will my stuff stay dry if it pours",
            "Fell 40 > Features: The fabric keeps water out and the seams are taped.",
            "Fell 40 > Features: Two pockets on the hip belt hold a phone and snacks.",
        ]
    )
    assert question @ answer > question @ other
    assert shared_statement_encoder().encode([]).shape == (0, 768)
