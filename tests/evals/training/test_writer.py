"""The recipe of the small writer: what is taught, and that reading the rules once changes no loss."""

from random import Random

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from evals.training.writer import BATCH, drawn, keys_and_values, loss_of
from evals.training.writer_examples import as_reply, dialogue_prompt
from graph.answering.candidate import paragraph, remark
from graph.draft import Block, Draft, Segment, Sentence, Span, YesNo
from graph.llm.dialogue import DialogueContext
from graph.llm.prompts import static_prompt

RULES = list(range(3, 12))
EXAMPLES = [([20, 21, 22, 23, 24], 2), ([30, 31, 32], 1)]


@pytest.fixture(scope="module")
def model() -> LlamaForCausalLM:
    """A small model of random weights."""
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, **shape))


def test_rules_that_are_read_once_give_the_loss_of_the_whole(model: LlamaForCausalLM) -> None:
    read = keys_and_values(model, torch.tensor([RULES]))
    whole = torch.zeros(())
    for tokens, told in EXAMPLES:
        ids = torch.tensor([*RULES, *tokens])
        logits = model(input_ids=ids[None]).logits[0, -told - 1 : -1]
        whole = whole + torch.nn.functional.cross_entropy(logits, ids[-told:])
    torch.testing.assert_close(loss_of(model, read, EXAMPLES), whole)


def test_every_example_is_drawn_once_beside_others_of_like_length() -> None:
    examples = [([0] * length, 1) for length in range(1, 3 * BATCH + 1)]
    batches = list(drawn(examples, Random(1)))  # noqa: S311 - nothing secret
    assert sorted(len(tokens) for batch in batches for tokens, _ in batch) == list(range(1, 3 * BATCH + 1))
    assert all(max(len(one) for one, _ in batch) - min(len(one) for one, _ in batch) < BATCH for batch in batches)


def test_a_local_answer_is_taught_with_its_sources_before_each_full_stop() -> None:
    def sentence(text: str, key: str) -> Sentence:
        return Sentence(segments=[Segment(text=text, spans=[Span(evidence_id=key, start=0, end=3)])])

    steps = Block(kind="steps", sentences=[sentence("Open it.", "manual:m#1"), sentence("Close it.", "manual:m#2")])
    told = paragraph(remark(YesNo.YES), sentence("It is 2 kg.", "spec:m"), remark("I looked for more."))
    draft = Draft(outcome="clear", blocks=[told, steps], confidence=1.0, missing=["the colour"])
    assert as_reply(draft).splitlines() == [
        "outcome: clear",
        "Yes. It is 2 kg [spec:m].",
        "1. Open it [manual:m#1].",
        "2. Close it [manual:m#2].",
        "missing: the colour",
    ]


def test_a_conversation_is_asked_about_as_in_a_turn() -> None:
    prompt = dialogue_prompt(DialogueContext("and in blue?", (("customer", "Is the mug dishwasher safe?"),)))
    assert prompt.static == static_prompt()
    assert "dishwasher" in prompt.shared
