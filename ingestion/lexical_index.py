"""The lexical index: full-text search by BM25.

Each chunk is one text, its title twice, indexed by word stems and by the words as they stand: "descaling" finds
"descale", and finds "descaling" better. A query is a plain union of terms, which tantivy answers without scoring every
match (block-max WAND: Ding and Suel, 2011).
"""

import math
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from tantivy import (
    DocAddress,
    Document,
    Filter,
    Index,
    Occur,
    Query,
    Schema,
    SchemaBuilder,
    TextAnalyzerBuilder,
    Tokenizer,
)

from ingestion.evidence import Evidence

FUNCTION_WORDS = frozenset(
    # articles, determiners, conjunctions, prepositions
    "a an the this that these those some any and or but if then than so as of in on at by for from with to into about"
    # pronouns
    " i me my you your he him his she her it its we us our they them their"
    # forms of be, do, have and the modal verbs
    " am is are was were be been being do does did have has had can could will would shall should may might must"
    # question words, and what is left of contractions
    " what which who whom whose when where why how there not s t re ve ll d m".split(" ")
)
"""Words that say nothing of what a text is about, left out of queries; a question of nothing else keeps them."""


LEXICAL_FOLDER = "lexical"

_HEAP_BYTES = 128_000_000
_ROWS_A_COMMIT = 100_000
_META_FILES = ("meta.json", ".managed.json")
_MAX_QUERY_TERMS = 64
_COMMON_SHARE, _COMMON_ROWS = 0.2, 20_000
"""A term in more rows than both allow costs most of the time and tells least; it is left out where others are left."""
_MARGIN = 1.5
_MAX_OVERFETCH = 1000

_ID = "evidence_id"
_TYPE = "source_type"

_Hit = tuple[Any, DocAddress]


def _folded() -> TextAnalyzerBuilder:
    return TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase()).filter(Filter.ascii_fold())


_ANALYZERS = {"words": _folded().build(), "stems": _folded().filter(Filter.stemmer("English")).build()}
"""Field to how its text is cut into terms."""


def write_lexical_index(folder: Path, evidence: Sequence[Evidence]) -> None:
    """Write the lexical index into a generation's folder.

    Args:
        folder: The generation's folder.
        evidence: What is found by search.
    """
    place = folder / LEXICAL_FOLDER
    place.mkdir(parents=True, exist_ok=True)
    index = Index(_schema(), path=str(place))
    for name, analyzer in _ANALYZERS.items():
        index.register_tokenizer(name, analyzer)
    # One thread keeps the rows in their order, so that ties come out alike in every build.
    writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
    for start in range(0, len(evidence), _ROWS_A_COMMIT):
        for one in evidence[start : start + _ROWS_A_COMMIT]:
            writer.add_document(_document(one))
        writer.commit()
    writer.wait_merging_threads()
    for name in _META_FILES:  # made for their owner alone, unlike the files beside them
        (place / name).chmod(place.stat().st_mode & 0o666)


class LexicalIndex:
    """A generation's lexical index, opened on the first search; it may be read from several threads."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / LEXICAL_FOLDER
        self._lock = Lock()
        self._opened: _OpenIndex | None = None

    def search(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best evidence of these types by BM25: `(evidence_id, score)`, best first.

        Nothing in the text is read as an operator. At most 64 of its words are searched for, function words only
        where there is nothing else.

        Raises:
            ValueError: The index is damaged.
        """
        terms = _terms(text)
        if not terms or not source_types or limit < 1:
            return []
        with self._lock:
            if self._opened is None:
                self._opened = _OpenIndex(self._place)
            opened = self._opened
        return opened.search(terms, source_types, limit)

    def close(self) -> None:
        """Release the files."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None


class _OpenIndex:
    """An index in memory maps."""

    def __init__(self, place: Path) -> None:
        with ExitStack() as exits:
            index = Index.open(str(place if os.access(place, os.W_OK) else exits.enter_context(_links(place))))
            index.config_reader(reload_policy="manual")  # a generation never changes, so nothing is watched
            self._schema = index.schema
            self._searcher = index.searcher()
            self._exits = exits.pop_all()

    def close(self) -> None:
        self._exits.close()  # what is mapped stays readable

    def search(self, terms: Sequence[str], source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        codes = [_type_code(source_type) for source_type in sorted(source_types)]
        there = sum(self._searcher.doc_freq(_TYPE, code) for code in codes)
        if not there:
            return []
        union = self._union(terms)
        hits = self._overfetched(union, codes, limit, there)
        if hits is None:
            hits = self._searcher.search(self._of_types(union, codes), limit, count=False).hits
        return [(str(self._searcher.doc(address)[_ID][0]), float(score)) for score, address in hits[:limit]]

    def _overfetched(self, union: Query, codes: Sequence[int], limit: int, there: int) -> list[_Hit] | None:
        """The best of all types, then of these: quick where these are common; None where too few are among them."""
        total = self._searcher.num_docs
        wanted = limit if there == total else math.ceil(limit * _MARGIN * total / there)
        if wanted > _MAX_OVERFETCH:
            return None
        hits = self._searcher.search(union, wanted, count=False).hits
        found = self._searcher.fast_field_values(_TYPE, [address for _, address in hits])
        kept = [hit for hit, code in zip(hits, found, strict=True) if code in codes]
        return kept if len(kept) >= limit or len(hits) < wanted else None

    def _union(self, terms: Sequence[str]) -> Query:
        asked = [
            (name, token)
            for name, analyzer in _ANALYZERS.items()
            for token in dict.fromkeys(token for term in terms for token in analyzer.analyze(term))
        ]
        common = max(_COMMON_ROWS, _COMMON_SHARE * self._searcher.num_docs)
        telling = [(name, token) for name, token in asked if self._searcher.doc_freq(name, token) <= common]
        return Query.boolean_query(
            [(Occur.Should, Query.term_query(self._schema, name, token)) for name, token in telling or asked]
        )

    def _of_types(self, union: Query, codes: Sequence[int]) -> Query:
        types = Query.boolean_query([(Occur.Should, Query.term_query(self._schema, _TYPE, code)) for code in codes])
        return Query.boolean_query([(Occur.Must, union), (Occur.Must, Query.const_score_query(types, 0.0))])


@contextmanager
def _links(place: Path) -> Iterator[Path]:
    """A folder of links to an index that may not be written: tantivy opens lock files for writing, even to read."""
    with TemporaryDirectory(prefix="footnote-") as folder:
        for file in place.iterdir():
            if file.suffix != ".lock":
                (Path(folder) / file.name).symlink_to(file.resolve())
        yield Path(folder)


def _terms(text: str) -> list[str]:
    """The distinct words of a question, without function words where others are left."""
    words = list(dict.fromkeys(re.findall(r"\w+", text.casefold())))
    return ([word for word in words if word not in FUNCTION_WORDS] or words)[:_MAX_QUERY_TERMS]


def _schema() -> Schema:
    builder = SchemaBuilder()
    for name in _ANALYZERS:
        builder.add_text_field(name, tokenizer_name=name, index_option="freq")
    builder.add_text_field(_ID, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(_TYPE, indexed=True, fast=True)
    return builder.build()


def _document(one: Evidence) -> Document:
    text = "\n".join([one.title, one.title, one.section or "", " ".join(one.keywords), one.text])
    document = Document()
    for name in _ANALYZERS:
        document.add_text(name, text)
    document.add_text(_ID, one.evidence_id)
    document.add_unsigned(_TYPE, _type_code(one.source_type))
    return document


def _type_code(source_type: str) -> int:
    """A number for a source type: tantivy reads many rows' numbers at once, but not their texts."""
    return zlib.crc32(source_type.encode())
