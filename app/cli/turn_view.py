"""A turn for people who read it in a terminal: the answer with its sources, and how it came about."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from app.presentation import (
    Items,
    Marker,
    Paragraph,
    Table,
    answer_layout,
    decisions,
    inline,
    judged,
    likeliest_intents,
    plain_name,
    source_title,
)
from graph.turn import Citation, Turn

LABEL_STYLES = {"high": "green", "medium": "yellow", "low": "red"}


def print_answer(console: Console, turn: Turn) -> None:
    """The answer alone, with a question back and its options."""
    for block in _answer(turn.answer):
        console.print(block, soft_wrap=not isinstance(block, Grid))
    if turn.clarification and turn.clarification.question not in turn.answer:
        console.print(Text(turn.clarification.question))


def print_turn(console: Console, turn: Turn) -> None:
    """The answer, its numbered sources, how sure it is and what may come next."""
    if turn.standalone_query != turn.query:
        console.print(Text(f"Understood as: {turn.standalone_query}", style="dim italic"))
    print_answer(console, turn)
    if turn.citations:
        console.print(Text("\nSources", style="bold"))
    for citation in turn.citations:
        console.print(_source(citation), soft_wrap=True)
    for line in _beside(turn):
        console.print(line, soft_wrap=True)


def _answer(answer: str) -> Iterator[RenderableType]:
    for block in answer_layout(answer):
        if isinstance(block, Paragraph):
            yield _words(block.text)
        elif isinstance(block, Items):
            yield from _items(block)
        else:
            yield _grid(block)


def _items(items: Items) -> Iterator[Text]:
    for number, text in enumerate(items.texts, start=items.first or 0):
        lead = " • " if items.first is None else f"{number:>2}. "
        yield Text(lead).append_text(_words(text))


def _grid(table: Table) -> Grid:
    head, *body = table.rows
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in head:
        grid.add_column(_words(name))
    for row in body:
        grid.add_row(*map(_words, row))
    return grid


def _words(text: str) -> Text:
    line = Text()
    for piece in inline(text):
        if isinstance(piece, Marker):
            line.append(" " * piece.spaced).append(f"[{piece.number}]", style="cyan")
        else:
            line.append(piece.text, style="bold" if piece.bold else "")
    return line


def _source(citation: Citation) -> Text:
    line = Text().append(f" [{citation.marker}] ", style="cyan").append(source_title(citation))
    quote = " ".join(citation.quote.split())
    return line.append(f"\n     “{quote}”", style="dim")


def _beside(turn: Turn) -> Iterator[Text]:
    yield Text()
    if turn.outcome not in {"non_decision", "handoff"}:
        confidence = turn.confidence
        style = LABEL_STYLES[confidence.label]
        yield Text("Confidence: ").append(confidence.label, style=style).append(f" ({confidence.score:.2f})")
    if turn.escalation:
        ticket = turn.escalation
        yield Text(f"Handed over to {ticket.to}, ticket {ticket.ticket_id}: {plain_name(ticket.reason)}")
    if turn.clarification and turn.clarification.options:
        yield Text("You could reply: " + " | ".join(turn.clarification.options))
    if turn.suggestions:
        yield Text("Products: " + ", ".join(suggestion.name for suggestion in turn.suggestions))
    if turn.followups:
        yield Text("You could ask: " + " | ".join(turn.followups))
    if turn.blurb:
        yield Text(f"Card: {turn.blurb.text}")
    if turn.judgement:
        yield Text("Judged: ").append(judged(turn.judgement))


def print_explanation(console: Console, turn: Turn) -> None:
    """What each node of the graph decided, and how long it took."""
    table = Grid(title="How this was answered", title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _decisions(turn):
        table.add_row(name, Text(value))
    console.print()
    console.print(table)


def _decisions(turn: Turn) -> Iterator[tuple[str, str]]:
    yield from decisions(turn)
    yield "Intent", "\n".join(_intents(turn)) or "not classified"
    yield "Retrieved", "\n".join(f"{hit.score:.3f}  {hit.evidence_id}" for hit in turn.retrieved) or "nothing"
    yield "Sentences", "\n".join(_sentence_lines(turn)) or "none"
    yield "Timings", "\n".join(f"{ms:8.1f} ms  {node}" for node, ms in turn.timings_ms.items())
    variant = f", variant {turn.variant}" if turn.variant else ""
    prompts = turn.prompt_hash or "-"
    yield "Versions", f"generation {turn.generation}, config {turn.config_hash}{variant}, prompts {prompts}"


def _intents(turn: Turn) -> Iterator[str]:
    for name, probability in likeliest_intents(turn):
        yield f"{probability:.3f}  {name}{'  (selected)' if name in turn.intent.selected else ''}"


def _sentence_lines(turn: Turn) -> Iterator[str]:
    for sentence in turn.sentences:
        markers = "".join(f"[{marker}]" for marker in sentence.citations)
        support = f"{sentence.support:.2f}" if sentence.factual else "   -"
        yield f"{support}  {' '.join(sentence.text.split())} {markers}".rstrip()
