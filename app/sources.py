"""What a citation points to: read from the index, or from the records where the index has moved on."""

from contextlib import closing
from pathlib import Path

from app.clock import SystemClock
from app.errors import UnknownSourceError
from app.settings import Settings
from app.storage.records import Records
from ingestion.errors import MissingGenerationError, MissingIndexError, UnknownEvidenceError
from ingestion.evidence import Evidence
from ingestion.knowledge import open_knowledge


def find_source(evidence_id: str, generation: str | None, index: Path, settings: Settings) -> tuple[Evidence, str]:
    """Find an evidence and the generation it was read from.

    Args:
        evidence_id: As it stands in a citation.
        generation: The citation's generation; None for the one that answers now.
        index: The index folder.
        settings: Say where the records lie.

    Raises:
        UnknownSourceError: Neither the index nor a recorded answer knows it.
        MissingIndexError: There is no index, and no recorded answer cites it.
        MissingGenerationError: The generation is gone, and no recorded answer cites it.
        CorruptIndexError: The index is damaged.
    """
    try:
        with closing(open_knowledge(index, generation)) as knowledge:
            return knowledge.evidence([evidence_id])[0], knowledge.generation
    except (MissingIndexError, MissingGenerationError, UnknownEvidenceError) as error:
        recorded = _recorded(evidence_id, generation, settings)
        if recorded is not None:
            return recorded
        if isinstance(error, UnknownEvidenceError):
            raise UnknownSourceError(evidence_id, generation) from error
        raise


def _recorded(evidence_id: str, generation: str | None, settings: Settings) -> tuple[Evidence, str] | None:
    if not settings.records.exists():
        return None
    with closing(Records(settings.records, SystemClock(), settings.team)) as records:
        name = generation or records.latest_generation(evidence_id)
        source = records.source(evidence_id, name) if name else None
        return (source, name) if source and name else None
