"""The index as a LangChain retriever."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

from graph import open_retriever
from graph.retriever import EvidenceRetriever
from graph.turn import User
from ingestion.evidence import is_searched
from ingestion.knowledge import IndexedKnowledge


@pytest.fixture
def retriever(index: Path) -> Iterator[EvidenceRetriever]:
    found = open_retriever(index)
    yield found
    assert isinstance(found.knowledge, IndexedKnowledge)
    found.knowledge.close()


def test_documents_say_which_evidence_they_are_and_where_in_it_the_answer_stands(retriever: EvidenceRetriever) -> None:
    assert isinstance(retriever, BaseRetriever)
    best = retriever.invoke("How heavy is the Aurora X2?")[0]
    (evidence,) = retriever.knowledge.evidence([best.metadata["evidence_id"]])
    assert (best.id, best.page_content) == (evidence.evidence_id, evidence.text)
    assert (best.metadata["source_type"], best.metadata["title"]) == (evidence.source_type, evidence.title)
    assert best.metadata["generation"] == retriever.knowledge.generation
    assert "172 g" in best.page_content[best.metadata["start"] : best.metadata["end"]]


def test_the_best_stand_first_and_no_more_than_k(retriever: EvidenceRetriever) -> None:
    scores = [document.metadata["score"] for document in retriever.invoke("What is your return policy?")]
    assert scores == sorted(scores, reverse=True)
    few = retriever.model_copy(update={"k": 2})
    assert len(few.invoke("What is your return policy?")) == min(2, len(scores))


def test_only_the_wanted_kinds_are_found_and_what_holds_for_the_user(retriever: EvidenceRetriever) -> None:
    wanted = {"help_article"}
    found = retriever.model_copy(update={"source_types": frozenset(wanted)}).invoke("Can I return it?")
    assert {document.metadata["source_type"] for document in found} == wanted
    sellers = retriever.model_copy(update={"user": User(role="seller"), "k": 1000})
    knowledge = retriever.knowledge
    kept = knowledge.evidence([str(document.id) for document in sellers.invoke("Can I return it?")])
    assert kept
    assert {one.audience for one in kept} <= {"both", "seller"}
    assert all(is_searched(one) for one in kept)


def test_it_is_a_link_of_a_chain(retriever: EvidenceRetriever) -> None:
    chain = retriever | RunnableLambda(lambda documents: [document.id for document in documents])
    assert chain.invoke("How heavy is the Aurora X2?")[0].endswith(":aurora-x2")
