"""A grammar without recursion as a regular expression, to try texts on it and to draw texts from it."""

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from random import Random

_TOKEN = re.compile(
    r'"(?P<literal>(?:\\.|[^"\\])*)"|(?P<set>\[(?:\\.|[^\]\\])*\])|(?P<name>\w+)|(?P<other>\{[\d,]+\}|\S)'
)


def pattern_of(grammar: str) -> str:
    """The pattern of a grammar's `root`."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())
    return _translated(rules["root"], rules)


def _translated(body: str, rules: dict[str, str]) -> str:
    return "".join(_of_token(token, rules) for token in _TOKEN.finditer(body))


def _of_token(token: re.Match[str], rules: dict[str, str]) -> str:
    if token["literal"] is not None:
        return f"(?:{re.escape(token['literal'].replace(chr(92) + 'n', chr(10)))})"
    if token["name"] is not None:
        return f"(?:{_translated(rules[token['name']], rules)})"
    if token["set"] is not None:
        return token["set"]
    return "(?:" if token["other"] == "(" else token["other"]


_CHARACTERS = "abcXYZ019 .!?…,;:()'\"’”#<>_/~&%+=-–—×éßж漢字。！かकी।ع؟😀\u00a0\u2028\n[]|*`"  # noqa: RUF001 - full-width marks are meant
_MOST = {"*": 12, "+": 12, "?": 1}


def drawn_from(grammar: str, chance: Random) -> str:
    """A text that the grammar lets be said, drawn at random."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())
    return _drawn("root", rules, chance)


def _drawn(rule: str, rules: dict[str, str], chance: Random) -> str:
    return _drawn_choice(list(_TOKEN.finditer(rules[rule])), rules, chance)


def _drawn_choice(tokens: Sequence[re.Match[str]], rules: dict[str, str], chance: Random) -> str:
    depths = list(accumulate((token.group() == "(") - (token.group() == ")") for token in tokens))
    bars = [at for at, token in enumerate(tokens) if token.group() == "|" and depths[at] == 0]
    start, end = chance.choice(list(pairwise([-1, *bars, len(tokens)])))
    return _drawn_sequence(tokens[start + 1 : end], rules, chance)


def _drawn_sequence(tokens: Sequence[re.Match[str]], rules: dict[str, str], chance: Random) -> str:
    said, at = "", 0
    while at < len(tokens):
        depth = list(accumulate((token.group() == "(") - (token.group() == ")") for token in tokens[at:]))
        end = at + depth.index(0) + 1
        least, most, following = _times(tokens, end)
        said += "".join(_drawn_once(tokens[at:end], rules, chance) for _ in range(chance.randint(least, most)))
        at = following
    return said


def _drawn_once(tokens: Sequence[re.Match[str]], rules: dict[str, str], chance: Random) -> str:
    token = tokens[0]
    if token.group() == "(":
        return _drawn_choice(tokens[1:-1], rules, chance)
    if token["literal"] is not None:
        return token["literal"].replace("\\n", "\n")
    if token["set"] is not None:
        return chance.choice(re.findall(token["set"], _CHARACTERS))
    return _drawn(token["name"], rules, chance)


def _times(tokens: Sequence[re.Match[str]], at: int) -> tuple[int, int, int]:
    """How often what stands before may be said, and where the text goes on."""
    mark = tokens[at].group() if at < len(tokens) else ""
    if mark in _MOST:
        return int(mark == "+"), _MOST[mark], at + 1
    if mark.startswith("{"):
        least, _, most = mark.strip("{}").partition(",")
        return int(least), int(most or least), at + 1
    return 1, 1, at
