"""Settings come from environment and file; a name that is not one is refused with the nearest that is."""

from pathlib import Path

import pytest

from app.errors import SettingsError
from app.settings import Settings, index_path, known_settings


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_default_works_without_environment_or_file() -> None:
    settings = Settings.load()
    assert settings.index == ".footnote/index"
    assert settings.records == Path(".footnote/records.sqlite")
    assert settings.threads == Path(".footnote/threads.sqlite")


def test_the_environment_sets_nested_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_GRAPH__EVIDENCE_LIMIT", "7")
    assert Settings.load().graph.evidence_limit == 7


def test_the_file_in_the_working_directory_is_read(tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text('team = "the tent desk"\n[graph]\nevidence_limit = 9\n')
    settings = Settings.load()
    assert (settings.team, settings.graph.evidence_limit) == ("the tent desk", 9)


def test_sensitive_claims_and_escalation_are_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "footnote.toml").write_text(
        "[graph.sensitive.provenance]\nseverity = 'low'\nclaims = ['made in \\w+']\n"
        "[graph.escalation.custom_order]\nteam = 'sales'\n"
    )
    monkeypatch.setenv("FOOTNOTE_GRAPH__ESCALATION__LOW_CONFIDENCE__TICKET", "true")
    graph = Settings.load().graph
    assert (graph.sensitive["provenance"].label, graph.sensitive["safety"].severity) == ("provenance", "high")
    assert (graph.escalation.custom_order.team, graph.escalation.custom_order.ticket) == ("sales", True)
    assert graph.escalation.low_confidence.ticket


def test_a_sensitive_class_with_a_broken_pattern_is_refused(tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text("[graph.sensitive.origin]\nclaims = ['made (in']\n")
    with pytest.raises(SettingsError, match=r"graph\.sensitive\.origin.*no regular expression"):
        Settings.load()


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "footnote.toml").write_text('team = "file"\n')
    monkeypatch.setenv("FOOTNOTE_TEAM", "environment")
    assert Settings.load().team == "environment"


def test_footnote_config_names_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.toml").write_text('team = "other"\n')
    monkeypatch.setenv("FOOTNOTE_CONFIG", "other.toml")
    assert Settings.load().team == "other"


def test_a_named_file_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_CONFIG", "missing.toml")
    with pytest.raises(SettingsError, match=r"missing\.toml"):
        Settings.load()


def test_a_file_that_is_no_toml_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text("team = ")
    with pytest.raises(SettingsError, match=r"footnote\.toml cannot be read"):
        Settings.load()


def test_an_unknown_name_in_the_file_is_refused_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text("[graph]\nentropy_treshold = 0.3\n")
    with pytest.raises(SettingsError, match=r"graph\.entropy_treshold.*Did you mean graph\.entropy_threshold"):
        Settings.load()


def test_an_unknown_variable_is_refused_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_RECORD", "x.sqlite")
    with pytest.raises(SettingsError, match=r"Did you mean records \(FOOTNOTE_RECORDS\)"):
        Settings.load()


def test_a_name_like_no_other_lists_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_ZZZZZZ", "1")
    with pytest.raises(SettingsError, match=r"Known are: index, records"):
        Settings.load()


def test_the_bench_folder_is_no_setting_and_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_BENCH", "packs")
    assert Settings.load() == Settings()


def test_a_value_of_the_wrong_kind_names_setting_and_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_GRAPH__EVIDENCE_LIMIT", "many")
    with pytest.raises(SettingsError, match=r"graph\.evidence_limit \(FOOTNOTE_GRAPH__EVIDENCE_LIMIT\)"):
        Settings.load()


def test_the_kinds_read_for_one_intent_can_be_set_alone(tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text('[graph.sources_by_intent]\nwarranty = ["warranty"]\n')
    sources = Settings.load().graph.sources_by_intent
    assert sources["warranty"] == {"warranty"}
    assert sources["opinion"] == Settings().graph.sources_by_intent["opinion"]


def test_the_hash_names_what_can_change_an_answer_and_nothing_else() -> None:
    base = Settings()
    assert Settings(index="elsewhere", records=Path("r"), threads=Path("t")).config_hash == base.config_hash
    changed = base.graph.model_copy(update={"evidence_limit": 3})
    assert Settings(graph=changed).config_hash != base.config_hash


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - the specification's example


@pytest.mark.parametrize("url", ["https://shop.example/hooks", "http://127.0.0.1:8900/hooks", "http://[::1]/hooks"])
def test_webhooks_go_to_https_or_to_this_machine(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__SECRET", SECRET)
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__URL", url)
    settings = Settings.load()
    assert str(settings.webhooks.url) == url
    assert SECRET not in repr(settings)
    assert settings.config_hash == Settings(webhooks={}).config_hash


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://shop.example/hooks", "https://"),
        ("https://ann:secret@shop.example/hooks", "logged"),
        ("shop.example", "URL"),
    ],
)
def test_a_webhook_that_others_could_read_is_refused(monkeypatch: pytest.MonkeyPatch, url: str, reason: str) -> None:
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__SECRET", SECRET)
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__URL", url)
    with pytest.raises(SettingsError, match=f"FOOTNOTE_WEBHOOKS__URL.*{reason}"):
        Settings.load()


@pytest.mark.parametrize("secret", ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=", "whsec_no base64!"])
def test_a_webhook_secret_that_is_none_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__SECRET", secret)
    with pytest.raises(SettingsError, match=r"FOOTNOTE_WEBHOOKS__SECRET.*whsec_ and, in base64") as refused:
        Settings.load()
    assert secret not in str(refused.value)


def test_a_webhook_needs_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__URL", "https://shop.example/hooks")
    with pytest.raises(SettingsError, match="FOOTNOTE_WEBHOOKS__SECRET"):
        Settings.load()


def test_every_setting_is_known_by_its_dotted_name() -> None:
    names = set(known_settings())
    assert {"index", "records", "threads", "team", "graph.evidence_limit"} <= names


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("demo", ".footnote/demo"),
        ("./demo", "demo"),
        ("shops/demo", "shops/demo"),
        ("/srv/demo", "/srv/demo"),
        ("..", ".."),
    ],
)
def test_a_bare_index_name_lies_in_the_home_folder(name: str, path: str) -> None:
    assert index_path(name) == Path(path)


def test_the_size_of_chunks_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.load().ingestion.chunk_tokens is None
    monkeypatch.setenv("FOOTNOTE_INGESTION__CHUNK_TOKENS", "128")
    assert Settings.load().ingestion.chunk_tokens == 128


@pytest.mark.parametrize(("name", "value"), [("CHUNK_TOKENS", "3"), ("CHUNK_TOKENS", "many")])
def test_a_size_of_chunks_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"FOOTNOTE_INGESTION__{name}", value)
    with pytest.raises(SettingsError, match=f"FOOTNOTE_INGESTION__{name}"):
        Settings.load()
