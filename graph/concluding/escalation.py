"""Escalation: when a person takes over, and what they are told.

The reasons are those of Solution 5 of "Building Trust in AI Responses" (Axoverna); the rules are data.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from graph.answering.absence import NEXT_STEP
from graph.answering.candidate import paragraph, remark
from graph.draft import Draft
from graph.language.locale import reply
from graph.options import SEVERITIES, EscalationRule
from graph.parts import Context
from graph.state import TurnState
from graph.turn import STATING, Confidence, Escalation, Review


def degradation_of(state: TurnState) -> str | None:
    """What a turn had to do without and why, each as `PART: why`, backends that failed last; None where nothing."""
    calls = state.get("live_calls", [])
    failed = (f"{call.name}: {call.failure}" for call in calls if call.failure is not None)
    return "; ".join(dict.fromkeys((*state.get("degraded", []), *failed))) or None


EARLIER = 3
"""Questions before the last one that are told."""
LONGEST = 400
"""Characters of the answer that is told."""


def summary_of(state: TurnState, draft: Draft) -> str:
    """What was asked lately, what the customer was told, and what is missing or was withheld; a line each."""
    return "\n".join(f"{name}: {text}" for name, text in _lines(state, draft) if text)


def _lines(state: TurnState, draft: Draft) -> Iterator[tuple[str, str]]:
    earlier = [turn.query for turn in state["discourse"].turns][-EARLIER:]
    yield "Asked", " / ".join([*earlier, state["query"]])
    yield "Products", ", ".join(match.name for match in state["catalog"].matches)
    told = " ".join(one.text for one in draft.facts)
    yield "Told", told if len(told) <= LONGEST else f"{told[:LONGEST].rsplit(' ', 1)[0]} ..."
    yield "Missing", "; ".join(draft.missing)
    yield "To be confirmed", "; ".join(draft.issues)
    user = state["user"]
    yield "Customer", ", ".join(filter(None, (user.role, user.region, user.membership)))


HAND_OVER, ASKED, SENSITIVE = reply("passed_on"), reply("asked_for_person"), reply("sensitive_open")


class Cause(NamedTuple):
    """A rule that holds for a turn, and how the team is told."""

    rule: EscalationRule
    reason: str


def causes_of(state: TurnState, draft: Draft, confidence: Confidence, parts: Context) -> list[Cause]:
    """All rules that hold for a turn, the weightiest first."""
    return [cause for cause in _causes(state, draft, confidence, parts) if cause.rule.on]


def escalation_of(state: TurnState, draft: Draft, causes: list[Cause], parts: Context) -> Escalation | None:
    """Open a ticket for the weightiest cause that wants one; a bare wish for a person always gets one."""
    ticketed = next((cause for cause in causes if cause.rule.ticket), None)
    if ticketed is None and draft.outcome == "handoff":
        ticketed = Cause(parts.options.escalation.explicit_request, ASKED)
    if ticketed is None:
        return None
    return parts.desk.open_ticket(ticketed.reason, summary_of(state, draft), ticketed.rule.team or None)


def review_of(draft: Draft, causes: list[Cause], escalation: Escalation | None) -> Review:
    """What a person of the shop should look at: each sensitive issue, and each other cause that opened no ticket."""
    told = None if escalation is None else escalation.reason
    marked = [cause.reason for cause in causes if cause.reason not in (told, SENSITIVE)]
    issues = [*draft.issues, *marked]
    return Review(required=bool(issues), issues=issues)


def gives_way(draft: Draft, confidence: Confidence, escalation: Escalation | None, state: TurnState) -> bool:
    """Whether an answer is left out: a person was asked for and takes over, nothing is shown yet, and it is unsure."""
    wanted = state["live_agent"] and escalation is not None
    return wanted and draft.outcome in STATING and confidence.label == "low" and not state["streamed"]


def handed_over() -> Draft:
    """That a person takes over, and nothing else."""
    return Draft(outcome="handoff", blocks=[paragraph(remark(reply("handed_off")))], confidence=1.0)


def with_hand_over(draft: Draft, escalation: Escalation | None) -> Draft:
    """Say beside an answer that a person takes over, too, in place of asking whether one should."""
    if escalation is None or draft.outcome == "handoff":
        return draft
    said = [[one for one in block.sentences if one.factual or one.text != NEXT_STEP] for block in draft.blocks]
    told = zip(draft.blocks, said, strict=True)
    blocks = [block.model_copy(update={"sentences": kept}) for block, kept in told if kept]
    return draft.model_copy(update={"blocks": [*blocks, paragraph(remark(HAND_OVER))]})


def _causes(state: TurnState, draft: Draft, confidence: Confidence, parts: Context) -> Iterator[Cause]:
    rules = parts.options.escalation
    if state["live_agent"] or draft.outcome == "handoff":
        yield Cause(rules.explicit_request, ASKED)
    if rules.custom_order.recognises(state["query"]):
        yield Cause(rules.custom_order, reply("custom_order"))
    outcomes = [draft.outcome, *(turn.outcome for turn in reversed(state["discourse"].turns))]
    failures = len(list(takewhile("no_answer".__eq__, outcomes)))
    if failures and failures % rules.repeated_failure.threshold == 0:
        yield Cause(rules.repeated_failure, reply("repeated_failure", count=failures))
    least = SEVERITIES[SEVERITIES.index(rules.sensitive.threshold) :]
    if any(f"({severity})" in issue for issue in draft.issues for severity in least):
        yield Cause(rules.sensitive, SENSITIVE)
    if draft.facts and draft.outcome in STATING and confidence.score < rules.low_confidence.threshold:
        yield Cause(rules.low_confidence, reply("uncertain", score=confidence.score))
