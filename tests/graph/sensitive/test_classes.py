"""The table of classes is data: shops add to it and switch parts of it off."""

import pytest
from pydantic import ValidationError

from graph.options import GraphOptions, shipped_classes
from graph.sensitive.claims import asked_in, claims_in


def test_the_classes_that_ship_are_there_without_settings() -> None:
    assert GraphOptions().sensitive == shipped_classes()
    assert list(shipped_classes()) == ["certification", "safety", "medical", "legal", "warranty", "limit"]


def test_a_shop_adds_a_class_of_its_own() -> None:
    given = {"provenance": {"severity": "low", "claims": [r"\bmade in \w+"]}}
    options = GraphOptions.model_validate({"sensitive": given})
    [claim] = claims_in("It is made in Portugal.", options.sensitive)
    assert claim.title == "provenance (low)"
    assert options.sensitive["safety"] == shipped_classes()["safety"]


def test_a_shop_adds_patterns_to_a_class_and_changes_its_severity() -> None:
    given = {"legal": {"severity": "medium", "questions": [r"\bfirearms?\b"]}}
    legal = GraphOptions.model_validate({"sensitive": given}).sensitive
    asked = asked_in("Do I need papers for a firearm?", legal)
    assert asked is not None
    assert asked.claims[0].title == "legal (medium)"
    assert asked_in("Is it legal in Germany?", legal) is not None


def test_a_pattern_that_is_no_regular_expression_is_refused_by_name() -> None:
    with pytest.raises(ValidationError, match=r"the pattern 'made \(in' is no regular expression"):
        GraphOptions.model_validate({"sensitive": {"origin": {"claims": ["made (in"]}}})


def test_an_unknown_field_of_a_class_is_refused() -> None:
    with pytest.raises(ValidationError, match="patterns"):
        GraphOptions.model_validate({"sensitive": {"origin": {"patterns": ["made in"]}}})
