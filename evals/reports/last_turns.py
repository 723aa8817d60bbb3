"""The plainest use of history, which reports compare search by: the last two turns of the user, glued."""

from collections.abc import Mapping, Sequence


def last_two_turns(query: str, history: Sequence[Mapping[str, str]]) -> str:
    """A question's own words after those of the user's turn before it."""
    before = [turn["content"] for turn in history if turn["role"] == "user"]
    return " ".join([*before[-1:], query])
