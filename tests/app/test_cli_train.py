"""`footnote train`: a shop's own intents, and what cannot be learnt."""

from pathlib import Path

from tests.app.command_line import Run


def test_intents_of_a_shop_without_any_are_refused_by_name(run: Run, index: Path, tmp_path: Path) -> None:
    shop = tmp_path / "plain"
    shop.mkdir()
    missing = run("train", "intent", "--shop", str(shop), "--index", str(index))
    assert (missing.status, "There is no shop.toml in" in missing.err) == (2, True)
    (shop / "shop.toml").write_text('[intents.gift_wrapping]\nutterances = ["ribbon?"]\nsource_types = ["qa"]\n')
    few = run("train", "intent", "--shop", str(shop), "--index", str(index))
    assert (few.status, "[intents.gift_wrapping] has 1 utterances; at least 8" in few.err) == (2, True)
    (shop / "shop.toml").write_text('[intents.gift_wrapping]\nutterances = ["ribbon?"]\nsource_types = ["ribbons"]\n')
    unknown = run("train", "intent", "--shop", str(shop), "--index", str(index))
    assert (unknown.status, "'ribbons' is no kind of evidence" in unknown.err) == (1, True)
    assert not (index / "intents.npz").exists()


def test_an_index_without_a_shop_is_refused_in_training(run: Run) -> None:
    result = run("train", "intent", "--index", "demo")
    assert (result.status, "no shop was named" in result.err) == (2, True)
