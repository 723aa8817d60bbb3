"""A turn as HTML: its answer, the sources behind its numbers, how sure it is and how it came about.

The structure is our own renderer's; every word is escaped, those of the shop, too. A source opens without asking the
server: `<details>` elements of one name close each other, and the style sheet puts the open one beside the
conversation.
"""

import re
from collections.abc import Callable, Mapping
from html import escape

from app.presentation import (
    Items,
    Marker,
    Paragraph,
    Table,
    answer_layout,
    decisions,
    inline,
    likeliest_intents,
    plain_name,
    source_name,
)
from graph.turn import BACKEND_TIME, Citation, Turn
from ingestion.evidence import Evidence, Product

Chip = Callable[[int], str]
"""The HTML that stands for marker `[n]`."""

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")

LONG_SOURCE = 600
"""From this many characters on, the quote also stands above the text, so that nobody has to look for it."""

NO_BREAK = "&#8288;"
"""A number stays on the line of the word before it, and of the full stop after it."""

FindSource = Callable[[str, str], Evidence | None]
"""The evidence of an id and generation, or None where it is gone."""


def turn_html(turn: Turn, find: FindSource, products: Mapping[str, Product]) -> str:
    """A finished turn: what was understood, the answer with its sources, how sure it is, how it came about.

    Args:
        turn: The turn.
        find: Looks up a cited source.
        products: The catalog, for names.
    """
    answer = answer_html(turn.answer, chips(turn, find, products))
    return (
        f'<div class="turn">{understood_html(turn)}<div class="answer">{answer}</div>'
        f"{blurb_html(turn)}{escalation_html(turn)}"
        f'<div class="foot">{confidence_html(turn)}{source_list(turn)}{details_html(turn)}</div></div>'
    )


def answer_html(answer: str, chip: Chip) -> str:
    """Render an answer.

    Args:
        answer: A turn's answer, whole or as far as it has come.
        chip: Renders a marker.
    """
    return "".join(_block(block, chip) for block in answer_layout(answer))


def literal(text: str) -> str:
    """Text for a place that reads Markdown, such as a button's label, with every sign meaning itself."""
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def _block(block: Paragraph | Items | Table, chip: Chip) -> str:
    if isinstance(block, Table):
        return _table(block, chip)
    if isinstance(block, Items):
        items = "".join(f"<li>{_words(text, chip)}</li>" for text in block.texts)
        return f"<ul>{items}</ul>" if block.first is None else f'<ol start="{block.first}">{items}</ol>'
    # A citation opens a <details>, which may not stand in a <p>.
    return f'<div class="paragraph">{_words(block.text, chip)}</div>'


def _table(table: Table, chip: Chip) -> str:
    head, *body = [[_words(cell, chip) for cell in row] for row in table.rows]
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    rows = "".join(f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for name, *cells in body)
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _words(text: str, chip: Chip) -> str:
    pieces = []
    for piece in inline(text):
        if isinstance(piece, Marker):
            pieces.append(chip(piece.number))
        else:
            pieces.append(f"<strong>{escape(piece.text)}</strong>" if piece.bold else escape(piece.text))
    return "".join(pieces)


def chips(turn: Turn, find: FindSource, products: Mapping[str, Product]) -> Callable[[int], str]:
    """Render the markers of a turn: each opens its source.

    Args:
        turn: The finished turn.
        find: Looks up a cited source.
        products: The catalog, for names.
    """
    panels = {citation.marker: _panel(citation, find, products) for citation in turn.citations}

    def chip(marker: int) -> str:
        panel = panels.get(marker)
        if panel is None:
            return plain_chip(marker)
        return (
            f'{NO_BREAK}<details class="cite" name="source"><summary title="Open source {marker}">'
            f'<span class="number">{marker}</span><span class="close">Close</span></summary>{panel}</details>{NO_BREAK}'
        )

    return chip


def plain_chip(marker: int) -> str:
    """A marker whose source cannot be opened yet, while the answer still comes."""
    return f'{NO_BREAK}<span class="cite"><span class="number">{marker}</span></span>{NO_BREAK}'


def source_list(turn: Turn) -> str:
    """The sources of a turn as a list of quotes, folded."""
    if not turn.citations:
        return ""
    items = "".join(
        f'<li value="{citation.marker}"><span class="kind">{escape(source_name(citation.source_type))}</span> '
        f"{link_html(citation.url, citation.title)}<q>{escape(citation.quote)}</q></li>"
        for citation in turn.citations
    )
    count = f"{len(turn.citations)} source{'s' if len(turn.citations) > 1 else ''}"
    return f'<details class="fold sources"><summary>{count}</summary><ol>{items}</ol></details>'


def marked_text(text: str, start: int, end: int) -> str:
    """A source's text with the cited words marked, as HTML."""
    return f"{escape(text[:start])}<mark>{escape(text[start:end])}</mark>{escape(text[end:])}"


def _panel(citation: Citation, find: FindSource, products: Mapping[str, Product]) -> str:
    evidence = find(citation.evidence_id, citation.generation)
    product = products.get(citation.product_id or "")
    about = f'<div class="about">{escape(product.name)}</div>' if product and product.name != citation.title else ""
    return (
        f'<div class="panel"><div class="kind">{escape(source_name(citation.source_type))}</div>'
        f'<div class="title">{link_html(citation.url, citation.title)}</div>{about}{_facts(citation)}'
        f"{_body(citation, evidence)}{_derivation(citation, find)}"
        f'<div class="id">{escape(citation.evidence_id)}</div></div>'
    )


def _body(citation: Citation, evidence: Evidence | None) -> str:
    quote = f"<blockquote><mark>{escape(citation.quote)}</mark></blockquote>"
    if evidence is None:
        return f'{quote}<div class="facts">The rest of this source is no longer kept.</div>'
    text = f'<div class="text">{marked_text(evidence.text, citation.start, citation.end)}</div>'
    return quote + text if len(evidence.text) > LONG_SOURCE else text


def _derivation(citation: Citation, find: FindSource) -> str:
    """How a computed figure came about, with what it was computed from."""
    if citation.derived is None:
        return ""
    derived = citation.derived
    found = [find(evidence_id, citation.generation) for evidence_id in derived.of]
    items = "".join(f"<li>{escape(source.text)}</li>" for source in found if source is not None)
    count = f"{len(derived.of)} source{'s' if len(derived.of) != 1 else ''}"
    line = f"Computed ({escape(derived.op)}) from {count}: {escape(str(derived.value))}"
    return f'<div class="derived"><div class="facts">{line}</div><ul>{items}</ul></div>'


def _facts(citation: Citation) -> str:
    facts = [
        citation.section,
        f"page {citation.page}" if citation.page is not None else None,
        f"updated {citation.updated_at}" if citation.updated_at else None,
    ]
    shown = " · ".join(escape(fact) for fact in facts if fact)
    return f'<div class="facts">{shown}</div>' if shown else ""


def link_html(url: str | None, text: str) -> str:
    """A text, linked where the shop says a safe address."""
    if not (url or "").startswith(("https://", "http://")):
        return escape(text)
    return f'<a href="{escape(url or "")}" target="_blank" rel="noopener noreferrer">{escape(text)}</a>'


def details_html(turn: Turn) -> str:
    """The decisions and timings of a turn."""
    facts = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in decisions(turn))
    return (
        '<details class="fold inside"><summary>How this was answered</summary><div class="columns">'
        f"<div><table>{facts}</table></div><div>{_intents(turn)}{_timings(turn)}</div></div></details>"
    )


def understood_html(turn: Turn) -> str:
    """The standalone question, where it differs from what was typed."""
    if not _rewritten(turn):
        return ""
    return f'<div class="understood">Understood as <em>{escape(turn.standalone_query)}</em></div>'


def confidence_html(turn: Turn) -> str:
    """How sure the answer is; nothing where no answer was tried."""
    if turn.outcome in {"non_decision", "handoff"}:
        return ""
    label = turn.confidence.label
    return (
        f'<span class="confidence {label}" title="{turn.confidence.score:.2f}">{label.capitalize()} confidence</span>'
    )


def blurb_html(turn: Turn) -> str:
    """The text of a product card, where one was asked for."""
    return f'<div class="card"><div class="facts">{escape(turn.blurb.text)}</div></div>' if turn.blurb else ""


def escalation_html(turn: Turn) -> str:
    """The hand-over to a person."""
    if turn.escalation is None:
        return ""
    ticket = turn.escalation
    return (
        f'<div class="handoff"><strong>A person will take over.</strong> {escape(ticket.to.capitalize())} '
        f'has this conversation as ticket <span class="ticket">{escape(ticket.ticket_id)}</span>.'
        f'<div class="facts">{escape(ticket.reason[:1].upper() + ticket.reason[1:])}</div></div>'
    )


def _rewritten(turn: Turn) -> bool:
    return turn.standalone_query.strip() != turn.query.strip()


def _intents(turn: Turn) -> str:
    bars = "".join(
        f'<div class="bar{" selected" if name in turn.intent.selected else ""}">'
        f'<span class="name">{escape(plain_name(name))}</span>'
        f'<span class="track"><span style="width:{100 * share:.0f}%"></span></span>'
        f'<span class="value">{100 * share:.0f}%</span></div>'
        for name, share in likeliest_intents(turn)
    )
    return f'<div class="heading">Intent</div>{bars}' if bars else ""


def _timings(turn: Turn) -> str:
    rows = "".join(
        f"<tr><th>{escape(plain_name(name))}</th><td>{ms:.1f} ms</td></tr>" for name, ms in turn.timings_ms.items()
    )
    # A backend's time is part of its node's.
    total = sum(ms for name, ms in turn.timings_ms.items() if not name.startswith(BACKEND_TIME))
    return f'<div class="heading">Time, {total:.0f} ms in all</div><table class="times">{rows}</table>' if rows else ""
