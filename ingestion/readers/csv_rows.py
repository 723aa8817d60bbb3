"""Reading the records of a CSV file as shops export them."""

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ingestion.readers.repairs import Repairs

_DELIMITERS = ",;\t|"
_MAX_CELL = 10_000_000
_SEPARATOR_LINE = "sep="


def csv_rows(text: str, expected: Collection[str], repairs: Repairs) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Read records by their header.

    Args:
        text: The whole file.
        expected: Names of columns that the header may have, by which its delimiter is told.
        repairs: Told of blank rows and of odd headers.

    Yields:
        The line a record begins on, and its cells by column, or what is wrong with it.
    """
    csv.field_size_limit(_MAX_CELL)
    lines = list(io.StringIO(text.replace("\x00", ""), newline=""))
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    delimiter = None
    if first < len(lines) and lines[first].lower().startswith(_SEPARATOR_LINE):
        delimiter = lines[first].strip()[len(_SEPARATOR_LINE) :] or None
        first += 1
    records = _records(lines, first, delimiter or _delimiter(lines[first:], expected))
    header = next(records, (0, []))[1]
    if isinstance(header, str):
        yield first + 1, header
        return
    names = unique_names(header, repairs)
    for line, cells in records:
        if isinstance(cells, str):
            yield line, cells
        elif not any(cell.strip() for cell in cells):
            repairs.note("blank_rows", line)
        elif any(cell.strip() for cell in cells[len(names) :]):
            yield line, f"{len(cells)} cells in a table of {len(names)} columns"
        else:
            yield line, dict(zip(names, cells, strict=False))


def unique_names(header: Sequence[str], repairs: Repairs) -> list[str]:
    """Names of columns; one that is empty or stands twice gets a name of its own."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for number, column in enumerate(header, start=1):
        name = column.strip() or f"column {number}"
        seen[name] += 1
        if seen[name] > 1:
            repairs.note("header", 1, f"column {name!r} stands twice; the first is read")
            name = f"{name} ({seen[name]})"
        names.append(name)
    return names


def _delimiter(lines: Sequence[str], expected: Collection[str]) -> str:
    """The delimiter that parts the header into most of the expected columns, and else into most columns."""

    def parted(delimiter: str) -> tuple[int, int]:
        header = next(csv.reader(iter(lines), delimiter=delimiter), [])
        names = {name.strip() for name in header}
        return len(names & set(expected)), len(header)

    return max(_DELIMITERS, key=parted)


def _records(lines: Sequence[str], first: int, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """The records; where a quote is not closed, its line is one problem and the next line begins anew."""
    start = first
    while start < len(lines):
        reader = csv.reader((lines[number] for number in range(start, len(lines))), delimiter=delimiter, strict=True)
        begun = start
        try:
            for cells in reader:
                yield begun + 1, cells
                begun = start + reader.line_num
        except csv.Error as error:
            yield begun + 1, _record_alone(lines[begun], delimiter, error, several=start + reader.line_num - begun > 1)
            start = begun + 1
        else:
            return


def _record_alone(line: str, delimiter: str, error: csv.Error, *, several: bool) -> list[str] | str:
    """A line whose quotes are not those of CSV, read as leniently as may be."""
    if several:
        return "a quote that opens on this line is not closed"
    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return f"not valid CSV: {error}"
