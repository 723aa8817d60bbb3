"""The training utterances: one file an intent, with slots that are filled by varied names."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import graph.intents

UTTERANCES = Path(graph.intents.__file__).with_name("utterances")
SLOTS = Path(graph.intents.__file__).with_name("slots")
_FILLINGS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled text; examples of one group say the same and belong on the same side of a split."""

    text: str
    label: str
    group: str


def read_utterances(folder: Path = UTTERANCES, slots: Path = SLOTS) -> list[Example]:
    """Read every utterance, those with slots several times with other names, so that no name carries a meaning.

    Args:
        folder: One text file an intent, one utterance a line.
        slots: One text file a slot, one name a line.
    """
    names = _names(slots)
    return [
        Example(text, path.stem, line)
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        for text in _fill(line, names)
    ]


def filled(line: str, slots: Path = SLOTS) -> list[str]:
    """An utterance as it is learnt: with names in its slots several times over, without slots once."""
    return list(_fill(line, _names(slots)))


@lru_cache(maxsize=1)
def _names(slots: Path) -> dict[str, list[str]]:
    return {path.stem: path.read_text(encoding="utf-8").splitlines() for path in sorted(slots.glob("*.txt"))}


def _fill(line: str, names: dict[str, list[str]]) -> Iterator[str]:
    if "{" not in line:
        yield line
        return
    # Seeded by the line, so that a new line does not change the others.
    slots = _Slots(random.Random(line), names)  # noqa: S311 - not for secrets
    for _ in range(_FILLINGS):
        yield line.format_map(slots)


@dataclass(frozen=True, slots=True)
class _Slots:
    """Gives a slot such as `{product}` or `{product2}` a name of its kind, another one each time."""

    choice: random.Random
    names: dict[str, list[str]]

    def __getitem__(self, slot: str) -> str:
        return self.choice.choice(self.names[slot.rstrip("0123456789")])
