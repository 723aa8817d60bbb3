"""Where a streamed sentence ends, which words a marker supports, and what is no marker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.llm.markers import marker_of
from ingestion.evidence import evidence_id
from ingestion.spans import sentence_spans
from tests.graph.llm.streaming import cited, said, texts

WORDS = st.sampled_from(
    [
        "It", "is", "light", "light.", "e.g.", "approx.", "No.", "5", "9.99", "v2.1.3", "St.", "John", "a.m.", "J.",
        "R.", "M.", "Well…", "Well...", "(really!)", '"Yes."', "Yes!", "Why?", "U.S.", "https://a.example/b.html?x=1.",
        "3.", "。", "Inc.", "kg.", "1.9", "これは軽い。とても！", "»Ja.«", "iPhone", "😀",  # noqa: RUF001 - full-width marks are meant
        "$9", "etc.)", "A", "Mr.", "p.s.", "x",
    ]
)  # fmt: skip


@given(st.lists(WORDS, min_size=1, max_size=14, unique=True).map(" ".join))
def test_without_markers_sentences_end_where_those_of_the_evidence_end(line: str) -> None:
    line = f"So {line}"
    expected = [line[start:end] for start, end in sentence_spans(line)]
    streamed = texts(f"{line}\n")
    assert streamed == [one for one in expected if any(character.isalnum() for character in one)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("It weighs 1.9 kg. It folds.", ["It weighs 1.9 kg.", "It folds."]),
        ("Use soap, e.g. Dew Bar. Rinse it.", ["Use soap, e.g. Dew Bar.", "Rinse it."]),
        ("It is approx. 40 cm long.", ["It is approx. 40 cm long."]),
        ("Use No. 5 bolts. Oh no. It broke.", ["Use No. 5 bolts.", "Oh no.", "It broke."]),
        ("No. It has none.", ["No.", "It has none."]),
        ("Ask at St. John. He knows.", ["Ask at St. John.", "He knows."]),
        ("Open from 9 a.m. to 5 p.m. daily.", ["Open from 9 a.m. to 5 p.m. daily."]),
        ("It runs v2.1.3. It needs v3.", ["It runs v2.1.3.", "It needs v3."]),
        ("It starts at 10.30. Come early.", ["It starts at 10.30.", "Come early."]),
        ("See https://a.example/b.html?x=1. Then call.", ["See https://a.example/b.html?x=1.", "Then call."]),
        ("Made by J. R. Smith in Leeds.", ["Made by J. R. Smith in Leeds."]),
        ("I wear size M. Good fit.", ["I wear size M.", "Good fit."]),
        ("Well... it works... Mostly.", ["Well... it works...", "Mostly."]),
        ("Well… It works.", ["Well…", "It works."]),
        ('She said "It works." Then she left.', ['She said "It works."', "Then she left."]),
        ("It folds (really!). It packs small.", ["It folds (really!).", "It packs small."]),
        ("It folds. (It does not pack small.) Buy it.", ["It folds.", "(It does not pack small.)", "Buy it."]),
        ("Great!!! Love it?! Yes", ["Great!!!", "Love it?!", "Yes"]),
        ("It fits. iPhones do not.", ["It fits. iPhones do not."]),
        ("これは軽い。とても丈夫！", ["これは軽い。", "とても丈夫！"]),  # noqa: RUF001 - full-width marks are meant
        ("「軽い。」とても丈夫。", ["「軽い。」", "とても丈夫。"]),
        ("Great tent! 🎉 It folds.", ["Great tent!", "🎉 It folds."]),
        ("Great tent! 🎉", ["Great tent!"]),
        ("... It folds.", ["It folds."]),
        ("It weighs 1.9\u00a0kg.\u00a0It folds.", ["It weighs 1.9 kg.", "It folds."]),
        ("It   is \t light.", ["It is light."]),
        ("It costs $9. $5 more for two.", ["It costs $9.", "$5 more for two."]),
        ("In short:", ["In short:"]),
        ("5 * 3 = 15 m", ["5 * 3 = 15 m"]),
    ],
)
def test_a_sentence_ends_where_a_reader_ends_it(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("It is light [spec:a].", [[("It is light.", "spec:a")]]),
        ("It is light [spec:a] .", [[("It is light.", "spec:a")]]),
        ("It is light. [spec:a]", [[("It is light.", "spec:a")]]),
        ("It is light.[spec:a]", [[("It is light.", "spec:a")]]),
        ("It is light [spec:a]", [[("It is light", "spec:a")]]),
        ("It is light[spec:a].", [[("It is light.", "spec:a")]]),
        ("It is light. [spec:a].", [[("It is light.", "spec:a")]]),
        ("It is light [spec:a]. [review:r9]", [[("It is light.", "spec:a review:r9")]]),
        ("It is light [spec:a][review:r9].", [[("It is light.", "spec:a review:r9")]]),
        ("It is light [spec:a], [review:r9].", [[("It is light.", "spec:a review:r9")]]),
        ("It is light [spec:a] and [review:r9].", [[("It is light.", "spec:a review:r9")]]),
        ("It is light [spec:a, review:r9].", [[("It is light.", "spec:a review:r9")]]),
        ("It is light [spec:a; review:r9].", [[("It is light.", "spec:a review:r9")]]),
        ("It is light [spec:a] [spec:a].", [[("It is light.", "spec:a")]]),
        ("It is light **[spec:a]**.", [[("It is light.", "spec:a")]]),
        ("It is light [`spec:a`].", [[("It is light.", "spec:a")]]),
        ("It is light [spec:[spec:a].", [[("It is light.", "spec:a")]]),
        ("It is light [spec:a [review:r9].", [[("It is light.", "review:r9")]]),
        ("It is light [spec:a] and folds [review:r9].", [[("It is light", "spec:a"), (" and folds.", "review:r9")]]),
        ("It is light [spec:a], and folds.", [[("It is light,", "spec:a"), (" and folds.", "")]]),
        ("(It is light [spec:a].) It folds.", [[("(It is light.)", "spec:a")], [("It folds.", "")]]),
        ('"It is light" [spec:a]. It folds.', [[('"It is light".', "spec:a")], [("It folds.", "")]]),
        ("It is light [spec:a]. It folds [review:r9].", [[("It is light.", "spec:a")], [("It folds.", "review:r9")]]),
        ("It is light. [spec:a] It folds. [review:r9]", [[("It is light.", "spec:a")], [("It folds.", "review:r9")]]),
        ("It is light [spec:a].It folds.", [[("It is light.", "spec:a")], [("It folds.", "")]]),
        ("Made by Ash Inc. [spec:a] It folds.", [[("Made by Ash Inc.", "spec:a")], [("It folds.", "")]]),
        ("Made by Ash Inc [spec:a]. It folds.", [[("Made by Ash Inc.", "spec:a")], [("It folds.", "")]]),
        ("It fits [spec:a]. iPhones do not.", [[("It fits.", "spec:a")], [("iPhones do not.", "")]]),
        ("Use soap, e.g. [spec:a] the bar.", [[("Use soap, e.g.", "spec:a"), (" the bar.", "")]]),
        ("[spec:a] It is light.", [[("It is light.", "spec:a")]]),
        ("It is light.\n[spec:a] It folds.", [[("It is light.", "")], [("It folds.", "spec:a")]]),
        ("It is light! 🎉 [spec:a]", [[("It is light!", "spec:a")]]),
        (
            "これは軽い[spec:a]。とても丈夫。[review:r9]",
            [[("これは軽い。", "spec:a")], [("とても丈夫。", "review:r9")]],
        ),
        ("It is light [7] and folds [spec:a].", [[("It is light", ""), (" and folds.", "spec:a")]]),
        ("It weighs 1.9 kg [spec:a]. 40 cm long.", [[("It weighs 1.9 kg.", "spec:a")], [("40 cm long.", "")]]),
    ],
)
def test_a_marker_supports_the_words_before_it(line: str, expected: list[list[tuple[str, str]]]) -> None:
    assert cited(line) == expected


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("It is light [1].", ()),
        ("It is light [1, 2][^3].", ()),
        ("It is light [1-3].", ()),
        ("It is light [spec:b].", ()),
        ("It is light [spec:a, spec:b].", ("spec:a",)),
        ("It is light [source:page].", ()),
        ("It is light [spec:b][spec:b].", ()),
        ("It is light.\n[spec:b]", ()),
    ],
)
def test_a_marker_that_was_not_given_is_not_shown_and_cites_nothing(line: str, ids: tuple[str, ...]) -> None:
    (sentence,) = said(line)
    assert (sentence.text, sentence.ids) == ("It is light.", ids)


@pytest.mark.parametrize(
    "line",
    [
        "It is [very] light.",
        "It is [sic light.",
        "It is light] now.",
        "It [is [very] light].",
        "It is [] light.",
        "It is light (1).",
        "It is light (2 kg), (specially so).",
        "Open at [10:30].",
        "It is light (spec).",
        "See [https://a.example/x].",
        "It is [" + "so " * 80 + "light].",
    ],
)
def test_brackets_in_a_text_stay_when_they_hold_no_marker(line: str) -> None:
    (sentence,) = said(line)
    assert (sentence.text, sentence.ids) == (line, ())


def test_a_marker_inside_brackets_of_the_text_is_read() -> None:
    (sentence,) = said("It is light [sic [spec:a]] and folds [see [1]].")
    assert (sentence.text, sentence.ids) == ("It is light [sic] and folds [see].", ("spec:a",))


@pytest.mark.parametrize(
    ("row_id", "marker"),
    [
        ("r17", "[review:r17]"),
        ("guides/pitch.v2", "[review:guides/pitch.v2]"),
        ("my row", "[review:my row]"),
        ("तम्बू", "[review:तम्बू]"),
        ("a]b[c", "[review:a%5Db%5Bc]"),
        ("a,b;c|d", "[review:a%2Cb%3Bc%7Cd]"),
        ('"a"\\n', "[review:%22a%22%5Cn]"),
        ("a\u00a0b\nc", "[review:a%C2%A0b%0Ac]"),
        ("a%5Db", "[review:a%255Db]"),
        ("a:b#c", "[review:a%3Ab%23c]"),
    ],
)
def test_a_marker_is_readable_and_holds_nothing_that_ends_it(row_id: str, marker: str) -> None:
    assert marker_of(evidence_id("review", row_id)) == marker


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5, unique=True))
def test_any_id_is_read_back_from_its_marker_among_others(row_ids: list[str]) -> None:
    ids = tuple(evidence_id("review", row_id, 2) for row_id in row_ids)
    for one in ids:
        (sentence,) = said(f"It is light {marker_of(one)}.", ids)
        assert (sentence.text, sentence.ids) == ("It is light.", (one,))
