"""Lost parts: where the verifier leaves nothing of a part of the answer, the customer reads that it is missing."""

from graph.options import GraphOptions
from graph.parts import Context
from tests.graph.fakes import FixedIntents, RefusingVerifier, local_responder, make_context
from tests.graph.shops import camping_shop
from tests.graph.turns import ask

SHOP = camping_shop()
BOTH = "How heavy is the Tarn 2 and which poles does it have?"


def refusing(*words: str) -> Context:
    """A turn's parts whose verifier refuses every sentence with one of these words."""
    return make_context(
        SHOP,
        intents=FixedIntents(product_spec=1.0),
        responder=local_responder(),
        verifier=RefusingVerifier(*words),
        options=GraphOptions(widen_below=0.0),
    )


def test_a_part_that_is_lost_is_named_and_the_other_is_answered() -> None:
    whole, turn = ask(refusing("never"), BOTH), ask(refusing("1.9 kg"), BOTH)
    assert "1.9 kg" in whole.answer
    assert whole.missing == []
    assert turn.outcome == "clear"
    assert "1.9 kg" not in turn.answer
    assert "luminium" in turn.answer
    assert turn.missing
    gap = next(one for one in turn.sentences if "does not" in one.text or "couldn't" in one.text)
    assert not gap.factual
    assert "Tarn 2" in gap.text
    assert turn.confidence.score < whole.confidence.score


def test_a_part_that_is_lost_is_looked_for_once_more() -> None:
    assert ask(refusing("never"), BOTH).widened == []
    assert ask(refusing("1.9 kg"), BOTH).widened
