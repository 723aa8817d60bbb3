"""Reading help articles and manuals: metadata and blocks of any format."""

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from pydantic import ValidationError

from ingestion.readers.blocks import Block, ParsedDocument, without_title
from ingestion.readers.cleaning import clean, clean_line
from ingestion.readers.discovery import SourceFile
from ingestion.readers.encoding import decode
from ingestion.readers.headings import guess_headings
from ingestion.readers.html_page import parse_html
from ingestion.readers.markdown import parse_markdown
from ingestion.readers.mending import mend
from ingestion.readers.pdf import parse_pdf
from ingestion.readers.plain import parse_plain
from ingestion.readers.repairs import Repairs
from ingestion.readers.rows import DocumentMeta, explain
from ingestion.readers.word import parse_docx

_MAX_MEBIBYTES = {".pdf": 512, ".docx": 128}
_MAX_TEXT_MEBIBYTES = 32
"""Larger files are no articles; reading one would fill the memory."""
_BINDING = frozenset({"audience", "product_id"})
"""Metadata that says for whom and for what a document holds; without it, it could be shown where it must not be."""
_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


class _TextLoader(yaml.CSafeLoader):
    """Leaves every value as it is written: an id `0042`, a title `1.10` and a date are texts; `null` is none."""


_TextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


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


def read_document(source: SourceFile, repairs: Repairs) -> Document:
    """Read a document.

    Args:
        source: The file.
        repairs: Told what was put right.

    Raises:
        UnreadableDocumentError: It has no text, or its format or metadata cannot be understood.
    """
    suffix = source.path.suffix.lower()
    _check_size(source.path, suffix)
    try:
        parsed, front = _parse(source.path, suffix, repairs)
    except RecursionError as error:
        problem = "cannot be read: it is nested too deeply"
        raise UnreadableDocumentError(problem) from error
    except Exception as error:
        # The parsers of foreign formats raise classes of their own.
        problem = f"cannot be read: {error or type(error).__name__}"
        raise UnreadableDocumentError(problem) from error
    if not parsed.blocks:
        problem = "has no text (a scan?)" if suffix == ".pdf" else "has no text"
        raise UnreadableDocumentError(problem)
    meta = _meta(source, front, repairs)
    title = meta.title or clean_line(parsed.title or "") or _title_from_name(PurePosixPath(source.relative).stem)
    identifier = meta.id or source.relative.removesuffix(source.path.suffix)
    return Document(identifier, title, meta, guess_headings(without_title(title, parsed.blocks)))


def _check_size(path: Path, suffix: str) -> None:
    limit = _MAX_MEBIBYTES.get(suffix, _MAX_TEXT_MEBIBYTES)
    size = path.stat().st_size / 2**20
    if size > limit:
        problem = f"is {size:,.0f} MiB large, more than the {limit} MiB of a document; split it"
        raise UnreadableDocumentError(problem)


def _parse(path: Path, suffix: str, repairs: Repairs) -> tuple[ParsedDocument, dict[str, Any]]:
    if suffix == ".pdf":
        return parse_pdf(path, repairs)
    if suffix == ".docx":
        return parse_docx(path)
    text = clean(mend(decode(path.read_bytes(), repairs), repairs))
    if suffix in {".html", ".htm"}:
        return parse_html(text)
    front, body = split_front_matter(text)
    return (parse_markdown(body) if suffix == ".md" else ParsedDocument(None, parse_plain(body))), front


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Part a text into its YAML front matter, empty where it has none, and its body.

    What stands between two rules is metadata only where it names something that documents have.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    try:
        data = yaml.load(match[1], Loader=_TextLoader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError):
        data = _plain_pairs(match[1])
    if not isinstance(data, dict) or not set(map(str, data)) & set(DocumentMeta.model_fields):
        return {}, text
    return {str(name): value for name, value in data.items()}, text[match.end() :]


def _plain_pairs(block: str) -> dict[str, str] | None:
    """Read `name: value` lines that are no YAML, such as an unquoted title with a colon in it."""
    pairs = [line.split(":", 1) for line in block.split("\n") if line.strip()]
    if not all(len(pair) == 2 and re.fullmatch(r"\w+", pair[0].strip()) for pair in pairs):  # noqa: PLR2004 - a pair
        return None
    return {name.strip(): value.strip().strip("\"'") for name, value in pairs}


def _meta(source: SourceFile, front: dict[str, Any], repairs: Repairs) -> DocumentMeta:
    """The metadata; values that cannot be used are left out where the document says no more without them than with."""
    try:
        sidecar = json.loads(decode(source.sidecar.read_bytes(), repairs)) if source.sidecar else {}
        data = {**front, **sidecar}
    except (ValueError, TypeError, RecursionError) as error:
        problem = f"its sidecar {source.sidecar} is not a JSON object: {error}"
        raise UnreadableDocumentError(problem) from error
    try:
        return DocumentMeta.model_validate(data)
    except ValidationError as error:
        wrong = {str(problem["loc"][0]) for problem in error.errors()}
        if wrong & _BINDING:
            problem = f"its metadata: {explain(error)}"
            raise UnreadableDocumentError(problem) from error
        repairs.note("metadata", detail=f"left out: {explain(error)}")
    return DocumentMeta.model_validate({name: value for name, value in data.items() if name not in wrong})


def _title_from_name(name: str) -> str:
    words = re.sub(r"[-_]+", " ", name).strip()
    return words[:1].upper() + words[1:] or name
