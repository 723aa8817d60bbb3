"""Names of the contract's terms as a customer reads them."""

from graph.turn import BackendCall, Judgement, Usage
from ingestion.source_types import SOURCE_TABLE

EXPERIENCE_NAMES = {"followups": "What to ask next", "blurb": "Product card", "judge": "A judge's grades"}


def source_name(source_type: str) -> str:
    """What a kind of evidence is called."""
    return SOURCE_TABLE[source_type].name


def result_of(call: BackendCall) -> str:
    """What came of a request to a live backend."""
    if call.failure is not None:
        return f"failed, {call.failure}"
    told = f"{call.facts} fact{'' if call.facts == 1 else 's'}"
    unused = f", {len(call.dropped)} not usable" if call.dropped else ""
    return told + unused + (", remembered" if call.cached else "")


def spent(usage: Usage) -> str:
    """What a turn cost in calls of a served model."""
    calls = f"{usage.llm_calls} call{'' if usage.llm_calls == 1 else 's'}"
    prompt = f"{usage.prompt_tokens:,} prompt tokens, {usage.cached_share:.0%} of them cached"
    return f"{calls}, {prompt}, {usage.completion_tokens:,} written"


def judged(judgement: Judgement) -> str:
    """The grades of a judge."""
    helped = "helped" if judgement.helped else "did not help"
    return f"relevancy {judgement.relevancy}, grounded {judgement.grounded} of 5, {helped}, by {judgement.judge}"


def plain_name(term: str) -> str:
    """A snake_case term as words."""
    return term.replace("_", " ").capitalize()
