"""The four scenarios of answers and refusals, against figures worked out by hand."""

import pytest

from evals.metrics.answers import Case, scenario_metrics


def case(
    *,
    answerable: bool = True,
    answered: bool = True,
    good: bool = False,
    grounded: bool = True,
    complete: bool = True,
    intent: str | None = None,
) -> Case:
    return Case(answerable, answered, good, grounded, complete, intent)


GOOD = case(good=True)
BAD = case(grounded=False)
REFUSED = case(answerable=False, answered=False)
INVENTED = case(answerable=False)
MISSED = case(answered=False)


def values(*cases: Case) -> dict[str, float | None]:
    return {name: metric.value for name, metric in scenario_metrics(cases).items()}


def test_a_case_is_one_of_four_scenarios() -> None:
    assert [one.scenario for one in (GOOD, BAD, REFUSED, INVENTED, MISSED)] == ["s1", "s1", "s2", "s3", "s4"]


def test_the_figures_are_those_of_the_paper() -> None:
    found = values(GOOD, GOOD, BAD, REFUSED, REFUSED, REFUSED, INVENTED, MISSED)
    assert [found[name] for name in ("s1", "s2", "s3", "s4")] == [0.375, 0.375, 0.125, 0.125]
    assert found["precision"] == 2 / 4
    assert found["recall"] == 2 / 4
    assert found["accuracy"] == (2 + 3) / 8
    assert found["hallucination_rate"] == (1 + 1) / 8
    assert found["refusal_rate"] == 3 / 4
    assert found["ccov"] == 4 / 8


def test_precision_is_over_answers_and_recall_over_questions_that_can_be_answered() -> None:
    found = scenario_metrics([GOOD, INVENTED, INVENTED, MISSED, REFUSED])
    assert (found["precision"].value, found["precision"].n) == (pytest.approx(1 / 3, abs=1e-6), 3)
    assert (found["recall"].value, found["recall"].n) == (0.5, 2)


def test_grounded_accuracy_and_completeness_are_over_answers_to_answerable_questions() -> None:
    found = scenario_metrics([GOOD, BAD, case(good=True, complete=False), case(complete=False), INVENTED, MISSED])
    assert (found["grounded_accuracy"].value, found["grounded_accuracy"].n) == (0.75, 4)
    assert (found["completeness"].value, found["completeness"].n) == (0.5, 4)


def test_what_seems_good_outside_s1_is_not_right() -> None:
    found = values(case(answerable=False, good=True), case(answered=False, good=True))
    assert (found["precision"], found["recall"], found["accuracy"], found["hallucination_rate"]) == (0, 0, 0, 0.5)


def test_each_intent_has_its_own_figures() -> None:
    found = values(
        case(good=True, intent="warranty"),
        case(answerable=False, intent="warranty"),
        case(answered=False, intent="variant"),
        GOOD,
    )
    own = {name: found[f"intent.warranty.{name}"] for name in ("ccov", "precision", "recall", "hallucination_rate")}
    assert own == {"ccov": 0.5, "precision": 0.5, "recall": 1, "hallucination_rate": 0.5}
    assert found["intent.variant.recall"] == 0
    assert found["intent.variant.precision"] is None
    assert not any(name.startswith("intent.None") for name in found)
