"""How a turn came about, for those who want to know: a folded block under the answer."""

from html import escape

from app.source_names import judged, plain_name, result_of, spent
from graph.turn import BACKEND_TIME, Turn

SHOWN_INTENTS = 5


def details_html(turn: Turn) -> str:
    """The decisions and timings of a turn."""
    rows = [
        ("Question as asked", turn.query),
        ("Standalone question", f"{turn.standalone_query} ({turn.rewritten_by})" if _rewritten(turn) else "as asked"),
        ("Products", ", ".join(f"{p.name} ({p.method}, {p.score:.2f})" for p in turn.products) or "none named"),
        ("Branch", f"{turn.intent.branch}, entropy {turn.intent.entropy:.2f}"),
        ("Outcome", plain_name(turn.outcome)),
        *[(call.name[:1].upper() + call.name[1:], result_of(call)) for call in turn.backends],
        ("Evidence read", f"{len(turn.retrieved)} pieces, {len(turn.citations)} quoted"),
        ("Confidence", f"{turn.confidence.score:.2f}"),
        ("To be reviewed", "; ".join(turn.review.issues) if turn.review.required else "no"),
        ("Answered by", turn.answered_by + (f", degraded: {turn.degraded}" if turn.degraded else "")),
        *([("Model calls", spent(turn.usage))] if turn.usage.llm_calls else []),
        *([("Judged", judged(turn.judgement))] if turn.judgement else []),
    ]
    facts = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
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
    likeliest = sorted(turn.intent.distribution.items(), key=lambda item: -item[1])[:SHOWN_INTENTS]
    bars = "".join(
        f'<div class="bar{" selected" if name in turn.intent.selected else ""}">'
        f'<span class="name">{escape(plain_name(name))}</span>'
        f'<span class="track"><span style="width:{100 * share:.0f}%"></span></span>'
        f'<span class="value">{100 * share:.0f}%</span></div>'
        for name, share in likeliest
    )
    return f'<div class="heading">Intent</div>{bars}' if bars else ""


def _timings(turn: Turn) -> str:
    rows = "".join(
        f"<tr><th>{escape(plain_name(name))}</th><td>{ms:.1f} ms</td></tr>" for name, ms in turn.timings_ms.items()
    )
    # A backend's time is part of its node's.
    total = sum(ms for name, ms in turn.timings_ms.items() if not name.startswith(BACKEND_TIME))
    return f'<div class="heading">Time, {total:.0f} ms in all</div><table class="times">{rows}</table>' if rows else ""
