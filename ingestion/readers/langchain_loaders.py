"""Documents of other formats, or read in other ways, by the LangChain document loaders that the settings name."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingestion.errors import UnusableLoaderError
from ingestion.readers.blocks import Block, ParsedDocument
from ingestion.readers.cleaning import clean
from ingestion.readers.opening import mend
from ingestion.readers.plain import parse_plain
from ingestion.readers.repairs import Repairs

if TYPE_CHECKING:
    from langchain_core.document_loaders import BaseLoader

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
        blocks += parse_plain(text, page + 1 if isinstance(page, int) else None)
    title = metadata.get("title")
    return ParsedDocument(str(title) if title else None, blocks), {
        name: metadata[name] for name in _READ if metadata.get(name)
    }
