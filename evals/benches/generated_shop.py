"""A shop of any size, the same every time: made of the demo shop's own sentences, so that texts read as real ones."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.demo import shop_path
from ingestion.spans import sentence_spans

_SECTIONS = 6
_SECTION_SENTENCES = (6, 16)
_ATTRIBUTES = 8
_REVIEWS = 10
_QUESTIONS = 4
CHUNKS_A_DOCUMENT = _SECTIONS
"""About so many chunks a document has."""
EVIDENCE_A_PRODUCT = 3 + _REVIEWS + _QUESTIONS + 1
"""So many pieces of evidence a product has: three of its own, reviews, questions and a fact."""


def write_shop(folder: Path, *, documents: int = 0, products: int = 0, seed: int = 0) -> None:
    """Write a shop's files.

    Args:
        folder: Where to; made where it is missing.
        documents: Help articles, each of `CHUNKS_A_DOCUMENT` chunks or so.
        products: Rows of the catalog, each with reviews, questions and a fact: `EVIDENCE_A_PRODUCT` pieces of evidence.
        seed: Another seed gives other texts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(seed)  # noqa: S311 - nothing secret
    sentences = _sentences()
    for number in range(documents):
        path = folder / "help" / f"{number // 1000:03}" / f"article-{number:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_article(source, sentences, number), encoding="utf-8")
    tables: dict[str, list[dict[str, Any]]] = {"products": [], "reviews": [], "questions": [], "facts": []}
    for number in range(products):
        for table, row in _product_rows(source, sentences, number):
            tables[table].append(row)
    for table, rows in tables.items():
        if rows:
            (folder / f"{table}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _sentences() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(shop_path().rglob("*.md"))]
    prose = [line for text in texts for line in text.splitlines() if line[:1].isupper()]
    return list(dict.fromkeys(line[start:end] for line in prose for start, end in sentence_spans(line)))


def _prose(source: random.Random, sentences: list[str], count: int) -> str:
    return " ".join(source.sample(sentences, count))


def _heading(source: random.Random, sentences: list[str]) -> str:
    return " ".join(source.choice(sentences).rstrip(".!?").split()[:5])


def _article(source: random.Random, sentences: list[str], number: int) -> str:
    title = f"{_heading(source, sentences)} ({number})"
    parts = [f"# {title}"]
    for _ in range(_SECTIONS):
        parts += [f"## {_heading(source, sentences)}", _prose(source, sentences, source.randint(*_SECTION_SENTENCES))]
    return "\n\n".join(parts) + "\n"


def _product_rows(source: random.Random, sentences: list[str], number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    own = f"p{number:06}"
    yield (
        "products",
        {
            "id": own,
            "name": f"{source.choice(_heading(source, sentences).split())} {number}",
            "attributes": {f"Property {one}": _heading(source, sentences) for one in range(_ATTRIBUTES)},
            "features": [_prose(source, sentences, 1) for _ in range(3)],
            "description": _prose(source, sentences, 3),
        },
    )
    for one in range(_REVIEWS):
        text = _prose(source, sentences, source.randint(1, 3))
        yield "reviews", {"id": f"{own}-r{one}", "product_id": own, "rating": source.randint(1, 5), "text": text}
    for one in range(_QUESTIONS):
        question = f"{_heading(source, sentences)}?"
        answer = _prose(source, sentences, 1)
        yield "questions", {"id": f"{own}-q{one}", "product_id": own, "question": question, "answer": answer}
    offer = {"id": f"{own}-f", "product_id": own, "source_type": "warranty", "text": _prose(source, sentences, 1)}
    yield "facts", offer
