"""Reading help articles and manuals: metadata and blocks of any format."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ingestion.readers.blocks import Block, ParsedDocument, without_title
from ingestion.readers.cleaning import clean, clean_line
from ingestion.readers.discovery import SourceFile
from ingestion.readers.encoding import decode
from ingestion.readers.headings import guess_headings
from ingestion.readers.loaders import load_docx, load_pdf
from ingestion.readers.markdown import parse_markdown
from ingestion.readers.markup import parse_html
from ingestion.readers.plain import parse_plain
from ingestion.readers.rows import DocumentMeta, explain

_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


class UnreadableDocumentError(Exception):
    """A document that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Document:
    """A read document.

    Attributes:
        id: Its own id, or its path relative to PATH without suffix.
        title: Its title, always filled.
        meta: What its front matter or sidecar says.
        blocks: Its content.
    """

    id: str
    title: str
    meta: DocumentMeta
    blocks: list[Block]


def read_document(source: SourceFile) -> Document:
    """Read a document.

    Raises:
        UnreadableDocumentError: It has no text, or its format or metadata cannot be understood.
    """
    try:
        parsed, front = _parse(source.path)
    except Exception as error:
        # The parsers of foreign formats raise classes of their own.
        problem = f"cannot be read: {error or type(error).__name__}"
        raise UnreadableDocumentError(problem) from error
    if not parsed.blocks:
        problem = "has no text (a scan?)" if source.path.suffix.lower() == ".pdf" else "has no text"
        raise UnreadableDocumentError(problem)
    meta = _meta(source, front)
    title = meta.title or clean_line(parsed.title or "") or _title_from_name(source.path)
    identifier = meta.id or source.relative.removesuffix(source.path.suffix)
    return Document(identifier, title, meta, guess_headings(without_title(title, parsed.blocks)))


def _parse(path: Path) -> tuple[ParsedDocument, dict[str, Any]]:
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        pages = load_pdf(path)
        return ParsedDocument(None, [block for number, text in pages for block in parse_plain(clean(text), number)]), {}
    if suffix == ".docx":
        return ParsedDocument(None, parse_plain(clean(load_docx(path)))), {}
    text = clean(decode(path.read_bytes()))
    if suffix in {".html", ".htm"}:
        return parse_html(text)
    front, body = split_front_matter(text)
    return (parse_markdown(body) if suffix == ".md" else ParsedDocument(None, parse_plain(body))), front


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Part a text into its YAML front matter, empty where it has none, and its body."""
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    try:
        data = yaml.safe_load(match[1])
    except yaml.YAMLError:
        data = _plain_pairs(match[1])
    return (
        ({str(name): value for name, value in data.items()}, text[match.end() :])
        if isinstance(data, dict)
        else ({}, text)
    )


def _plain_pairs(block: str) -> dict[str, str] | None:
    """Read `name: value` lines that are no YAML, such as an unquoted title with a colon in it."""
    pairs = [line.split(":", 1) for line in block.split("\n") if line.strip()]
    if not all(len(pair) == 2 and re.fullmatch(r"\w+", pair[0].strip()) for pair in pairs):  # noqa: PLR2004 - a pair
        return None
    return {name.strip(): value.strip().strip("\"'") for name, value in pairs}


def _meta(source: SourceFile, front: dict[str, Any]) -> DocumentMeta:
    try:
        sidecar = json.loads(decode(source.sidecar.read_bytes())) if source.sidecar else {}
        return DocumentMeta.model_validate({**front, **sidecar})
    except ValidationError as error:
        problem = f"its metadata: {explain(error)}"
    except (ValueError, TypeError) as error:
        problem = f"its sidecar {source.sidecar} is not a JSON object: {error}"
    raise UnreadableDocumentError(problem)


def _title_from_name(path: Path) -> str:
    words = re.sub(r"[-_]+", " ", path.stem).strip()
    return words[:1].upper() + words[1:] or path.stem
