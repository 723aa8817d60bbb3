"""Writing all parts of a generation."""

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ingestion.dense_writing import write_dense_index
from ingestion.embedding_cache import Embedded
from ingestion.knowledge_file import write_knowledge
from ingestion.lexical_index import write_lexical_index
from ingestion.scope import is_searched
from ingestion.shop import Shop


def write_generation(
    folder: Path,
    shop: Shop,
    embedded: Embedded,
    documents: Collection[bytes],
    previous: Path | None,
    progress: Callable[[int, int], None],
) -> None:
    """Write a generation's knowledge, and its dense and lexical index over what is found by search.

    Args:
        folder: Its folder.
        shop: What was read.
        embedded: The shop's evidence, embedded.
        documents: Keys under which the cache knows the documents that were read.
        previous: Folder of the generation that answers now, of which a part may be copied.
        progress: Called with the rows written and the rows to write in all parts.
    """
    evidence = list(shop.evidence.values())
    numbers = [number for number, one in enumerate(evidence) if is_searched(one)]
    searched = [evidence[number] for number in numbers]
    total = len(evidence) + len(searched)
    with ThreadPoolExecutor(1) as beside:
        lexical = beside.submit(write_lexical_index, folder, searched)
        write_knowledge(folder, shop, embedded, documents, lambda written: progress(written, total))
        write_dense_index(
            folder,
            searched,
            embedded.vectors[numbers],
            previous,
            lambda written, _: progress(len(evidence) + written, total),
        )
        lexical.result()
    progress(total, total)
