from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import pytest
from pydantic import ValidationError

from evals.shops import read_folder
from evals.training.reader_examples import SHOPS, ShopRow, WishRow, read_shop_rows, shop_names, wishes_of
from ingestion.evidence import Evidence
from ingestion.statements import plain

ROW = {
    "evidence": "warranty:w1",
    "sentence": "Poles are covered for two years.",
    "also": ["Damage by wind is not covered."],
    "questions": ["pole snapped after a year"],
    "yes_no": [{"q": "are the pegs covered?", "a": "no"}],
    "followup": {"before": ["my tent broke"], "q": "the sticks i mean"},
    "near_misses": ["how do i mend a pole"],
    "supported": ["The warranty on poles lasts two years."],
    "unsupported": [{"claim": "Poles are covered for five years.", "kind": "changed_number"}],
}
SHOP = {"warranty:w1": "1. **Poles** are covered\nfor two years.", "warranty:w2": "Damage by wind is not covered."}


def messages(row: ShopRow) -> Iterator[str]:
    """Everything that a customer types in a row, but for what stands before a follow-up."""
    yield from row.questions
    yield from (asked.q for asked in row.yes_no)
    yield from row.near_misses
    if row.followup is not None:
        yield row.followup.q


def read_shop_texts(name: str) -> dict[str, str]:
    """Every row and document of a shop as one text, by `source_type:row_id`."""
    texts: dict[str, list[str]] = {}
    for one in read_folder(SHOPS / name / "shop").evidence:
        texts.setdefault(_row(one), []).append(one.text)
    return {row: "\n".join(parts) for row, parts in texts.items()}


def wished(row: WishRow) -> Iterator[str]:
    """The wishes of a row."""
    yield from (asked.q for asked in row.yes_no)
    yield from row.near_misses


def missing_sentences(rows: Iterable[ShopRow], texts: Mapping[str, str]) -> list[str]:
    """The sentences that do not stand where their rows say."""
    folded = {row: plain(text) for row, text in texts.items()}
    shop = "\n".join(folded.values())
    missing = [row.sentence for row in rows if plain(row.sentence) not in folded.get(row.evidence, "")]
    return missing + [said for row in rows for said in row.also if plain(said) not in shop]


def _row(one: Evidence) -> str:
    return f"{one.source_type}:{one.row_id}"


@pytest.mark.parametrize("name", shop_names())
def test_every_sentence_stands_in_its_shop_and_no_message_stands_twice(name: str) -> None:
    rows = read_shop_rows(name)
    texts = read_shop_texts(name)
    assert missing_sentences(rows, texts) == []
    wishes = wishes_of(SHOPS / name)
    assert [row.sentence for row in wishes if plain(row.sentence) not in plain(texts.get(row.evidence, ""))] == []
    said = Counter(message.casefold() for row in rows for message in messages(row))
    said += Counter(wish.casefold() for row in wishes for wish in wished(row))
    assert [message for message, times in said.items() if times > 1] == []


def test_a_sentence_may_lose_the_marks_of_its_list_and_nothing_else() -> None:
    row = ShopRow.model_validate(ROW)
    assert missing_sentences([row], SHOP) == []
    changed = row.model_copy(update={"sentence": "Poles are covered for five years."})
    assert missing_sentences([changed], SHOP) == ["Poles are covered for five years."]


def test_a_sentence_of_another_row_is_missing_and_one_beside_it_may_stand_anywhere() -> None:
    elsewhere = ShopRow.model_validate({**ROW, "evidence": "warranty:w2", "also": ["Pegs are free."]})
    assert missing_sentences([elsewhere], SHOP) == [ROW["sentence"], "Pegs are free."]


def test_messages_are_all_that_a_customer_types() -> None:
    assert list(messages(ShopRow.model_validate(ROW))) == [
        "pole snapped after a year",
        "are the pegs covered?",
        "how do i mend a pole",
        "the sticks i mean",
    ]


@pytest.mark.parametrize(
    "wrong", [{"yes_no": [{"q": "?", "a": "maybe"}]}, {"questions": []}, {"near_misses": [""]}, {"polarity": "yes"}]
)
def test_a_row_of_another_form_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ShopRow.model_validate({**ROW, **wrong})
