"""Building the index of a generated corpus with the product's own writers; a build that is killed goes on."""

import json
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel

from evals.benches.process_memory import peak_bytes
from evals.benches.retrieval_corpus import Corpus, open_vectors, real_chunks
from ingestion.dense_index import CHROMA_FOLDER, write_dense_index
from ingestion.lexical_index import LEXICAL_FOLDER, write_lexical_index

_BUILT, _SPENT = "built.json", "spent.json"

Progress = Callable[[str, int, int], None]
"""Called with the stage (`lexical` or `dense`), the rows done and the rows there are."""


class Built(BaseModel):
    """How an index was built.

    Attributes:
        dense_seconds: Building the dense index; all starts together, less what was lost when one was killed.
        lexical_seconds: Building the lexical index, likewise.
        dense_bytes: What it takes on disk.
        lexical_bytes: Likewise.
        peak_bytes: Most resident memory of the process that finished it.
        starts: How often the build was started.
    """

    dense_seconds: float
    lexical_seconds: float
    dense_bytes: int
    lexical_bytes: int
    peak_bytes: int
    starts: int


def generation_folder(folder: Path, size: int) -> Path:
    """Where the index of so many rows lies."""
    return folder / f"rows-{size}"


def built(folder: Path, size: int) -> Built | None:
    """What was noted when the index of so many rows was finished."""
    path = generation_folder(folder, size) / _BUILT
    return Built.model_validate_json(path.read_text(encoding="utf-8")) if path.exists() else None


def build(folder: Path, size: int, progress: Progress) -> Built:
    """Build the index of the first rows of the corpus, or what is missing of it."""
    place = generation_folder(folder, size)
    place.mkdir(parents=True, exist_ok=True)
    chunks = real_chunks(folder)
    vectors = open_vectors(folder, chunks, size)
    corpus = Corpus(chunks, size)
    spent = _Spent(place / _SPENT)
    write_lexical_index(place, corpus, spent.timed("lexical", progress))
    write_dense_index(place, corpus, vectors, progress=spent.timed("dense", progress))
    noted = Built(
        dense_seconds=spent.seconds["dense"],
        lexical_seconds=spent.seconds["lexical"],
        dense_bytes=_bytes(place / CHROMA_FOLDER),
        lexical_bytes=_bytes(place / LEXICAL_FOLDER),
        peak_bytes=peak_bytes(),
        starts=spent.starts,
    )
    (place / _BUILT).write_text(noted.model_dump_json(), encoding="utf-8")
    return noted


class _Spent:
    """The seconds that each stage took, kept on disk block by block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.starts: int = kept.get("starts", 0) + 1
        self.seconds: defaultdict[str, float] = defaultdict(float, kept.get("seconds", {}))
        self._keep()

    def timed(self, stage: str, progress: Progress) -> Callable[[int, int], None]:
        """What to call after each block of a stage that begins now."""
        before = time.perf_counter()

        def tell(done: int, total: int) -> None:
            nonlocal before
            now = time.perf_counter()
            self.seconds[stage] += now - before
            before = now
            self._keep()
            progress(stage, done, total)

        return tell

    def _keep(self) -> None:
        draft = self._path.with_suffix(".new")
        draft.write_text(json.dumps({"starts": self.starts, "seconds": self.seconds}), encoding="utf-8")
        draft.replace(self._path)


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
