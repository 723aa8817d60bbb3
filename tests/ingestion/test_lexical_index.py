"""The lexical index: which texts its words find, and in which order."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from ingestion.evidence import Evidence
from ingestion.lexical_index import LexicalIndex, write_lexical_index

WriteIndex = Callable[..., LexicalIndex]


def article(text: str, row_id: str, title: str = "Help", source_type: str = "help_article", **more: object) -> Evidence:
    return Evidence(f"{source_type}:{row_id}", source_type, text, title, row_id, **more)  # type: ignore[arg-type]


def found(index: LexicalIndex, text: str, *source_types: str, limit: int = 10) -> list[str]:
    hits = index.search(text, frozenset(source_types or {"help_article"}), limit)
    return [evidence_id.partition(":")[2] for evidence_id, _ in hits]


@pytest.fixture
def write_index(tmp_path: Path) -> Iterator[WriteIndex]:
    opened = []

    def write(*evidence: Evidence) -> LexicalIndex:
        write_lexical_index(tmp_path, evidence)
        opened.append(LexicalIndex(tmp_path))
        return opened[-1]

    yield write
    for index in opened:
        index.close()


def test_forms_of_a_word_find_each_other_and_the_form_itself_is_first(write_index: WriteIndex) -> None:
    index = write_index(
        article("How to descale a kettle", "stem"),
        article("Descaling the kettle", "same"),
        article("Returning a parcel", "other"),
    )
    assert found(index, "descaling") == ["same", "stem"]
    assert found(index, "descale") == ["stem", "same"]
    assert found(index, "returned") == ["other"]


def test_accents_and_case_make_no_difference(write_index: WriteIndex) -> None:
    index = write_index(article("Café CRÈME brûlée", "cafe"))
    assert found(index, "cafe Creme BRULEE") == found(index, "CAFÉ") == ["cafe"]


@pytest.mark.parametrize("asked", ["KC-200", "kc-200", "KC", "200", "ICWPA1001E", "icwpa1001e?", "(KC-200)"])
def test_identifiers_are_found_whole_and_in_parts(write_index: WriteIndex, asked: str) -> None:
    index = write_index(article("Message ICWPA1001E on the KC-200", "named"), article("Message ICWPB2002E on it", "x"))
    assert found(index, asked) == ["named"]


def test_a_title_weighs_more_than_the_text_and_section_and_keywords_are_found(write_index: WriteIndex) -> None:
    index = write_index(
        article("Refunds are told here, in few words", "text", title="Money"),
        article("Money is told here, in few words", "title", title="Refunds"),
        article("Nothing of it", "section", section="Opened items"),
        article("Nothing of it", "keywords", keywords=("sealed", "unsealed")),
    )
    assert found(index, "refunds") == ["title", "text"]
    assert found(index, "opened items") == ["section"]
    assert found(index, "sealed") == ["keywords"]


def test_function_words_count_only_where_there_is_nothing_else(write_index: WriteIndex) -> None:
    index = write_index(article("how to do what you do", "function"), article("a parcel", "parcel"))
    assert found(index, "how do you do a parcel") == ["parcel"]
    assert found(index, "how to") == ["function"]


def test_a_word_that_most_of_a_large_shop_uses_counts_only_where_there_is_nothing_else(write_index: WriteIndex) -> None:
    rows = [article("a parcel", str(number)) for number in range(20_001)]
    index = write_index(*rows, article("a kestrel", "kestrel"))
    assert found(index, "a kestrel parcel") == ["kestrel"]
    assert found(index, "a parcel", limit=2) == ["0", "1"]


def test_the_first_64_words_are_searched(write_index: WriteIndex) -> None:
    index = write_index(article("parcel", "parcel"))
    filler = " ".join(f"word{number}" for number in range(63))
    assert found(index, f"{filler} parcel") == ["parcel"]
    assert found(index, f"{filler} more parcel") == []


@pytest.mark.parametrize(
    "text", ['"', "a AND", "text:* OR", "+parcel -x", "[a TO b]", "parcel~2", "^", "\x00", "", " "]
)
def test_nothing_is_read_as_an_operator(write_index: WriteIndex, text: str) -> None:
    index = write_index(article("parcel", "parcel"))
    assert found(index, text) in ([], ["parcel"])


def test_equal_scores_come_in_the_order_of_the_rows(write_index: WriteIndex) -> None:
    index = write_index(*(article("the same parcel", f"{number:03}") for number in range(200)))
    assert found(index, "parcel", limit=50) == [f"{number:03}" for number in range(50)]


@pytest.mark.parametrize(
    "asked", [{"manual"}, {"help_article"}, {"warranty"}, {"manual", "warranty"}, {"warranty", "stock"}]
)
def test_a_filter_keeps_the_order_and_the_scores_however_rare_the_types(
    write_index: WriteIndex, asked: set[str]
) -> None:
    kinds = ["manual"] * 70 + ["help_article"] * 28 + ["warranty"] * 2
    index = write_index(
        *(
            article("parcel " * (1 + row % 7) + f"lost {row}", str(row), source_type=kinds[row % 100])
            for row in range(2_000)
        )
    )
    everything = index.search("lost parcel", {"manual", "help_article", "warranty"}, 2_000)
    wanted = [hit for hit in everything if hit[0].partition(":")[0] in asked]
    hits = index.search("lost parcel", asked, 30)
    assert [key for key, _ in hits] == [key for key, _ in wanted][:30]
    assert [score for _, score in hits] == pytest.approx([score for _, score in wanted][:30])


def test_types_that_are_not_there_find_nothing(write_index: WriteIndex) -> None:
    index = write_index(article("parcel", "parcel"))
    assert found(index, "parcel", "manual") == []
    assert index.search("parcel", frozenset(), 5) == []
    assert found(index, "parcel", limit=0) == []


def test_a_shop_without_searched_evidence_has_an_index_too(write_index: WriteIndex) -> None:
    assert found(write_index(), "parcel") == []


def test_several_readers_open_it_at_once_and_leave_it_as_it_is(write_index: WriteIndex, tmp_path: Path) -> None:
    readers = [write_index(article("parcel", "parcel")), LexicalIndex(tmp_path)]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert [found(reader, "parcel") for reader in readers] == [["parcel"]] * 2
    readers[1].close()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_it_is_read_where_nothing_may_be_written(write_index: WriteIndex, tmp_path: Path) -> None:
    index = write_index(article("parcel", "parcel"))
    place = tmp_path / "lexical"
    place.chmod(0o555)
    try:
        assert found(index, "parcel") == ["parcel"]
    finally:
        place.chmod(0o755)


def test_its_files_may_be_read_by_whoever_may_read_its_folder(write_index: WriteIndex, tmp_path: Path) -> None:
    (tmp_path / "lexical").mkdir(mode=0o755)
    write_index(article("parcel", "parcel"))
    assert {path.stat().st_mode & 0o444 for path in files_of(tmp_path)} == {0o444}


def files_of(folder: Path) -> Sequence[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
