"""Rankings: a superlative that the counted sources do not bear out is not shown."""

import pytest

from graph.turn import Derived
from graph.verification.case import Case
from graph.verification.figures import without_ranking, wrongly_ranked
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import saying, whole

WEIGHTS = {"a": "Weight: 1.9 kg", "b": "Weight: 1,200 g", "c": "Weight: 2.4 kg"}
ITEMS = {
    f"spec:{key}": Evidence(f"spec:{key}", "spec", line, key, key, product_id=key) for key, line in WEIGHTS.items()
}


def case(claim: str, about: str) -> Case:
    count = Derived(op="count", of=list(ITEMS), value=len(ITEMS))
    cited = whole(ITEMS[f"spec:{about}"]).model_copy(update={"derived": count})
    return Case(saying(claim, cited, product_id=about), ITEMS, Product(id=about, name=about.upper()))


@pytest.mark.parametrize(
    ("claim", "about"),
    [
        ("The B weighs 1,200 g, the lightest of the 3 tents.", "b"),
        ("The C weighs 2.4 kg, the heaviest of the 3 tents.", "c"),
        ("The A weighs 1.9 kg, the second lightest of the 3.", "a"),
    ],
)
def test_what_the_sources_bear_out_stands(claim: str, about: str) -> None:
    assert wrongly_ranked(case(claim, about)) == ()


@pytest.mark.parametrize(
    ("claim", "about"),
    [
        ("The A weighs 1.9 kg, the lightest of the 3 tents.", "a"),
        ("The B weighs 1,200 g, the heaviest of the 3 tents.", "b"),
        ("The B weighs 1,200 g, the second lightest of the 3 tents.", "b"),
        ("The B weighs 1,200 g, the lightest of the 9 tents.", "b"),
        ("The B weighs 1,200 g, the loveliest of the 3 tents.", "b"),
    ],
)
def test_what_they_do_not_bear_out_fails(claim: str, about: str) -> None:
    assert wrongly_ranked(case(claim, about))


def test_the_words_of_a_ranking_are_recomputed_and_not_looked_up() -> None:
    claim = "The B weighs 1,200 g, the lightest of the 3 tents."
    assert without_ranking(case(claim, "b")) == "The B weighs 1,200 g."
