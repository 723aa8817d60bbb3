"""The decisions of a turn as a table, for `footnote ask --explain`."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.source_names import result_of, spent
from graph.turn import Turn

SHOWN_INTENTS = 5


def print_explanation(console: Console, turn: Turn) -> None:
    """What each node of the graph decided, and how long it took."""
    table = Table(
        title="How this was answered", title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0)
    )
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _decisions(turn):
        table.add_row(name, Text(value))
    console.print()
    console.print(table)


def _decisions(turn: Turn) -> Iterator[tuple[str, str]]:
    yield "Question", turn.query
    yield "Standalone question", f"{turn.standalone_query}  (rewritten by: {turn.rewritten_by})"
    yield "Flags", f"searchable {_yes(turn.searchable)}, wants a person {_yes(turn.live_agent)}"
    if turn.continues is not None:
        yield "Goes on from before", f"{turn.continues:.2f}"
    products = [f"{product.name} [{product.id}] by {product.method}, {product.score:.2f}" for product in turn.products]
    yield "Catalog", "\n".join(products) or "no product named"
    yield "Intent", "\n".join(_intents(turn)) or "not classified"
    yield "Branch", f"{turn.intent.branch} (entropy {turn.intent.entropy:.3f})"
    if turn.backends:
        yield "Live backends", "\n".join(_backends(turn))
    if turn.widened:
        yield "Widened", f"searched once more, for {', '.join(turn.widened)} and in the whole shop"
    yield "Retrieved", "\n".join(f"{hit.score:.3f}  {hit.evidence_id}" for hit in turn.retrieved) or "nothing"
    yield "Sentences", "\n".join(_sentences(turn)) or "none"
    yield "Outcome", f"{turn.outcome}, confidence {turn.confidence.score:.3f} ({turn.confidence.label})"
    if turn.confidence.signals:
        yield "Signals", ", ".join(f"{name} {value:.2f}" for name, value in turn.confidence.signals.items())
    if turn.review.required:
        yield "Review", "; ".join(turn.review.issues)
    if turn.escalation:
        yield "Escalation", f"{turn.escalation.reason}: ticket {turn.escalation.ticket_id} to {turn.escalation.to}"
    yield "Answered by", turn.answered_by + (f" (degraded: {turn.degraded})" if turn.degraded else "")
    if turn.usage.llm_calls:
        yield "Model calls", spent(turn.usage)
    yield "Timings", "\n".join(f"{ms:8.1f} ms  {node}" for node, ms in turn.timings_ms.items())
    yield "Versions", f"generation {turn.generation}, config {turn.config_hash}, prompts {turn.prompt_hash or '-'}"


def _intents(turn: Turn) -> Iterator[str]:
    likeliest = sorted(turn.intent.distribution.items(), key=lambda item: -item[1])[:SHOWN_INTENTS]
    for name, probability in likeliest:
        yield f"{probability:.3f}  {name}{'  (selected)' if name in turn.intent.selected else ''}"


def _backends(turn: Turn) -> Iterator[str]:
    for call in turn.backends:
        about = f" [{call.product_id}]" if call.product_id else ""
        yield f"{call.ms:8.1f} ms  {call.name}{about}: {result_of(call)}"
        yield from (f"             not used: {reason}" for reason in call.dropped)


def _sentences(turn: Turn) -> Iterator[str]:
    for sentence in turn.sentences:
        markers = "".join(f"[{marker}]" for marker in sentence.citations)
        support = f"{sentence.support:.2f}" if sentence.factual else "   -"
        yield f"{support}  {' '.join(sentence.text.split())} {markers}".rstrip()


def _yes(value: bool) -> str:  # noqa: FBT001 - reads better in the table above
    return "yes" if value else "no"
