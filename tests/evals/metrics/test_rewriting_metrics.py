"""Metrics of a rewrite against figures worked out by hand and against sacrebleu."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from evals.metrics.texts import bleu_metric, exact_match, rouge1_recall, token_f1, tokens
from evals.report import Metric

sentences = st.lists(st.sampled_from("the lamp is red and bright ?".split()), max_size=9).map(" ".join)


def test_words_are_compared_whatever_their_case_and_the_signs_between_them() -> None:
    assert tokens("Is the X2's Größe 6.1?") == ("is", "the", "x2", "s", "größe", "6", "1")
    assert exact_match("is it RED", ["Is it red?"])
    assert not exact_match("red is it", ["Is it red?"])


def test_token_f1_counts_a_word_as_often_as_both_have_it() -> None:
    assert token_f1("the lamp the lamp", ["the lamp is red"]) == pytest.approx(2 * 2 / 8)


def test_recall_is_over_the_words_of_the_gold_question() -> None:
    assert rouge1_recall("is it red", ["is the lamp red"]) == pytest.approx(2 / 4)
    assert rouge1_recall("is the lamp red or blue", ["is the lamp red"]) == 1


def test_the_likest_of_several_golds_counts() -> None:
    golds = ["what does it cost", "is the lamp red"]
    assert exact_match("is the lamp red", golds)
    assert token_f1("is the lamp", golds) == pytest.approx(2 * 3 / 7)
    assert rouge1_recall("is the lamp", golds) == pytest.approx(3 / 4)


@pytest.mark.parametrize(("rewrite", "gold", "same"), [("?", "!", 1), ("", "red", 0), ("red", "?", 0)])
def test_a_text_without_words_is_only_like_another_without_any(rewrite: str, gold: str, same: float) -> None:
    assert token_f1(rewrite, [gold]) == same
    assert exact_match(rewrite, [gold]) == same


@given(sentences, st.lists(sentences, min_size=1, max_size=3))
def test_figures_lie_between_0_and_1_and_are_1_where_the_words_are_the_same(rewrite: str, golds: list[str]) -> None:
    figures = [token_f1(rewrite, golds), rouge1_recall(rewrite, golds)]
    assert all(0 <= figure <= 1 for figure in figures)
    if exact_match(rewrite, golds):
        assert figures == [1, 1]


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_bleu_is_that_of_sacrebleu_for_all_rows_together(pairs: list[tuple[str, str]]) -> None:
    rewrites, golds = [rewrite.upper() for rewrite, _ in pairs], [gold for _, gold in pairs]
    expected = BLEU(lowercase=True).corpus_score(rewrites, [golds]).score
    assert bleu_metric(rewrites, golds).value == pytest.approx(expected, abs=1e-5)


def test_the_interval_of_bleu_holds_it() -> None:
    found = bleu_metric(["is the lamp red and bright"] * 20 + ["what"] * 20, ["is the lamp red and bright now"] * 40)
    assert found.ci95 is not None
    assert found.value is not None
    assert found.ci95[0] < found.value < found.ci95[1]
    assert bleu_metric([], []) == Metric(value=None, ci95=None, n=0)
