"""What the ingestion tests share: a quick encoder, and shops made of a few files."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from ingestion.chunking import Cutter
from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import DIMENSIONS, Vectors
from ingestion.readers.confined import Confined
from ingestion.readers.discovery import discover
from ingestion.shop import Shop, read_shop

WriteShop = Callable[[Mapping[str, object]], Path]
ReadShop = Callable[[Path], Shop]


class HashingEncoder:
    """Counts words into hashed buckets: texts that share words are near each other, and nothing is loaded."""

    fingerprint = "hashing@1"
    max_tokens = 256

    def __init__(self) -> None:
        self.embedded = 0

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        vectors = np.full((len(texts), DIMENSIONS), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % DIMENSIONS] += 1
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


@pytest.fixture
def encoder() -> TextEncoder:
    return HashingEncoder()


@pytest.fixture
def write_shop(tmp_path: Path) -> WriteShop:
    """Write files of a shop: lists of rows as JSON Lines, bytes and texts as they are."""

    def write(files: Mapping[str, object]) -> Path:
        folder = tmp_path / "shop"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            elif isinstance(content, str):
                path.write_text(content, encoding="utf-8")
            else:
                assert isinstance(content, Sequence)
                path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="session")
def reading() -> Iterator[Confined]:
    """One process for the foreign formats of all tests."""
    with Confined() as one:
        yield one


@pytest.fixture
def read(encoder: TextEncoder, reading: Confined) -> ReadShop:
    """Reads the files of a folder as one shop."""

    def read_folder(folder: Path) -> Shop:
        return read_shop(discover([folder]), Cutter(encoder), lambda _done, _total: None, reading)

    return read_folder


Shown = tuple[float, float, float, str]
"""Left end, baseline from the top, font size (negative for bold) and text."""
Drawn = tuple[float, float, float, float]
"""Ends of a line: left, top, right, bottom."""
Bookmarked = tuple[str, int]
"""A top-level entry of the outline and its page, from 1."""


class MakePdf(Protocol):
    def __call__(
        self,
        *pages: Sequence[Shown | Drawn],
        outline: Sequence[Bookmarked] = (),
        page: str = "",
        trailer: str = "",
        info: str = "",
    ) -> bytes: ...


@pytest.fixture
def make_pdf() -> MakePdf:
    """Make a PDF of US letter pages from texts and lines at their places.

    `page` and `trailer` go into the dictionaries of those names, `info` into that of the file's properties.
    """

    def make(
        *pages: Sequence[Shown | Drawn],
        outline: Sequence[Bookmarked] = (),
        page: str = "",
        trailer: str = "",
        info: str = "",
    ) -> bytes:
        fonts = " ".join(
            f"/F{number} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            for number, name in ((1, "Helvetica"), (2, "Helvetica-Bold"))
        )
        first = 5 + len(outline)
        kids = [f"{first + 2 * number} 0 R" for number in range(len(pages))]
        objects = [
            "<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>",
            f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>",
            f"<< /Type /Outlines /First 5 0 R /Last {first - 1} 0 R >>" if outline else "<< /Type /Outlines >>",
            f"<< {info} >>",
        ]
        for number, (title, target) in enumerate(outline, start=5):
            following = f"/Next {number + 1} 0 R" if number + 1 < first else ""
            objects.append(f"<< /Title ({title}) /Parent 3 0 R /Dest [{kids[target - 1]} /Fit] {following} >>")
        for number, items in enumerate(pages):
            stream = "\n".join(map(_drawing, items))
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {first + 2 * number + 1} 0 R "
                f"/Resources << /Font << {fonts} >> >> {page} >>"
            )
            objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        return _numbered(objects, trailer)

    return make


def _drawing(item: Shown | Drawn) -> str:
    if not isinstance(item[3], str):
        left, top, right, bottom = item
        return f"{left} {792 - top} m {right} {792 - bottom} l S"
    left, base, size, text = item
    shown = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F{2 if size < 0 else 1} {abs(size)} Tf {left} {792 - base} Td ({shown}) Tj ET"


def _numbered(objects: Sequence[str], trailer: str) -> bytes:
    """A file of these objects, the place of each in its table."""
    body = b"%PDF-1.4\n"
    offsets = []
    for number, written in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{written}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF"
    return body + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode()
