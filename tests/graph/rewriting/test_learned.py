"""The learned rewriter that ships: what a question is missing comes from the conversation, and nothing else changes."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.catalog import LocalCatalog
from graph.catalog.function_words import FUNCTION_WORDS
from graph.discourse import Discourse, PastTurn
from graph.rewriting import LearnedRewriter, RuleRewriter
from graph.rewriting.learned.deciding import Described
from graph.rewriting.learned.edits import Rewriting
from graph.rewriting.learned.reading.situation import read_situation
from graph.rewriting.learned.weights import MODEL_PATH, RewriterWeights
from graph.rewriting.rules import Utterance
from graph.rewriting.words import words_of
from graph.turn import Page, User

REWRITER = LearnedRewriter.load()
Rewrite = Callable[..., str]


def rewrite(query: str, *asked: str, answers: Sequence[str] = (), titles: Sequence[str] = ()) -> str:
    """Rewrite a question after others, each with its answer where there is one."""
    history = []
    for place, question in enumerate(asked):
        history.append(Utterance("user", question))
        history.extend(Utterance("assistant", answer) for answer in answers[place : place + 1])
    return REWRITER.rewrite(query, history, titles)


@pytest.mark.parametrize(
    ("before", "query", "standalone"),
    [
        ("What is a heat pump?", "How does it work?", "How does a heat pump work?"),
        ("Tell me about the harbour festival.", "When does it start?", "When does the harbour festival start?"),
        ("What are loyalty points?", "Do they expire?", "Do loyalty points expire?"),
    ],
)
def test_a_pronoun_gives_way_to_what_was_spoken_of(before: str, query: str, standalone: str) -> None:
    assert rewrite(query, before) == standalone


def test_a_later_topic_takes_the_place_of_an_earlier_one() -> None:
    asked = ["What is a heat pump?", "How does it work?", "Tell me about solar panels."]
    assert rewrite("How long do they last?", *asked) == "How long do solar panels last?"


def test_the_topic_of_the_open_page_is_the_first_context() -> None:
    assert "Harbour Festival" in rewrite("When does it start?", titles=["Harbour Festival", "Programme"])


def test_a_noun_that_asks_for_more_gets_it() -> None:
    rewritten = rewrite("What are the advantages?", "What is a heat pump?")
    assert rewritten.startswith("What are the advantages")
    assert "heat pump" in rewritten


@pytest.mark.parametrize(
    "query",
    [
        "What is a heat pump?",
        "  how do I  close my account ?! ",
        "Which documents do I need for a parking permit?",
        "Tell me about the opening hours of the city museum.",
    ],
)
def test_what_stands_alone_passes_byte_for_byte(query: str) -> None:
    assert rewrite(query) == query
    assert rewrite(query, "What is throat cancer?") == query


@given(
    st.lists(st.text(max_size=80), max_size=3),
    st.text(max_size=120),
    st.lists(st.text(max_size=20), max_size=2),
)
@settings(max_examples=60)
def test_any_text_is_read_without_failing(asked: list[str], query: str, titles: list[str]) -> None:
    assert isinstance(rewrite(query, *asked, titles=titles), str)


WORDS = (
    "is it the advantages how does they work and what about this festival why when he pump solar panels in Norway "
    "largest one expire their Anna Berg there oldest"
).split()
SAID = Discourse(
    turns=[
        PastTurn(query=text, standalone_query=text, answer=answer, outcome="clear")
        for text, answer in (
            ("What is a heat pump?", "A machine that moves heat."),
            ("Who is Anna Maria Berg?", "She opened the largest harbour festival in Bergen."),
        )
    ]
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join))
@settings(max_examples=150)
def test_in_a_turn_no_content_word_is_lost(query: str) -> None:
    result = RuleRewriter(LocalCatalog({}), REWRITER).rewrite(query, SAID, User(), {})
    said, kept = ({word.text for word in words_of(text)} - FUNCTION_WORDS for text in (query, result.standalone_query))
    assert said <= kept


def test_a_turn_tells_that_the_model_rewrote_it() -> None:
    result = RuleRewriter(LocalCatalog({}), REWRITER).rewrite("When was she born?", SAID, User(), {})
    assert (result.rewritten_by, result.products) == ("model", ())
    assert "Berg" in result.standalone_query


def test_the_titles_of_an_open_page_reach_the_model() -> None:
    user = User(page=Page(titles=["Harbour Festival"]))
    result = RuleRewriter(LocalCatalog({}), REWRITER).rewrite("When does it start?", Discourse(), user, {})
    assert result.standalone_query == "When does Harbour Festival start?"


def test_a_question_to_the_shop_is_not_the_models() -> None:
    result = RuleRewriter(LocalCatalog({}), REWRITER).rewrite("What is your return policy?", SAID, User(), {})
    assert (result.standalone_query, result.rewritten_by) == ("What is your return policy?", "none")


def test_the_weights_that_ship_read_the_features_that_the_code_describes() -> None:
    ranker = RewriterWeights.load(MODEL_PATH).ranker
    described = Described(read_situation("Is it old?", [Utterance("user", "What is a heat pump?")], ["Heat"]))
    assert described.fills([]).names == ranker.fills.features
    assert described.additions(Rewriting((None,))).names == ranker.additions.features


def test_the_trees_add_up_leaf_by_leaf() -> None:
    trees = RewriterWeights.load(MODEL_PATH).ranker.additions
    row = np.zeros((1, len(trees.features)), dtype=np.float32)
    total = 0.0
    for root in trees.roots.tolist():
        node = root
        while trees.children[2 * node] != node:
            node = int(trees.children[2 * node + int(row[0, trees.column[node]] > trees.threshold[node])])
        total += float(trees.value[node])
    assert trees.predict(row)[0] == pytest.approx(total, abs=1e-5)
