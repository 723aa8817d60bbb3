"""No regular expression of the packages takes more than linear time, whatever text it is searched in."""

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import nlargest
from itertools import count

import pytest

from tests.patterns import breaking_strings, folders, patterns_of

SHORT, LONGER = 1_200, 4_800
LONGEST = 48_000
MOST = 8.0
"""Growth for four times as much text, half way between linear and quadratic."""
NOTABLE_S = 4e-4
"""Less says nothing: a pattern that grows faster has taken more for a short text."""
WORST = 5
"""Strings of a pattern that are looked at closely, those that took it longest: what grows faster is among them."""
END_S = 1.0
"""CPU time after which growth is certain."""


class _EndlessError(Exception):
    """A search takes longer than any linear one."""


@pytest.mark.parametrize("folder", folders())
def test_every_pattern_takes_time_in_proportion_to_the_text(folder: str) -> None:
    found = patterns_of(folder)
    with _limited():
        broken = [
            f"{where}: {growth:.0f}-fold for fourfold {text[:20]!r}: {source!r}"
            for (source, flags), where in found.items()
            for growth, text in _breaks(re.compile(source, flags))
        ]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    "pattern", [r"\s+$", r"(\w+\s?)+!", r"<!--.*?-->", r"a.*b", r"\d+(?:\.\d+)?[ ]?kg", r"\s*(?:-|\d+[.])\s+"]
)
def test_a_pattern_that_grows_faster_is_found(pattern: str) -> None:
    with _limited():
        assert list(_breaks(re.compile(pattern)))


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s+$", r"(?<!\d)\d{1,12} ?kg", r"\A\s*-\s", r"“[^“”]*”", r"\bnot\b"])
def test_a_linear_pattern_passes(pattern: str) -> None:
    with _limited():
        assert not list(_breaks(re.compile(pattern)))


def _breaks(pattern: re.Pattern[str] | re.Pattern[bytes]) -> Iterator[tuple[float, str]]:
    """The first string on which a pattern grows too fast, if there is one, with the growth."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    timed = []
    for short, longer in zip(breaking_strings(source, SHORT), breaking_strings(source, LONGER), strict=True):
        seconds = _seconds(pattern, short)
        if seconds >= END_S:
            yield seconds / NOTABLE_S, short
            return
        timed.append((seconds, short, longer))
    slow = nlargest(WORST, timed)
    for seconds, short, longer in slow:
        if seconds >= NOTABLE_S and (growth := _growth(pattern, short, longer)) > MOST:
            yield growth, short
            return
    slowest, times = slow[0][1], LONGEST // LONGER
    longer = slowest * (LONGER // SHORT)
    if (growth := _growth(pattern, longer, longer * times) / (times / 4)) > MOST:
        yield growth, slowest


def _growth(pattern: re.Pattern[str] | re.Pattern[bytes], text: str, longer: str) -> float:
    """How much more time the longer text takes; the least of several tries, for a busy machine only adds time."""
    growth = float("inf")
    for attempt in count():
        before = min(_seconds(pattern, text) for _ in range(3))
        growth = min(growth, min(_seconds(pattern, longer) for _ in range(1 + attempt)) / max(before, 1e-5))
        if growth <= MOST or attempt == 2:
            return growth
    return growth


def _seconds(pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> float:
    """CPU time of one search for all matches."""
    searched = text if isinstance(pattern.pattern, str) else text.encode("latin-1", "ignore")
    signal.setitimer(signal.ITIMER_VIRTUAL, END_S)
    begun = time.thread_time()
    try:
        for _ in pattern.finditer(searched):  # type: ignore[arg-type]  # of the pattern's own kind
            pass
    except _EndlessError:
        return 100 * END_S if len(text) > 2 * SHORT else END_S
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - begun


@contextmanager
def _limited() -> Iterator[None]:
    """Let a search that does not end be broken off by the CPU time it takes."""

    def stop(_signal: int, _frame: object) -> None:
        raise _EndlessError

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)
