"""The recipe of the small writer: what is taught, and that reading the rules once changes no loss."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

from app.llm.writer import ADAPTER
from evals.training.writer import (
    BASE,
    BATCH,
    MOST_TOKENS,
    Group,
    drawn,
    keys_and_values,
    loss_of,
    save_adapter,
    tokenized,
)
from evals.training.writer_examples import WriterExample, as_reply, dialogue_prompt
from graph.answering.candidate import paragraph, remark
from graph.draft import Block, Draft, Segment, Sentence, Span, YesNo
from graph.llm.dialogue import DialogueContext
from graph.llm.model import Prompt
from graph.llm.prompts import static_prompt

RULES = list(range(3, 12))
EXAMPLES = [([20, 21, 22, 23, 24], 2), ([30, 31, 32], 1)]


@pytest.fixture(scope="module")
def model() -> LlamaForCausalLM:
    """A small model of random weights."""
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, **shape))


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # peft asks by a name of before
def test_an_adapter_names_its_base_as_published_and_not_by_where_it_lies(tmp_path: Path) -> None:
    base = LlamaForCausalLM(LlamaConfig(vocab_size=64, hidden_size=16, num_hidden_layers=1, num_attention_heads=2))
    base.save_pretrained(tmp_path / "base")
    base.config.name_or_path = str(tmp_path / "base")
    save_adapter(get_peft_model(base, LoraConfig(r=1, target_modules=["q_proj"])), tmp_path / "adapter")
    for folder in (tmp_path / "adapter", ADAPTER):
        config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
        assert config["base_model_name_or_path"] == BASE


def test_rules_that_are_read_once_give_the_loss_of_the_whole(model: LlamaForCausalLM) -> None:
    read = keys_and_values(model, torch.tensor([RULES]))
    whole = torch.zeros(())
    for tokens, told in EXAMPLES:
        ids = torch.tensor([*RULES, *tokens])
        logits = model(input_ids=ids[None]).logits[0, -told - 1 : -1]
        whole = whole + torch.nn.functional.cross_entropy(logits, ids[-told:])
    torch.testing.assert_close(loss_of(model, read, EXAMPLES), whole)


def test_every_example_is_drawn_once_beside_others_of_its_group_and_of_like_length() -> None:
    groups = {name: [([mark] * length, 1) for length in range(1, 3 * BATCH + 1)] for mark, name in enumerate("ab")}
    batches = list(drawn(groups, Random(1)))  # noqa: S311 - nothing secret
    assert sorted((name, *one) for name, batch in batches for one in batch) == [
        (name, *one) for name, examples in groups.items() for one in examples
    ]
    assert all(max(len(one) for one, _ in batch) - min(len(one) for one, _ in batch) < BATCH for _, batch in batches)


class Letters:
    """A tokenizer whose tokens are letters and whose template has no marks."""

    eos_token_id = 0

    def __call__(self, text: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        assert not add_special_tokens
        return {"input_ids": [ord(one) for one in text]}

    def apply_chat_template(self, messages: Sequence[Mapping[str, str]], **_: object) -> str:
        return "".join(one["content"] for one in messages)


def test_requests_of_a_group_are_parted_where_they_begin_to_differ() -> None:
    prompts = [Prompt("rules.", "a task: ", said) for said in ("red mug?", "red cup?", "red cup! " * MOST_TOKENS)]
    lessons = [WriterExample("dialogue", one, "no") for one in prompts]
    groups = tokenized([*lessons, WriterExample("answer", Prompt("rules.", "any", ""), "yes")], Letters())
    assert list(groups) == ["rewrites", "turns"]
    assert read_back(groups["rewrites"]) == ("rules.a task: red ", ["mug?|no\0", "cup?|no\0"])
    assert read_back(groups["turns"]) == ("rules.an", ["y|yes\0"])


def read_back(group: Group) -> tuple[str, list[str]]:
    """What a group begins with, and its examples, each with a bar before its reply."""
    behind = [f"{letters(tokens[:-told])}|{letters(tokens[-told:])}" for tokens, told in group.examples]
    return letters(group.beginning), behind


def letters(tokens: Sequence[int]) -> str:
    return "".join(map(chr, tokens))


def test_something_of_a_prompt_is_left_behind_what_all_begin_with() -> None:
    lessons = [WriterExample("dialogue", Prompt("rules.", "a task: ", "red mug?"), reply) for reply in ("no", "yes")]
    assert read_back(tokenized(lessons, Letters())["rewrites"]) == ("rules.a task: red mug", ["?|no\0", "?|yes\0"])


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
    assert "dishwasher" in prompt.suffix
