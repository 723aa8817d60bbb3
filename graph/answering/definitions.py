"""What one of the shop's own words means."""

import re
from collections.abc import Sequence

from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.parsed_clause import ParsedClause
from graph.language.sources import quoted
from graph.language.terms import terms
from ingestion.evidence import GLOSSARY, Evidence
from ingestion.spans import sentence_spans

MEANING = re.compile(r"(?i)\b(what|what's|whats|meaning|mean|means|define|explain|tell me about)\b")
FRAME = frozenset({"mean", "explain", "defin"})
SCORE = 0.95


def find_definition(asked: ParsedClause, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """The meaning of the word a clause asks about and nothing else."""
    if not MEANING.search(asked.text):
        return None
    wanted = asked.terms - FRAME
    for item, _ in evidence:
        if item.section == GLOSSARY and wanted and wanted == frozenset(terms(item.title)):
            said = [
                cited(quoted("help_article", item.text[start:end]), span(item, start, end))
                for start, end in sentence_spans(item.text)
            ]
            return Candidate(
                blocks=(paragraph(*said),),
                score=SCORE,
                source_type="help_article",
                evidence_ids=frozenset({item.evidence_id}),
            )
    return None
