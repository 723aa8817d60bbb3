"""Variants: sets of settings beside each other, each on its share of the conversations."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from app import Assistant
from app.errors import SettingsError
from app.settings import Settings
from app.variants import assigned
from app.wiring import Wiring

NARROW: dict[str, Any] = {"share": 0.5, "graph": {"entropy_threshold": 1}}
WIDE: dict[str, Any] = {"share": 0.5, "graph": {"entropy_threshold": 0, "dominant_intent": 1, "broad_floor": 0}}
WEIGHT = "How heavy is the Aurora X2?"


def written(folder: Path, text: str) -> Settings:
    (folder / "footnote.toml").write_text(text, encoding="utf-8")
    return Settings.load()


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, without settings."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_a_variant_does_not_say_is_as_the_settings_have_it(empty: Path) -> None:
    settings = written(
        empty,
        "[graph]\nfetch_limit = 7\n[graph.sources_by_intent]\nwarranty = ['warranty']\n"
        "[graph.escalation.custom_order]\nteam = 'sales'\n"
        "[variants.wide]\nshare = 0.2\n[variants.wide.graph]\nentropy_threshold = 0.2\n"
        "[variants.wide.graph.escalation.custom_order]\nthreshold = 5\n",
    )
    wide, default = settings.under("wide"), settings.under(None)
    assert (wide.graph.entropy_threshold, default.graph.entropy_threshold) == (0.2, 0.35)
    assert wide.graph.fetch_limit == 7
    assert wide.graph.sources_by_intent == default.graph.sources_by_intent
    assert (wide.graph.escalation.custom_order.team, wide.graph.escalation.custom_order.threshold) == ("sales", 5)
    assert wide.graph.sensitive == default.graph.sensitive


@pytest.mark.usefixtures("empty")
def test_the_environment_sets_variants_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_VARIANTS__QUICK__SHARE", "0.3")
    monkeypatch.setenv("FOOTNOTE_VARIANTS__QUICK__LLM__WHEN", "unsure")
    settings = Settings.load()
    assert (settings.variants["quick"].share, settings.under("quick").llm.when) == (0.3, "unsure")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[variants.a]\nshare = 0.5\nencoder = 'other'\n", r"a sets encoder, .*graph\.entropy_threshold.*llm\.when"),
        ("[variants.a]\nshare = 0.5\nllm.model = 'm'\n", r"a sets llm\.model, .*llm\.when"),
        ("[variants.a]\nshare = 0.5\ngraph.entropy_treshold = 0.1\n", r"graph\.entropy_treshold.*entropy_threshold"),
        ("[variants.a]\nshare = 0.5\ngraph.max_query_chars = 9\n", r"graph\.max_query_chars"),
        ("[variants.a]\nshare = 0.5\ngraph.sensitive.legal.on = false\n", r"graph\.sensitive"),
        ("[variants.a]\nshare = 0.5\ngraph = 3\n", "a sets graph"),
        ("[variants.a]\nshare = 0.5\ngraph.entropy_threshold = 2\n", r"variants\.a\.graph\.entropy_threshold"),
        ("[variants.a]\nllm.when = 'never'\n", r"variants\.a\.share.*required"),
        ("[variants.a]\nshare = 0\n", r"variants\.a\.share.*greater than 0"),
        ("[variants.a]\nshare = 0.6\n[variants.b]\nshare = 0.6\n", r"add up to 1\.2"),
        ("[variants.default]\nshare = 0.5\n", "default is the name of the settings as they are"),
        ("[variants.Wide]\nshare = 0.5\n", r"variants\.Wide.*pattern"),
        ("variants = 3\n", "variants"),
        ("[variants]\na = 3\n", r"variants\.a"),
        ("[graph]\nfetch_limit = 0\n[variants.a]\nshare = 0.5\n", r"The setting graph\.fetch_limit"),
    ],
)
def test_a_variant_that_cannot_be_is_refused_with_what_can(empty: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        written(empty, text)


def test_the_hash_of_settings_is_that_of_what_answers() -> None:
    settings = Settings.model_validate({"variants": {"narrow": NARROW, "same": {"share": 0.1}}})
    assert settings.config_hash == settings.under("same").config_hash == Settings().config_hash
    assert settings.under("narrow").config_hash != settings.config_hash


def test_the_time_for_a_turn_is_enough_for_every_variant() -> None:
    llm = {"base_url": "http://localhost:8000/v1", "model": "m", "when": "never"}
    asking = {"asking": {"share": 0.1, "llm": {"when": "always"}}}
    alone, tried = (Settings.model_validate({"llm": llm, "variants": one}) for one in ({}, asking))
    assert tried.turn_limit_s == tried.under("asking").turn_limit_s > alone.turn_limit_s


def test_conversations_are_assigned_by_their_ids_in_the_shares_that_are_set() -> None:
    variants = Settings.model_validate({"variants": {"a": {"share": 0.5}, "b": {"share": 0.2}}}).variants
    backwards = dict(reversed(variants.items()))
    ids = [f"conversation {number}" for number in range(20_000)]
    found = [assigned(one, variants) for one in ids]
    assert found == [assigned(one, backwards) for one in ids], "the order in the file makes no difference"
    counts = Counter(found)
    for name, share in (("a", 0.5), ("b", 0.2), (None, 0.3)):
        assert counts[name] / len(ids) == pytest.approx(share, abs=0.015)  # over four standard errors


def test_an_assignment_is_the_same_in_every_process() -> None:
    variants = Settings.model_validate({"variants": {"narrow": NARROW, "wide": WIDE}}).variants
    assert [assigned(f"t{number}", variants) for number in range(4)] == ["narrow", "narrow", "wide", "wide"]


@pytest.fixture
def stores(tmp_path: Path) -> dict[str, Path]:
    """Databases of the test's own."""
    return {name: tmp_path / f"{name}.sqlite" for name in ("records", "threads")}


def settings_with(stores: dict[str, Path], **variants: dict[str, Any]) -> Settings:
    return Settings.model_validate(stores | {"variants": variants})


@pytest.fixture
def assistant(index: Path, stores: dict[str, Path]) -> Iterator[Assistant]:
    """An assistant that reads one intent in half of its conversations, and several in the others."""
    with Assistant.open(str(index), settings_with(stores, narrow=NARROW, wide=WIDE)) as opened:
        yield opened


def test_two_variants_answer_one_question_by_their_own_settings(assistant: Assistant) -> None:
    narrow, wide = (assistant.ask(WEIGHT, thread=thread) for thread in ("t0", "t2"))
    assert (narrow.variant, narrow.intent.branch) == ("narrow", "focused")
    assert (wide.variant, wide.intent.branch) == ("wide", "broad")
    assert len(wide.retrieved) > len(narrow.retrieved)
    assert wide.config_hash != narrow.config_hash
    assert [turn.variant for turn in assistant.records.history("t2")] == ["wide"], "the record says it"


def test_a_conversation_stays_with_its_variant_as_long_as_there_is_one(index: Path, stores: dict[str, Path]) -> None:
    answered = []
    for variants in (
        {"wide": WIDE | {"share": 1.0}},
        {"wide": WIDE | {"share": 0.001}, "narrow": NARROW | {"share": 0.999}},
        {},
        {"wide": WIDE},
    ):
        with Assistant.open(str(index), settings_with(stores, **variants)) as assistant:
            answered.append((assistant.ask(WEIGHT, thread="t").variant, assistant.ask(WEIGHT).variant))
    assert [variant for variant, _ in answered] == ["wide", "wide", None, "wide"]
    assert answered[2] == (None, None)


def test_a_conversation_of_before_goes_on_with_the_settings_as_they_are(index: Path, stores: dict[str, Path]) -> None:
    with Assistant.open(str(index), settings_with(stores)) as assistant:
        turn = assistant.ask(WEIGHT, thread="t")
        assert (turn.variant, turn.config_hash) == (None, Settings().config_hash)
    with Assistant.open(str(index), settings_with(stores, wide=WIDE | {"share": 1.0})) as assistant:
        assert assistant.ask(WEIGHT, thread="t").variant is None
        assert assistant.ask(WEIGHT, thread="new").variant == "wide"


class _Model:
    """A served model that nobody asks."""

    def close(self) -> None:
        pass


def test_variants_share_everything_but_what_they_change(index: Path, stores: dict[str, Path]) -> None:
    served = {"llm": {"base_url": "http://localhost:8000/v1", "model": "m"}}
    local = {"local": {"share": 0.5, "llm": {"when": "never"}}}
    model: Any = _Model()
    parts = Wiring(index, Settings.model_validate(stores | served | {"variants": local}), model=model)
    try:
        default, own = parts.under(None), parts.under("local")
        assert (default.writer is None, own.writer is None) == (False, True)
        differing = {one.name for one in fields(own) if getattr(own, one.name) is not getattr(default, one.name)}
        assert differing == {"options", "config_hash", "writer", "variant"}
        with parts.reading("local") as context:
            assert context is own
        with parts.reading("gone") as context:
            assert context is default
    finally:
        parts.close()
