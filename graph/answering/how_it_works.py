"""How a thing of the shop works: the beginning of the article that is about it."""

import re
from collections.abc import Sequence

from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.parsed_clause import ParsedClause
from graph.language.sources import quoted
from graph.language.terms import terms
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans

WORKING = re.compile(
    r"(?i)\bhow (?:do|does) (?:the |your |this |a |an )?(?P<it>[^,;.?!]{1,200}?) works?\b"
    r"|\bhow (?:the|your) (?P<told>[^,;.?!]{1,200}?) works?\b"
    r"|\bexplain (?:the |your )?(?P<explained>[^,;.?!]+)"
)
SCORE = 0.8
SENTENCES = 3


def find_workings(asked: ParsedClause, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """What an article says first of its matter, where a clause asks how that works and nothing else."""
    found = WORKING.search(asked.text)
    wanted = frozenset(terms(found[found.lastgroup or 0])) if found else frozenset()
    if not wanted or not asked.specific <= wanted:
        return None
    about = [item for item, _ in evidence if item.source_type == "help_article" and _is_about(item, wanted)]
    first = min(about, key=_place, default=None)
    if first is None or not (spans := _sentences(first)):
        return None
    said = [cited(quoted("help_article", first.text[start:end]), span(first, start, end)) for start, end in spans]
    return Candidate(
        blocks=(paragraph(*said),),
        score=SCORE,
        source_type="help_article",
        evidence_ids=frozenset({first.evidence_id}),
    )


def _is_about(item: Evidence, wanted: frozenset[str]) -> bool:
    """Whether the title of an article names a matter, or one of its keywords is nothing else."""
    return wanted <= frozenset(terms(item.title)) or any(wanted == frozenset(terms(word)) for word in item.keywords)


def _place(item: Evidence) -> tuple[str, int]:
    return item.row_id, int(item.evidence_id.rpartition("#")[2]) if "#" in item.evidence_id else 0


def _sentences(item: Evidence) -> list[tuple[int, int]]:
    """The first sentences of a chunk, without headings and lists."""
    spans = sentence_spans(item.text)
    return [at for at in spans if item.text[slice(*at)].endswith((".", "!")) and item.text[at[0]].isalpha()][:SENTENCES]
