"""A shop's own intents: learnt beside ours, kept with its index, selected, and answered from the kinds they name."""

from pathlib import Path

import pytest

from evals.training.intent_model import Example, read_utterances
from evals.training.intents import ShopIntentsError, train_for_shop
from graph.intents import DECISION_INTENTS, NON_DECISION
from graph.intents.entropy import SOURCES_BY_INTENT, classify, normalised_entropy
from graph.intents.model import FILE_NAME, LocalIntentModel, ShopIntents, intent_parts
from graph.options import GraphOptions
from graph.trained import WeightsError
from graph.understanding.clauses import split_clauses
from ingestion.readers.config import ShopIntent
from tests.graph.fakes import WordHashEncoder

WAYS = (
    "do you gift wrap the {product}",
    "can you wrap it as a present",
    "is gift wrapping possible",
    "please wrap my order in gift paper",
    "how much is gift wrap",
    "add a ribbon and gift paper",
    "do you offer gift boxes",
    "gift wrapped?",
)
GIFT = ShopIntent("gift_wrapping", WAYS, frozenset({"help_article", "offer"}))


def ours() -> list[Example]:
    return read_utterances()[::16]


@pytest.fixture(scope="module")
def trained() -> ShopIntents:
    return train_for_shop([GIFT], WordHashEncoder(), ours())


def test_a_new_intent_is_learnt_beside_ours(trained: ShopIntents) -> None:
    model = LocalIntentModel(WordHashEncoder(), trained.weights)
    distribution = model.distribution("could you gift wrap the kettle")
    assert max(distribution, key=lambda name: distribution[name]) == "gift_wrapping"
    assert {*DECISION_INTENTS, NON_DECISION, "gift_wrapping"} == set(distribution)
    assert sum(distribution.values()) == pytest.approx(1)


def test_a_new_intent_can_be_selected_and_counts_in_the_entropy(trained: ShopIntents) -> None:
    model = LocalIntentModel(WordHashEncoder(), trained.weights)
    options = trained.options(GraphOptions(non_decision_threshold=0.9))
    found = classify(split_clauses("do you gift wrap the kettle"), model, options, searchable=True, live_agent=False)
    assert found.selected[0] == "gift_wrapping"
    even = dict.fromkeys([*DECISION_INTENTS, "gift_wrapping"], 1 / 15)
    assert normalised_entropy(even) == pytest.approx(1)


def test_an_intent_reads_the_kinds_of_evidence_it_names(trained: ShopIntents) -> None:
    kinds = trained.options(GraphOptions()).sources_by_intent
    assert kinds["gift_wrapping"] == {"help_article", "offer"}
    assert kinds["warranty"] == SOURCES_BY_INTENT["warranty"]


def test_what_the_settings_say_of_an_intent_wins(trained: ShopIntents) -> None:
    options = GraphOptions(sources_by_intent={"gift_wrapping": frozenset({"qa"})})
    assert trained.options(options).sources_by_intent["gift_wrapping"] == {"qa"}


def test_utterances_are_added_to_an_intent_that_there_is() -> None:
    more = ShopIntent("warranty", ("is the {product} covered by the comet pledge",), frozenset({"warranty", "qa"}))
    own = train_for_shop([more], WordHashEncoder(), ours())
    assert set(own.weights.labels) == {*DECISION_INTENTS, NON_DECISION}
    assert own.options(GraphOptions()).sources_by_intent["warranty"] == {"warranty", "qa"}


def test_training_twice_gives_the_same_bytes(trained: ShopIntents) -> None:
    assert train_for_shop([GIFT], WordHashEncoder(), ours()).to_bytes() == trained.to_bytes()


def test_the_model_is_kept_with_the_index_and_changes_the_settings_hash(trained: ShopIntents, tmp_path: Path) -> None:
    _, before, plain = intent_parts(tmp_path, WordHashEncoder(), GraphOptions(), "hash")
    (tmp_path / FILE_NAME).write_bytes(trained.to_bytes())
    model, options, mixed = intent_parts(tmp_path, WordHashEncoder(), GraphOptions(), "hash")
    assert "gift_wrapping" in model.distribution("gift wrap")
    assert (set(options.sources_by_intent) - set(before.sources_by_intent), plain) == ({"gift_wrapping"}, "hash")
    assert mixed != plain


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"nothing")
    with pytest.raises(WeightsError, match="Train them again, or delete the file"):
        ShopIntents.load(tmp_path)


@pytest.mark.parametrize(
    ("intents", "said"),
    [
        ([], "names no intents"),
        (
            [ShopIntent("gift_wrapping", WAYS, frozenset())],
            r"\[intents.gift_wrapping\] is new and names no source_types",
        ),
        ([ShopIntent("gift_wrapping", WAYS[:3], frozenset({"qa"}))], "has 3 utterances; at least 8"),
        ([ShopIntent(NON_DECISION, WAYS, frozenset({"qa"}))], "non_decision reads no evidence"),
    ],
)
def test_intents_that_cannot_be_learnt_are_named(intents: list[ShopIntent], said: str) -> None:
    with pytest.raises(ShopIntentsError, match=said):
        train_for_shop(intents, WordHashEncoder(), ours())
