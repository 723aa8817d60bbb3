"""The grammar of a cited answer: exactly the format, and no source that was not given."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.llm.sentence_stream import SentenceStream
from graph.llm.turn_prompt import answer_grammar
from tests.graph.llm.streaming import events_of

IDS = ("spec:kestrel-2", "feature:kestrel-2#3", "help_article:guides/pitching (new)")
CHARACTERS = st.characters(exclude_categories=("C",), include_characters="\n")
_TOKEN = re.compile(
    r'"(?P<literal>(?:\\.|[^"\\])*)"|(?P<set>\[(?:\\.|[^\]\\])*\])|(?P<name>\w+)|(?P<other>\{[\d,]+\}|\S)'
)


def pattern_of(grammar: str, rule: str = "root") -> str:
    """The pattern of a grammar without recursion."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())
    return "".join(_of_token(token, grammar) for token in _TOKEN.finditer(rules[rule]))


def _of_token(token: re.Match[str], grammar: str) -> str:
    if token["literal"] is not None:
        return f"(?:{re.escape(token['literal'].replace(chr(92) + 'n', chr(10)))})"
    if token["name"] is not None:
        return f"(?:{pattern_of(grammar, token['name'])})"
    if token["set"] is not None:
        return token["set"]
    return "(?:" if token["other"] == "(" else token["other"]


PATTERN = re.compile(pattern_of(answer_grammar(IDS)))
ANSWER = """outcome: clear
The Kestrel 2 weighs 1.9 kg [spec:kestrel-2]. It packs to 40 cm [spec:kestrel-2] and has pegs [feature:kestrel-2#3].
It comes with:
- Eight pegs [feature:kestrel-2#3][spec:kestrel-2].
1. Open it [help_article:guides/pitching %28new%29].
missing: the warranty"""


def says(text: str) -> bool:
    return PATTERN.fullmatch(text) is not None


def test_the_whole_format_can_be_said() -> None:
    assert says(ANSWER)


@pytest.mark.parametrize("outcome", ["ambiguous", "no_answer"])
def test_an_outcome_without_an_answer_stands_alone(outcome: str) -> None:
    assert says(f"outcome: {outcome}")
    assert not says(f"outcome: {outcome}\nIt is light [spec:kestrel-2].")


@pytest.mark.parametrize(
    "line",
    [
        "It is light [spec:kestrel-2].",
        "Yes. It is light [spec:kestrel-2].",
        "No. It weighs 1.9 kg, v2.1.3 [spec:kestrel-2], and folds [feature:kestrel-2#3]!",
        "- Light [spec:kestrel-2].",
        "3. Fold it [spec:kestrel-2].",
        "In short:\n- Light [spec:kestrel-2].",
        "とても軽い [spec:kestrel-2].",
    ],
)
def test_a_cited_line_can_be_said(line: str) -> None:
    assert says(f"outcome: clear\n{line}")


@pytest.mark.parametrize(
    "line",
    [
        "It is light.",
        "It is light. It folds [spec:kestrel-2].",
        'He said "light." It folds [spec:kestrel-2].',
        "これは軽い。とても丈夫 [spec:kestrel-2].",
        "It is light [spec:kestrel-3].",
        "It is light [1].",
        "It is [very] light [spec:kestrel-2].",
        "It is light [spec:kestrel-2]",
        "It is\x85light [spec:kestrel-2].",
        "It is\u2028light [spec:kestrel-2].",
        "It  is light [spec:kestrel-2].",
        "In short:",
        "- Yes. Light [spec:kestrel-2].",
        "| Weight | 1.9 kg [spec:kestrel-2] |",
        "It is light" + "[spec:kestrel-2]" * 5 + ".",
        "",
    ],
)
def test_a_line_without_its_own_given_source_cannot_be_said(line: str) -> None:
    assert not says(f"outcome: clear\n{line}")


@pytest.mark.parametrize(
    "answer", ["It is light [spec:kestrel-2].", "outcome: handoff", "outcome: clear", "Outcome: ambiguous"]
)
def test_an_answer_begins_with_its_outcome(answer: str) -> None:
    assert not says(answer)


def test_lines_and_words_are_bounded() -> None:
    line = "\nIt is light [spec:kestrel-2]."
    assert says("outcome: clear" + line * 10)
    assert not says("outcome: clear" + line * 11)
    assert not says(f"outcome: clear\nIt is {'very ' * 40}light [spec:kestrel-2].")


def test_without_evidence_nothing_can_be_claimed() -> None:
    nothing = re.compile(pattern_of(answer_grammar(())))
    assert nothing.fullmatch("outcome: ambiguous")
    assert nothing.fullmatch("outcome: no_answer")
    assert not nothing.fullmatch("outcome: clear")
    assert not nothing.match("outcome: clear\nIt is light")


@pytest.mark.parametrize(
    "awkward", ['review:"q"', "review:a]b[c", "review:a\\b", "review:तम्बू 7", "review:a\nb", "review:a|b"]
)
def test_an_awkward_id_can_be_cited_and_is_read_back(awkward: str) -> None:
    grammar = answer_grammar((awkward,))
    answer = re.search(r'marker ::= "(.*)"', grammar)
    assert answer is not None
    text = f"outcome: clear\nIt is light {answer[1]}."
    assert re.fullmatch(pattern_of(grammar), text)
    stream = SentenceStream((awkward,))
    said = [*stream.feed(text), *stream.close()]
    assert [one.ids for one in said] == [(awkward,)]


def test_an_id_that_is_given_twice_stands_once() -> None:
    assert answer_grammar(("spec:a", "spec:a")) == answer_grammar(("spec:a",))


@given(st.from_regex(PATTERN, fullmatch=True, alphabet=CHARACTERS))
def test_whatever_it_lets_be_said_is_read_with_sources_that_were_given(answer: str) -> None:
    (outcome, sentences, _), _ = events_of([answer], IDS)
    assert answer.startswith(f"outcome: {outcome}")
    for one in sentences:
        assert set(one.ids) <= set(IDS)
        assert one.ids or one.text.endswith(":") or one.text in {"Yes.", "No."}
