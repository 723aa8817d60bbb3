"""Texts that break what takes more than linear time: those that have done so, and many of their kind."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

SEED = 13


@dataclass(frozen=True, slots=True)
class HostileString:
    """A text of any length.

    Attributes:
        name: What it is called in a report.
        opener: What it begins with.
        unit: A piece of it that is not the one before.
        closer: What it ends with.
    """

    name: str
    opener: str
    unit: Callable[[Random], str]
    closer: str = ""

    def text(self, length: int) -> str:
        """The text of a length; the same in every run."""
        source = Random(f"{SEED} {self.name}")  # noqa: S311 - nothing secret
        pieces, size = [self.opener], len(self.opener) + len(self.closer)
        while size < length:
            pieces.append(self.unit(source))
            size += len(pieces[-1])
        return "".join([*pieces, self.closer])[:length]


def _always(unit: str) -> Callable[[Random], str]:
    return lambda _source: unit


def _among(units: list[str]) -> Callable[[Random], str]:
    return lambda source: source.choice(units)


KNOWN = (
    HostileString("spaces", "How heavy", _always(" "), "is it?"),
    HostileString("spaces and tabs", "How heavy", _among([" ", "\t", "\n"]), "is it?"),
    HostileString("digits", "Is it ", _among(list("0123456789")), " kg?"),
    HostileString("one digit", "Is it ", _always("1"), " kg?"),
    HostileString("file name", "See ", _always("instructionsmanualversion2_final."), "?"),
    HostileString("file name without end", "See ", _among(["instructions", "manual", "version2", "_final"]), ".?"),
    HostileString("review", "Is it good? ", _among(["It was great. ", "It leaked, ", "but I liked it ", "a lot. "])),
    HostileString("sentence without end", "Why ", _among(["and ", "the tent ", "of it, ", "was not dry ", "for me "])),
    HostileString("comments", "", _always("<!--")),
    HostileString("style", '<p style="', _among(["color:red;", "left:-1px;", "background:blue;", "  "]), '">a</p>'),
    HostileString("quotes", "", _always("“a ")),
    HostileString("markers", "", _among(["[1]", "[2] ", "**a "])),
)
"""What has taken seconds for a text that a person could send, or came near it."""

_UNITS = [
    *"a A z 0 9 é 漢 . , ; : ! ? - _ * # $ € % & / \\ | ~ ^ = + @ ( ) [ ] { } < > ' \" “ ” ’ …".split(),
    *(" ", "\n", "\t"),
    *"the not and of is it 1 2 kg 1.5 1/2 $5 x2 A-1 a's no: yes, 10% (a) e.g. 12:30 v2.0 Aurora X2 <b> </b> &amp; http://a".split(),
]
_OPENERS = ["", "How heavy is ", "Does it ", "Aurora ", "1 ", "“", "(", "not ", "- ", "Compare ", "$"]
_CLOSERS = ["", "?", ".", "!", " kg", "x", "”", "\x01"]


def generated(number: int) -> list[HostileString]:
    """Texts of one to four pieces again and again, in order or at random; the same in every run."""
    source = Random(SEED)  # noqa: S311 - nothing secret
    made = []
    for one in range(number):
        units = source.sample(_UNITS, source.randint(1, 4))
        spaced = [unit + source.choice(["", "", " "]) for unit in units]
        unit = _among(spaced) if one % 2 else _always("".join(spaced))
        name = f"{one + 1}: {'|'.join(spaced) if one % 2 else ''.join(spaced)!r}"
        made.append(HostileString(name, source.choice(_OPENERS), unit, source.choice(_CLOSERS)))
    return made
