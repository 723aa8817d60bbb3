"""Reading help articles and manuals: metadata and blocks of any format, also by loaders of LangChain."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import ValidationError

from ingestion.errors import UnusableLoaderError
from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import Block, ParsedDocument, guess_headings, without_title
from ingestion.readers.cleaning import NAME_LIMIT, clean, clean_line
from ingestion.readers.config import ShopConfig
from ingestion.readers.confined import Confined
from ingestion.readers.discovery import DOCUMENT_SUFFIXES, TEXT_SIZE, SourceFile
from ingestion.readers.html_page import parse_html
from ingestion.readers.markdown import parse_markdown
from ingestion.readers.opening import RefusedFileError, check_size, decode, mend, mend_row, read_bytes, read_small
from ingestion.readers.pdf import parse_pdf
from ingestion.readers.repairs import Repairs
from ingestion.readers.rows import DocumentMeta, explain
from ingestion.readers.word import parse_docx

if TYPE_CHECKING:
    from langchain_core.document_loaders import BaseLoader

_SMALL_TEXT_BYTES = 2**16
"""So small a text is read in this process; what can be made of it fills no memory."""
_BINDING = frozenset({"audience", "product_id"})
"""Metadata that says for whom and for what a document holds; without it, it could be shown where it must not be."""
_TABS = re.compile(r"(?<=\S)\t+(?=\S)")
"""Between the cells of a table in plain text."""
_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


class _TextLoader(yaml.SafeLoader):
    """Leaves every value as it is written: an id `0042`, a title `1.10` and a date are texts; `null` is none."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases, which make one value stand many times: nine of nine of nine fill any memory."""
        if self.check_event(yaml.AliasEvent):
            problem = "its front matter has YAML aliases (&name, *name), which are not read; write the values out"
            raise RefusedFileError(problem)
        return super().compose_node(parent, index)


_TextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
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

    @property
    def keywords(self) -> tuple[str, ...]:
        """The words it names itself by: its keywords and its description."""
        return (*self.meta.keywords, *([self.meta.description] if self.meta.description else []))


def read_confined(source: SourceFile, repairs: Repairs, reading: Confined) -> Document:
    """Read a document in the process for foreign formats, or here where it is a small text.

    Args:
        source: The file.
        repairs: Told what was put right.
        reading: That process, and the limits.

    Raises:
        OSError: It is gone or may not be read.
        BrokenOffError: Reading it took too much time or memory.
        UnreadableDocumentError: It has no text, or its format or metadata cannot be understood.
    """
    own = source.loader is None and DOCUMENT_SUFFIXES.get(source.path.suffix.lower()) == TEXT_SIZE
    if own and source.path.stat().st_size <= _SMALL_TEXT_BYTES:
        return read_document(source, repairs, reading.limits)
    (document,) = reading.items(repairs, _documents, replace(source, config=ShopConfig()), reading.limits)
    return document


def _documents(source: SourceFile, limits: ReadingLimits, repairs: Repairs) -> Iterator[Document]:
    """One document; for `Confined.items`."""
    yield read_document(source, repairs, limits)


def read_document(source: SourceFile, repairs: Repairs, limits: ReadingLimits = DEFAULT_LIMITS) -> Document:
    """Read a document.

    Args:
        source: The file.
        repairs: Told what was put right.
        limits: The limits.

    Raises:
        UnreadableDocumentError: It has no text, or its format or metadata cannot be understood.
    """
    suffix = source.path.suffix.lower()
    try:
        parsed, front = _parse(source, suffix, repairs, limits)
    except (OSError, MemoryError):
        raise
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
    size = sum(len(block.text) for block in parsed.blocks)
    if size > limits.document_characters:
        problem = limits.beyond("document_characters", f"it has {size:,} characters")
        raise UnreadableDocumentError(problem)
    own = clean_line(parsed.title or "")
    title = (
        meta.title or (own if len(own) <= NAME_LIMIT else "") or _title_from_name(PurePosixPath(source.relative).stem)
    )
    identifier = meta.id or source.relative.removesuffix(source.path.suffix)
    return Document(identifier, title, meta, guess_headings(without_title(title, parsed.blocks)))


def _parse(
    source: SourceFile, suffix: str, repairs: Repairs, limits: ReadingLimits
) -> tuple[ParsedDocument, dict[str, Any]]:
    path = source.path
    size = DOCUMENT_SUFFIXES.get(suffix, TEXT_SIZE)
    check_size(path.stat().st_size, limits, size)
    if source.loader is not None:
        return parse_loaded(path, source.loader, repairs)
    if suffix == ".pdf":
        return parse_pdf(path, repairs, limits)
    if suffix == ".docx":
        return parse_docx(path, limits)
    text = clean(mend(decode(read_bytes(path, limits, size), repairs), repairs))
    if suffix in {".html", ".htm"}:
        return parse_html(text)
    front, body = split_front_matter(text)
    return parse_markdown(_TABS.sub(" | ", body) if suffix == ".txt" else body), front


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Part a text into its YAML front matter, empty where it has none, and its body.

    What stands between two rules is metadata only where it names something that documents have.

    Raises:
        RefusedFileError: The metadata has aliases.
        RecursionError: It is nested deeper than metadata is.
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
        sidecar = json.loads(decode(read_small(source.sidecar), repairs)) if source.sidecar else {}
        sidecar = mend_row(sidecar, repairs, None)
        data = {**front, **sidecar}
    except RefusedFileError as error:
        problem = f"its sidecar {source.sidecar and source.sidecar.name} cannot be read: {error}"
        raise UnreadableDocumentError(problem) from error
    except (ValueError, TypeError, RecursionError) as error:
        problem = f"its sidecar {source.sidecar and source.sidecar.name} is not a JSON object: {error}"
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


Loaders = Mapping[str, str]
"""Suffix to the loader of such files, as `module:Class`, such as `{".epub": "my_shop.readers:EpubLoader"}`."""

_READ = ("description", "keywords")
"""Metadata that count as if the document said so of itself."""


def loader_class(name: str) -> "type[BaseLoader]":
    """The loader of a name; it is made from the path of a file alone.

    Raises:
        UnusableLoaderError: There is none of this name.
    """
    from langchain_core.document_loaders import BaseLoader  # noqa: PLC0415 - heavy, for those who name one

    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnusableLoaderError(name, str(error)) from error
    if not (isinstance(found, type) and issubclass(found, BaseLoader)):
        raise UnusableLoaderError(name, "it is no document loader of LangChain")
    return found


def parse_loaded(path: Path, loader: str, repairs: Repairs) -> tuple[ParsedDocument, dict[str, Any]]:
    """Read a file by a loader: each document it gives is plain text, of its `page`, which counts from 0.

    Returns:
        Its title and content, and what the first document's metadata say: `description`, `keywords`.
    """
    make: Any = loader_class(loader)
    blocks: list[Block] = []
    metadata: dict[str, Any] = {}
    for document in make(str(path)).lazy_load():
        metadata = metadata or document.metadata
        page = document.metadata.get("page")
        text = clean(mend(document.page_content, repairs))
        number = page + 1 if isinstance(page, int) else None
        blocks += [replace(block, page=number) for block in parse_markdown(text).blocks]
    title = metadata.get("title")
    return ParsedDocument(str(title) if title else None, blocks), {
        name: metadata[name] for name in _READ if metadata.get(name)
    }
