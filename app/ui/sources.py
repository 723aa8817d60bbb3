"""A citation as a number that opens its source, with the cited words marked.

The source opens without asking the server: `<details>` elements of one name close each other, and the style sheet
puts the open one beside the conversation. All text of the shop is escaped.
"""

from collections.abc import Callable, Mapping
from html import escape

from app.source_names import source_name
from graph.turn import Citation, Turn
from ingestion.evidence import Evidence, Product

LONG_SOURCE = 600
"""From this many characters on, the quote also stands above the text, so that nobody has to look for it."""

NO_BREAK = "&#8288;"
"""A number stays on the line of the word before it, and of the full stop after it."""

FindSource = Callable[[str, str], Evidence | None]
"""The evidence of an id and generation, or None where it is gone."""


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
        f"{_link(citation)}<q>{escape(citation.quote)}</q></li>"
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
        f'<div class="title">{_link(citation)}</div>{about}{_facts(citation)}'
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


def _link(citation: Citation) -> str:
    """The title, linked where the shop says a safe address."""
    title = escape(citation.title)
    url = citation.url or ""
    if not url.startswith(("https://", "http://")):
        return title
    return f'<a href="{escape(url)}" target="_blank" rel="noopener noreferrer">{title}</a>'
