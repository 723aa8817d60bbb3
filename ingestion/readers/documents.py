"""Reading help articles and manuals: metadata and blocks of any format, also by loaders of LangChain."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ingestion.errors import UnusableLoaderError
from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import Block, ParsedDocument, guess_headings, without_title
from ingestion.readers.cleaning import NAME_LIMIT, clean, clean_line
from ingestion.readers.config import ShopConfig
from ingestion.readers.confined import Confined
from ingestion.readers.discovery import SourceFile
from ingestion.readers.formats import DOCUMENT_FORMATS, TEXT_SIZE, Parsed
from ingestion.readers.markdown import parse_markdown
from ingestion.readers.notes import Notes
from ingestion.readers.opening import RefusedFileError, check_size, decode, mend, mend_row, read_small
from ingestion.readers.rows import DocumentMeta, explain

if TYPE_CHECKING:
    from langchain_core.document_loaders import BaseLoader

_SMALL_TEXT_BYTES = 2**16
"""So small a text is read in this process; what can be made of it fills no memory."""
_BINDING = frozenset({"audience", "product_id"})
"""Metadata that says for whom and for what a document holds; without it, it could be shown where it must not be."""


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


def read_confined(source: SourceFile, notes: Notes, reading: Confined) -> Document:
    """Read a document in the process for foreign formats, or here where it is a small text.

    Args:
        source: The file.
        notes: Told what a shop should know of it.
        reading: That process, and the limits.

    Raises:
        OSError: It is gone or may not be read.
        BrokenOffError: Reading it took too much time or memory.
        UnreadableDocumentError: It has no text, or its format or metadata cannot be understood.
    """
    known = DOCUMENT_FORMATS.get(source.path.suffix.lower())
    own_text = source.loader is None and known is not None and known.size == TEXT_SIZE
    if own_text and source.path.stat().st_size <= _SMALL_TEXT_BYTES:
        return read_document(source, notes, reading.limits)
    (document,) = reading.items(notes, _documents, replace(source, config=ShopConfig()), reading.limits)
    return document


def _documents(source: SourceFile, limits: ReadingLimits, notes: Notes) -> Iterator[Document]:
    """One document; for `Confined.items`."""
    yield read_document(source, notes, limits)


def read_document(source: SourceFile, notes: Notes, limits: ReadingLimits = DEFAULT_LIMITS) -> Document:
    """Read a document.

    Args:
        source: The file.
        notes: Told what a shop should know of it.
        limits: The limits.

    Raises:
        UnreadableDocumentError: It has no text, or its format or metadata cannot be understood.
    """
    suffix = source.path.suffix.lower()
    try:
        parsed, front = _parse(source, suffix, notes, limits)
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
    meta = _meta(source, front, notes)
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


def _parse(source: SourceFile, suffix: str, notes: Notes, limits: ReadingLimits) -> Parsed:
    known = DOCUMENT_FORMATS.get(suffix)
    check_size(source.path.stat().st_size, limits, known.size if known else TEXT_SIZE)
    if source.loader is not None or known is None:
        return parse_loaded(source.path, source.loader or "")
    return known.parse(source.path, notes, limits)


def _meta(source: SourceFile, front: dict[str, Any], notes: Notes) -> DocumentMeta:
    """The metadata; values that cannot be used are left out where the document says no more without them than with."""
    try:
        sidecar = json.loads(decode(read_small(source.sidecar), notes)) if source.sidecar else {}
        sidecar = mend_row(sidecar)
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
        notes.add(f"metadata left out: {explain(error)}")
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


def parse_loaded(path: Path, loader: str) -> Parsed:
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
        text = clean(mend(document.page_content))
        number = page + 1 if isinstance(page, int) else None
        blocks += [replace(block, page=number) for block in parse_markdown(text).blocks]
    title = metadata.get("title")
    return ParsedDocument(str(title) if title else None, blocks), {
        name: metadata[name] for name in _READ if metadata.get(name)
    }
