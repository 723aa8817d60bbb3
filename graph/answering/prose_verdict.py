"""The yes or no before prose: by the figure that a question claims, or by the reader."""

import re
from collections.abc import Sequence

from graph.answering.bounds import decided_by_all
from graph.answering.parsed_clause import ParsedClause
from graph.answering.yes_no import verdict_of
from graph.parts import Reader, Statement
from ingestion.statements import as_read

HEDGED = re.compile(r"(?i)\b(if|unless|except|only|may|might|some|sometimes|should)\b")


def prose_verdict(asked: ParsedClause, matches: Sequence[Statement], reader: Reader) -> str | None:
    """The best statement's yes or no; none where one place has in stock what another is out of."""
    best = matches[0]
    hedged = any(HEDGED.search(match.text) for match in matches)
    if asked.claim and asked.claim.relation != "holds":
        return None if hedged or asked.negated else decided_by_all(asked.claim, [match.text for match in matches])
    if hedged:
        return None
    read = matches if best.evidence.source_type == "stock" else matches[:1]
    verdicts = {verdict_of(asked, as_read(one.evidence, one.text), reader) for one in read}
    return verdicts.pop() if len(verdicts) == 1 else None
