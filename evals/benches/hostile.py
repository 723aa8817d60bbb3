"""Hostile texts through every stage: how time grows with their length."""

import gc
import io
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pydantic import BaseModel
from rich.console import Console

from app.cli.console import table_of
from app.question import clean_question
from app.settings import Settings
from app.wiring import Wiring
from evals.conversations.replay import ingest_silently
from graph.build import TurnGraph, build_graph
from graph.parts import Context
from graph.state import TurnInput
from graph.turn import Style
from ingestion.chunking import chunked
from ingestion.limits import DEFAULT_LIMITS
from ingestion.readers.blocks import Block, guess_headings
from ingestion.readers.cleaning import clean, clean_line, customer_prose
from ingestion.readers.html_page import parse_html
from ingestion.readers.markdown import parse_markdown
from ingestion.readers.markup import seller_prose
from ingestion.readers.notes import Notes
from ingestion.readers.opening import mend
from ingestion.readers.text_rows import csv_rows, held_rows, json_lines
from ingestion.spans import sentence_spans

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


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


GENERATED = 200
"""Texts beside the known ones."""


def generated(number: int = GENERATED) -> list[HostileString]:
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


LONGER = 10
"""How many times longer the longer text of each pair is."""
BAR = 12.0
"""Most that the time may grow."""
QUESTION, SOURCE = 390, 3_000
"""Characters of the shorter question, ten of which pass the door, and of the shorter text of a shop."""
TRIES = 3
LEAST_MS = 5.0
"""Less CPU time is counted as this: so much a stage takes for no text at all, now and then."""
CHUNK_WORDS = 200

Stages = Mapping[str, float]
"""CPU milliseconds by stage."""
Measure = Callable[[str], Stages]


class Growth(BaseModel):
    """The worst growth of one stage.

    Attributes:
        text: What the text is called that it was measured with.
        short_ms: CPU milliseconds for the short text.
        long_ms: The same for one that is ten times as long.
        growth: How many times more that is.
        most_ms: The most that the stage took for any text.
    """

    text: str
    short_ms: float
    long_ms: float
    growth: float
    most_ms: float


class HostileBenchmark(BaseModel):
    """What a run found.

    Attributes:
        strings: How many texts were tried.
        bar: Most that the time may grow.
        holds: Whether it grew no more than that anywhere.
        stages: The worst growth by stage.
        refused: Texts that a stage refused, by stage.
    """

    strings: int
    bar: float = BAR
    holds: bool
    stages: dict[str, Growth]
    refused: dict[str, int]


def measure(index: Path, strings: Sequence[HostileString], tell: Callable[[str], object]) -> HostileBenchmark:
    """Send texts through every stage of a turn and through the readers, at two lengths.

    Args:
        index: The index that is asked.
        strings: What is sent.
        tell: Told what is measured next.
    """
    worst: dict[str, Growth] = {}
    refused: dict[str, int] = {}
    with Settings.load().scratch() as settings:
        for named, folder, length, texts in (
            ("question", index, QUESTION, strings),
            ("source", _hostile_index(settings.records.parent), SOURCE, KNOWN),
        ):
            with closing(Wiring(folder, settings)) as wiring:
                for style in ("text", "voice"):
                    tell(f"turns, hostile {named}, {style}")
                    asked = partial(_turn, build_graph(), wiring.current, style, named)
                    compare(asked, texts, length, worst, refused)
    for name, read in READERS.items():
        tell(f"reading, {name}")
        compare(partial(_read, name, read), strings, SOURCE, worst, refused)
    holds = all(growth.growth <= BAR for growth in worst.values())
    return HostileBenchmark(strings=len(strings), holds=holds, stages=worst, refused=refused)


def print_benchmark(console: Console, result: HostileBenchmark) -> None:
    """The worst growth of each stage as a table."""
    rows = [
        (stage, f"{one.short_ms:.1f}", f"{one.long_ms:.1f}", f"{one.growth:.1f}", f"{one.most_ms:.0f}", one.text)
        for stage, one in sorted(result.stages.items(), key=lambda pair: -pair[1].growth)
    ]
    columns = ("stage", "ms at n", "ms at 10 n", "growth", "most ms", "worst text")
    console.print(table_of(columns, rows, left=("worst text",)))
    told = "grows" if result.holds else "should grow"
    console.print(f"CPU time {told} no more than {BAR:g}-fold for {LONGER} times the text ({result.strings} texts)")
    for stage, number in result.refused.items():
        console.print(f"{stage} refused {number} texts", style="dim")


def compare(
    measured: Measure,
    strings: Iterable[HostileString],
    length: int,
    worst: dict[str, Growth],
    refused: dict[str, int],
) -> None:
    """Measure each text at both lengths; what grew too much is measured again, for other work only adds time."""
    for string in strings:
        short, long = string.text(length), string.text(length * LONGER)
        try:
            pairs = [(_uncollected(measured, short), _uncollected(measured, long))]
            reached = [stage for stage in pairs[0][1] if stage in pairs[0][0]]  # else there is nothing to compare
            while len(pairs) < TRIES and any(_growth(pairs, stage) > BAR for stage in reached):
                pairs.append((_uncollected(measured, short), _uncollected(measured, long)))
        except Exception as error:  # noqa: BLE001 - a refusal ends in an error of the stage's own, and is counted
            where = f"{getattr(measured, 'args', ('',))[0]} ({type(error).__name__})"
            refused[where] = refused.get(where, 0) + 1
            continue
        for stage in reached:
            _keep(worst, stage, string, pairs)


def _uncollected(measured: Measure, text: str) -> Stages:
    """Measure without garbage collection, as `timeit` does: when it comes depends on all that the process holds."""
    gc.disable()
    try:
        return measured(text)
    finally:
        gc.enable()


def _keep(worst: dict[str, Growth], stage: str, string: HostileString, pairs: Sequence[tuple[Stages, Stages]]) -> None:
    short, long = (min(pair[place].get(stage, 0.0) for pair in pairs) for place in (0, 1))
    known = worst.get(stage)
    most, growth = max(long, known.most_ms if known else 0.0), _growth(pairs, stage)
    if known is None or growth > known.growth:
        worst[stage] = Growth(text=string.name, short_ms=short, long_ms=long, growth=growth, most_ms=most)
    else:
        worst[stage] = known.model_copy(update={"most_ms": most})


def _growth(pairs: Sequence[tuple[Stages, Stages]], stage: str) -> float:
    """The least growth that was seen."""
    return min(long.get(stage, 0.0) / max(short.get(stage, 0.0), LEAST_MS) for short, long in pairs)


def _turn(graph: TurnGraph, context: Context, style: Style, named: str, text: str) -> Stages:
    """The CPU time between one step of a turn and the next; those that run side by side count together."""
    question = text if named == "question" else f"What do customers say about the {_product_names()[text]}?"
    query = clean_question(question, context.options.max_query_chars)
    spent: dict[str, float] = {}
    begun = time.process_time()
    given = TurnInput(query=query, style=style, turn_id="hostile", experiences=[])
    thread: RunnableConfig = {"configurable": {"thread_id": "hostile"}}
    for update in graph.stream(given, thread, context=context, stream_mode="updates"):
        now = time.process_time()
        stage = f"{' + '.join(sorted(update))} ({named}, {style})"
        spent[stage] = spent.get(stage, 0.0) + (now - begun) * 1000
        begun = now
    return spent


def _hostile_index(scratch: Path) -> Path:
    """An index of products whose reviews are hostile, each at both lengths."""
    shop, index = scratch / "shop", scratch / "index"
    shop.mkdir()
    products = [(f"p{number}", name, text) for number, (text, name) in enumerate(_product_names().items())]
    _write(shop / "products.jsonl", ({"id": key, "name": name, "description": text} for key, name, text in products))
    _write(
        shop / "reviews.jsonl",
        ({"id": f"r-{key}", "product_id": key, "text": f"Great tent. {text}"} for key, _, text in products),
    )
    ingest_silently(shop, index)
    return index


@cache
def _product_names() -> Mapping[str, str]:
    """The name of the product whose review is a text, by the text."""
    return {
        string.text(length): f"{word} Tent {size}"
        for string, word in zip(KNOWN, _WORDS, strict=False)
        for size, length in (("Small", SOURCE), ("Large", SOURCE * LONGER))
    }


_WORDS = "Larch Willow Maple Birch Cedar Rowan Alder Hazel Linden Poplar Juniper Spruce Aspen Laurel".split()


def _write(file: Path, rows: Iterator[dict[str, str]]) -> None:
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _read(name: str, read: Callable[[str], object], text: str) -> Stages:
    begun = time.process_time()
    read(text)
    return {name: (time.process_time() - begun) * 1000}


def _words(text: str) -> int:
    return len(text.split())


def _chunked(text: str) -> object:
    return chunked([Block("paragraph", text)], lambda _section: CHUNK_WORDS, _words)


def _lines(text: str) -> object:
    rows = json_lines(io.StringIO(text), named=True, limits=DEFAULT_LIMITS, notes=Notes(""))
    return None if rows is None else list(rows)


READERS: Mapping[str, Callable[[str], object]] = {
    "Markdown": lambda text: guess_headings(parse_markdown(clean(text)).blocks),
    "HTML": lambda text: parse_html(clean(text)),
    "a customer's words": customer_prose,
    "a seller's words": seller_prose,
    "a cell": clean_line,
    "mending": mend,
    "CSV": lambda text: list(csv_rows(io.StringIO(text), ["id", "text"], DEFAULT_LIMITS, Notes(""))),
    "JSON": lambda text: held_rows(f"[{text}", ""),
    "JSON Lines": _lines,
    "sentences": sentence_spans,
    "chunks": _chunked,
}
"""What reads a shop's texts."""
