"""Answers and refusals by the four scenarios of the Contextually Aware Product QA paper, section 5.2.5.

S1: the evidence answers and so does the turn. S2: it does not, and the turn says so. S3: it does not, yet the turn
answers. S4: it does, yet the turn says it does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evals.report import Metric, mean_metric

Scenario = Literal["s1", "s2", "s3", "s4"]
SCENARIOS: tuple[Scenario, ...] = ("s1", "s2", "s3", "s4")


@dataclass(frozen=True, slots=True)
class Case:
    """A question that was answered or refused.

    Attributes:
        answerable: Whether the evidence answers it.
        answered: Whether the turn did.
        good: Whether the answer rests on the right evidence; counts in S1 alone.
        grounded: Whether all that it states is supported.
        complete: Whether it leaves no part of the question open.
        intent: What kind of question it is, where the data says.
    """

    answerable: bool
    answered: bool
    good: bool
    grounded: bool
    complete: bool
    intent: str | None = None

    @property
    def scenario(self) -> Scenario:
        """Where it stands."""
        if self.answerable:
            return "s1" if self.answered else "s4"
        return "s3" if self.answered else "s2"

    @property
    def right(self) -> bool:
        """A good answer, or a refusal where nothing answers."""
        return self.good if self.scenario == "s1" else self.scenario == "s2"

    @property
    def hallucinated(self) -> bool:
        """An answer that is not good, or one that nothing could support."""
        return self.answered and not self.right


def scenario_metrics(cases: Sequence[Case]) -> dict[str, Metric]:
    """Shares of the scenarios, what the paper makes of them, and the four that it gives for each intent."""
    first = [case for case in cases if case.scenario == "s1"]
    metrics: dict[str, Metric] = {name: mean_metric([case.scenario == name for case in cases]) for name in SCENARIOS}
    metrics |= _overall(cases)
    metrics |= {
        "accuracy": mean_metric([case.right for case in cases]),
        "grounded_accuracy": mean_metric([case.grounded for case in first]),
        "completeness": mean_metric([case.complete for case in first]),
        "refusal_rate": mean_metric([not case.answered for case in cases if not case.answerable]),
    }
    for intent in sorted({case.intent for case in cases if case.intent}):
        own = _overall([case for case in cases if case.intent == intent])
        metrics |= {f"intent.{intent}.{name}": metric for name, metric in own.items()}
    return metrics


def _overall(cases: Sequence[Case]) -> Mapping[str, Metric]:
    return {
        "ccov": mean_metric([case.answerable for case in cases]),
        "precision": mean_metric([case.right for case in cases if case.answered]),
        "recall": mean_metric([case.right for case in cases if case.answerable]),
        "hallucination_rate": mean_metric([case.hallucinated for case in cases]),
    }
