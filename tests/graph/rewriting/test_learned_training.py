"""Training of the learned rewriter: it repeats itself, holds back what it is measured on, its card is true."""

import json
from pathlib import Path

import numpy as np
import pytest

from graph.rewriting.learned.deciding import rewritten
from graph.rewriting.learned.training import release
from graph.rewriting.learned.training.curriculum import Curriculum, fold_of
from graph.rewriting.learned.training.figures import measure
from graph.rewriting.learned.training.lessons import fit, lesson_of
from graph.rewriting.learned.training.packs import (
    CANARD,
    CAST_2019,
    CAST_2020,
    LICENCES,
    Conversation,
    Utterance,
    already_alone,
    read_conversations,
    without_page,
)
from graph.rewriting.learned.weights import MODEL_PATH, RewriterWeights, RewriterWeightsError
from graph.trained.packs import MissingTrainingDataError

THINGS = "heat pump,harbour festival,parking permit,city museum,solar panel,library card,river cruise,night bus".split(
    ","
)
ASKED = "How old is it?,Where is it?,Is it free?,Who made it?,When is it open?,Why is it loud?".split(",")


def conversation(number: int, thing: str, query: str, *, page: bool = False) -> Conversation:
    gold = query.replace("it", f"the {thing}").lower().rstrip("?").split()
    history = () if page else (Utterance("user", f"What is the {thing}?"),)
    return Conversation(f"talk-{number}_2", query, history, (thing.title(),) if page else (), (tuple(gold),))


def conversations(*, page: bool = False) -> list[Conversation]:
    asked = [(thing, query) for thing in THINGS for query in ASKED]
    return [conversation(number, *one, page=page) for number, one in enumerate(asked)]


def test_the_same_rows_give_the_same_bytes() -> None:
    first, second = (RewriterWeights(fit([lesson_of(conversations())])).to_bytes() for _ in range(2))
    assert first == second


def test_what_a_pronoun_stands_for_is_learnt() -> None:
    ranker = fit([lesson_of(conversations())])
    history = [Utterance("user", "What is the gift card?")]
    assert rewritten(ranker, "Is it new?", history, []) == "Is the gift card new?"


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    weights = RewriterWeights(fit([lesson_of(conversations())]))
    (tmp_path / "model.npz").write_bytes(weights.to_bytes())
    again = RewriterWeights.load(tmp_path / "model.npz")
    assert again.to_bytes() == weights.to_bytes()


def test_a_fold_is_learnt_without_its_dialogues() -> None:
    paged, chats = conversations(page=True), conversations()
    fold = fold_of(chats[0])
    turned = [
        row if fold_of(row) != fold else Conversation(row.id, row.query, row.history, row.context, (("no",),))
        for row in chats
    ]
    before, after = (Curriculum(paged, rows).ranker(without=fold) for rows in (chats, turned))
    assert RewriterWeights(before).to_bytes() == RewriterWeights(after).to_bytes()


def test_questions_of_one_dialogue_are_held_back_together() -> None:
    rows = [Conversation(f"C_1a_0-{turn}", "", (), (), ()) for turn in range(4)]
    assert {row.dialogue for row in rows} == {"C_1a_0"}
    assert len({fold_of(row) for row in rows}) == 1


def test_without_a_page_the_first_thing_said_names_its_topic() -> None:
    row = Conversation("1-1", "When?", (Utterance("assistant", "Well."),), ("Blur (band)", "Years"), ())
    (pageless,) = without_page([row])
    assert pageless.context == ()
    assert [said.role for said in pageless.history] == ["user"]
    assert "Blur" in pageless.history[0].content
    assert "(band)" not in pageless.history[0].content


def test_what_people_made_of_a_question_is_asked_again_where_nothing_is_missing() -> None:
    rows = [
        Conversation(
            f"talk-{number}_2", "Is it free?", (Utterance("user", f"What is {thing}?"),), (), (), f"Is {thing} free?"
        )
        for number, thing in enumerate(THINGS)
    ]
    again = already_alone(rows, others=2)
    assert {row.query for row in again} == {row.alone for row in rows}
    assert not any(row.needs_rewrite for row in again)
    assert [row.history for row in again[::3]] == [row.history for row in rows]


def test_figures_are_over_changed_and_over_unchanged_questions() -> None:
    rows = [
        conversation(1, "heat pump", "Is it free?"),
        Conversation("2", "Is it free?", (), (), (("is", "it", "free"),)),
    ]
    figures = measure(rows, ["Is the heat pump free?", "Is that free?"])
    assert (figures.rows, figures.token_f1, figures.kept_rows, figures.kept) == (1, 1, 1, 0)


def _write_pack(bench: Path, name: str, rows: list[Conversation], split: str) -> None:
    (bench / name).mkdir()
    lines = [
        json.dumps(
            {
                "id": row.id,
                "query": row.query,
                "history": [{"role": said.role, "content": said.content} for said in row.history],
                "context": list(row.context),
                "gold": [" ".join(gold) for gold in row.golds],
                "split": split if number % 2 else "test",
            }
        )
        for number, row in enumerate(rows)
    ]
    (bench / name / "data.jsonl").write_text("\n".join(lines))


def test_a_release_is_measured_on_rows_that_it_did_not_learn(tmp_path: Path) -> None:
    _write_pack(tmp_path, CANARD, conversations(page=True), "train")
    _write_pack(tmp_path, CAST_2019, conversations(), "train")
    _write_pack(tmp_path, CAST_2020, conversations(), "test")
    released = release.train(tmp_path)
    assert set(released.figures) == {
        f"{CANARD}, train, cross-validated",
        f"{CAST_2019}, train, cross-validated",
        f"{CANARD}, test",
        f"{CAST_2020}, test",
    }
    assert f"({len(THINGS) * len(ASKED) // 2} rows" in released.card


def test_only_rows_of_the_split_are_read(tmp_path: Path) -> None:
    _write_pack(tmp_path, CAST_2019, conversations()[:4], "train")
    assert len(read_conversations(tmp_path, CAST_2019, "train")) == 2


def test_a_missing_pack_says_where_to_find_it(tmp_path: Path) -> None:
    with pytest.raises(MissingTrainingDataError, match="FOOTNOTE_BENCH"):
        read_conversations(tmp_path, CANARD, "train")


def test_a_damaged_file_says_how_to_make_it_again(tmp_path: Path) -> None:
    (tmp_path / "model.npz").write_bytes(MODEL_PATH.read_bytes()[:100])
    with pytest.raises(RewriterWeightsError, match="footnote train rewriter"):
        RewriterWeights.load(tmp_path / "model.npz")


def test_the_card_that_ships_names_packs_licences_and_the_size_of_the_file() -> None:
    card = MODEL_PATH.with_name("MODEL_CARD.md").read_text(encoding="utf-8")
    assert all(f"`{pack}`" in card and LICENCES[pack] in card for pack in (CANARD, CAST_2019))
    assert f"{MODEL_PATH.stat().st_size / 1000:.0f} kB" in card


def test_no_weight_is_infinite() -> None:
    ranker = RewriterWeights.load().ranker
    assert all(np.isfinite(trees.value).all() for trees in (ranker.fills, ranker.additions))
