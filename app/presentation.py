"""How a turn is shown, on the page and in a terminal alike: the structure of its text, and words for its terms.

An answer quotes evidence, and evidence may hold HTML, Markdown, dollar signs or anything else. So no Markdown engine
reads it: only the structures that the answer's renderer writes are recognised, all other signs mean themselves.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from graph.turn import STATING, BackendCall, Citation, Judgement, Outcome, Review, Turn, Usage
from ingestion.source_types import SOURCE_TABLE

SHOWN_INTENTS = 5
SHOWN_READ = 12
OUTCOMES: Mapping[Outcome, str] = {
    "clear": "Answered",
    "ambiguous": "Asked back",
    "no_answer": "Not known",
    "non_decision": "Browsing or small talk",
    "handoff": "Handed over",
}
"""How a turn may end, in words for people."""

_BULLET = re.compile(r"\A[-*•] +")
_STEP = re.compile(r"\A(\d{1,9})[.)] +")
_CELL_END = re.compile(r"(?<!\\)\|")
_INLINE = re.compile(r"(?P<space> ?)\[(?P<marker>\d+)\]|\*\*(?P<bold>(?=\S)(?:[^*]|\*(?!\*))++(?<=\S))\*\*")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `first` is the number of its first step, None for bullets."""

    texts: list[str]
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first row being the column heads."""

    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation's number, and whether a space stands before it."""

    number: int
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Words:
    """Literal words."""

    text: str
    bold: bool = False


def answer_layout(answer: str) -> Iterator[Paragraph | Items | Table]:
    """Read an answer, whole or as far as it has come."""
    for kind, lines in groupby(map(str.strip, answer.splitlines()), key=_kind):
        yield from _group(kind, list(lines))


def inline(text: str, *, bold: bool = False) -> Iterator[Words | Marker]:
    """Read a piece of running text as words and markers."""
    end = 0
    for match in _INLINE.finditer(text):
        if match.start() > end:
            yield Words(text[end : match.start()], bold)
        if match["marker"]:
            yield Marker(int(match["marker"]), spaced=bool(match["space"]))
        else:
            yield from inline(match["bold"], bold=True)
        end = match.end()
    if end < len(text):
        yield Words(text[end:], bold)


def is_rule(line: str) -> bool:
    """Whether a line is the one of dashes between a table's heads and its cells: `|---|:-:|`."""
    cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
    return "|" in line and all(set(cell.removeprefix(":").removesuffix(":")) == {"-"} for cell in cells)


def _kind(line: str) -> str:
    if not line:
        return ""
    if line.startswith("|"):
        return "table"
    if _BULLET.match(line):
        return "bullets"
    return "steps" if _STEP.match(line) else "paragraph"


def _group(kind: str, lines: list[str]) -> Iterator[Paragraph | Items | Table]:
    step = _STEP.match(lines[0])
    if kind == "table" and any(map(is_rule, lines)):
        yield Table([_cells(line) for line in lines if not is_rule(line)])
    elif kind == "bullets":
        yield Items([_BULLET.sub("", line, count=1) for line in lines])
    elif kind == "steps" and step:
        yield Items([_STEP.sub("", line, count=1) for line in lines], first=int(step[1]))
    elif kind:
        yield from map(Paragraph, lines)


def _cells(line: str) -> list[str]:
    inner = line.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(inner)]


def source_name(source_type: str) -> str:
    """What a kind of evidence is called."""
    return SOURCE_TABLE[source_type].name


def source_title(citation: Citation) -> str:
    """What a citation points to, and where in it; a title that begins with its kind tells it by itself."""
    kind, page = source_name(citation.source_type), f"page {citation.page}" if citation.page is not None else None
    where = ", ".join(filter(None, (citation.title, citation.section, page)))
    return where if where.casefold().startswith(kind.casefold()) else f"{kind}: {where}"


def source_text(citation: Citation) -> str:
    """A source on one line: what it is, the quoted words, its address."""
    quote = " ".join(citation.quote.split())
    return f"{source_title(citation)}: “{quote}”" + (f" {citation.url}" if citation.url else "")


def answer_with_sources(turn: Turn) -> str:
    """An answer as text that can be passed on: its words, then its numbered sources."""
    sources = [f"[{citation.marker}] {source_text(citation)}" for citation in turn.citations]
    return "\n".join([turn.answer, *(["", "Sources", *sources] if sources else [])])


def for_customer(turn: Turn) -> Turn:
    """A turn without what was withheld from its customer: that a person of the shop looks at it is all that is told."""
    told = turn.escalation and turn.escalation.model_copy(update={"summary": ""})
    return turn.model_copy(update={"review": Review(required=turn.review.required), "escalation": told})


def in_plain_words(turn: Turn) -> Iterator[str]:
    """How a turn came about, in sentences for somebody who knows none of the terms below them."""
    quoted = {citation.evidence_id for citation in turn.citations}
    if read := len(quoted.union(item.evidence_id for item in turn.retrieved)):
        rests = f"; the answer rests on {len(quoted)} of them" if quoted else ""
        yield f"{_counted(read, 'passage')} of the shop's information {'was' if read == 1 else 'were'} read{rests}."
    else:
        yield "Nothing in the shop's information is about this." if turn.searchable else "This needed no sources."
    if quoted:
        yield "Each sentence that states something was checked against its source."
    if quoted and turn.outcome in STATING:
        right = min(99, max(1, round(100 * turn.confidence.score)))
        yield f"{turn.confidence.label.capitalize()} confidence: of 100 such answers, about {right} are right."
    elif turn.outcome in ("ambiguous", "no_answer"):
        yield f"{turn.confidence.label.capitalize()} confidence: the question is not answered yet."
    if turn.review.required:
        yield "A person of the shop will look at this answer."


def decisions(turn: Turn) -> Iterator[tuple[str, str]]:
    """What was decided in a turn and by what, each under its name; probabilities, sentences and times aside."""
    yield "Question", turn.query
    yield "Standalone question", f"{turn.standalone_query} (rewritten by: {turn.rewritten_by})"
    yield "Flags", f"searchable {_yes(turn.searchable)}, wants a person {_yes(turn.live_agent)}"
    if turn.continues is not None:
        yield "Goes on from before", f"{turn.continues:.2f}"
    named = [f"{one.name} ({one.method}, {one.score:.2f})" for one in turn.products]
    yield "Products", ", ".join(named) or "none named"
    yield "Branch", f"{turn.intent.branch}, entropy {turn.intent.entropy:.3f}"
    for call in turn.backends:
        about = f" [{call.product_id}]" if call.product_id else ""
        unused = f"; not used: {'; '.join(call.dropped)}" if call.dropped else ""
        yield call.name[:1].upper() + call.name[1:] + about, f"{_result_of(call)}, {call.ms:.1f} ms{unused}"
    if turn.widened:
        yield "Widened", f"searched once more, for {', '.join(turn.widened)} and in the whole shop"
    yield "Evidence read", f"{len(turn.retrieved)} pieces, {len(turn.citations)} quoted"
    yield from _unquoted(turn)
    yield "Outcome", f"{OUTCOMES[turn.outcome]}, confidence {turn.confidence.score:.3f} ({turn.confidence.label})"
    if turn.confidence.signals:
        yield "Signals", ", ".join(f"{name} {value:.2f}" for name, value in turn.confidence.signals.items())
    if turn.review.required:
        yield "To be reviewed", "; ".join(turn.review.issues) or "by a person of the shop"
    if turn.escalation:
        yield "Escalation", f"{turn.escalation.reason}: ticket {turn.escalation.ticket_id} to {turn.escalation.to}"
    yield "Answered by", turn.answered_by + (f", degraded: {turn.degraded}" if turn.degraded else "")
    if turn.considered:
        yield "Drafts", ", ".join(f"{who} {score:.2f}" for who, score in turn.considered.items())
    if turn.usage.llm_calls:
        yield "Model calls", _spent(turn.usage)
    if turn.judgement:
        yield "Judged", judged(turn.judgement)


def _unquoted(turn: Turn) -> Iterator[tuple[str, str]]:
    """What was read and not quoted, the likeliest first."""
    quoted = {citation.evidence_id for citation in turn.citations}
    read = [item.evidence_id for item in turn.retrieved if item.evidence_id not in quoted]
    if read:
        more = f" and {len(read) - SHOWN_READ} more" if len(read) > SHOWN_READ else ""
        yield "Read, not quoted", ", ".join(read[:SHOWN_READ]) + more


def _result_of(call: BackendCall) -> str:
    """What came of a request to a live backend."""
    if call.failure is not None:
        return f"failed, {call.failure}"
    told = _counted(call.facts, "fact")
    unused = f", {len(call.dropped)} not usable" if call.dropped else ""
    return told + unused + (", remembered" if call.cached else "")


def _spent(usage: Usage) -> str:
    """What a turn cost in calls of a served model."""
    calls = _counted(usage.llm_calls, "call")
    prompt = f"{usage.prompt_tokens:,} prompt tokens, {usage.cached_share:.0%} of them cached"
    return f"{calls}, {prompt}, {usage.completion_tokens:,} written"


def judged(judgement: Judgement) -> str:
    """The grades of a judge."""
    helped = "helped" if judgement.helped else "did not help"
    return f"relevancy {judgement.relevancy}, grounded {judgement.grounded} of 5, {helped}, by {judgement.judge}"


def likeliest_intents(turn: Turn) -> list[tuple[str, float]]:
    """The intents worth showing with their probabilities, the likeliest first."""
    return sorted(turn.intent.distribution.items(), key=lambda item: -item[1])[:SHOWN_INTENTS]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _yes(value: bool) -> str:  # noqa: FBT001 - reads better in the rows above
    return "yes" if value else "no"


def plain_name(term: str) -> str:
    """A snake_case term as words."""
    return term.replace("_", " ").capitalize()
