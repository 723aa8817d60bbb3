"""The recipe of the small writer: a LoRA adapter for SmolLM2-135M-Instruct that writes what Footnote asks a model for.

Requests begin alike: all with the same rules, and those for a rewrite with the same task as well. That is read once for
several steps, without a gradient, and each example goes on from there, which saves most of a step on a CPU.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from random import Random
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR
from transformers import DynamicCache

from app.llm.vllm import cpu_dtype
from app.llm.writer import base_model
from evals.training.reader import HELD_BACK
from evals.training.reader_examples import shop_names
from evals.training.writer_examples import ExampleKind, WriterExample, answer_examples, dialogue_examples
from evals.training.writer_rows import row_examples

BASE = "HuggingFaceTB/SmolLM2-135M-Instruct"
"""What is adapted, as it is published."""
RANK, ALPHA, FROZEN = 16, 32, 8
"""Of the adapter; the lowest layers stay as they are, so that no gradient goes through them."""
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
RATE, WARMUP = 8e-4, 0.05
BATCH, TOGETHER, KEPT = 8, 4, 4
"""Examples of a step, examples that are read together, and steps for which the beginnings are read once."""
SHARE, ROWS = 0.02, 120
"""Of the messages of each shop, those that are asked, and questions of each pack."""
MOST: dict[ExampleKind, int] = {"answer": 600, "refusal": 100, "followups": 60, "dialogue": 2400}
MOST_TOKENS = 1400
"""Examples of each kind, and how long the longest is behind its beginning."""
SEED = 0


def read_lessons(bench: Path) -> list[WriterExample]:
    """What is taught.

    Raises:
        InputError: A pack is missing or malformed.
    """
    random = Random(SEED)  # noqa: S311 - nothing secret
    shops = [name for name in shop_names() if name not in HELD_BACK]
    made = [one for shop in shops for one in answer_examples(shop, SHARE, random)]
    made += chain(row_examples(bench, ROWS, random), dialogue_examples(bench))
    kinds = {kind: [one for one in made if one.kind == kind] for kind in MOST}
    return [one for kind, found in kinds.items() for one in random.sample(found, min(MOST[kind], len(found)))]


def train(lessons: Sequence[WriterExample], folder: Path) -> None:
    """Teach an adapter, and write it as peft reads it.

    Args:
        lessons: What it learns from.
        folder: Gets the adapter.

    Raises:
        AppError: A package that the model is read with is not installed.
    """
    torch.manual_seed(SEED)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    published, tokenizer = base_model()
    whole = published.to(device, torch.bfloat16 if device == "cuda" else getattr(torch, cpu_dtype()))
    layers = list(range(FROZEN, whole.config.num_hidden_layers))
    lora = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=MODULES, layers_to_transform=layers)
    model: Any = get_peft_model(whole, lora, autocast_adapter_dtype=False)
    groups = tokenized(lessons, tokenizer)
    batches = list(drawn({name: one.examples for name, one in groups.items()}, Random(SEED)))  # noqa: S311 - no secret
    taught = [one for one in model.parameters() if one.requires_grad]
    # bfloat16 would lose most of a step: what is stepped is exact, and the model reads it rounded.
    exact = [one.detach().float().requires_grad_() for one in taught]
    optimizer = AdamW(exact, lr=RATE, weight_decay=0.0)
    schedule = LambdaLR(optimizer, lambda step: _share_of_rate((step + 1) / (len(batches) + 1)))
    read: dict[str, Any] = {}
    for number, (name, batch) in enumerate(batches):
        if number % KEPT == 0:
            read.clear()
        if name not in read:
            read[name] = keys_and_values(whole, torch.tensor([groups[name].beginning], device=device))
        loss = 0.0
        for start in range(0, len(batch), TOGETHER):
            part = loss_of(whole, read[name], batch[start : start + TOGETHER]) / len(batch)
            torch.autograd.backward(part)
            loss += part.item()
        for own, stepped in zip(taught, exact, strict=True):
            stepped.grad, own.grad = own.grad.float(), None
        torch.nn.utils.clip_grad_norm_(exact, 1.0)
        optimizer.step()
        schedule.step()
        with torch.no_grad():
            for own, stepped in zip(taught, exact, strict=True):
                own.copy_(stepped)
        told = {"step": number + 1, "of": len(batches), "group": name, "loss": round(loss, 4)}
        print(json.dumps(told), flush=True)  # noqa: T201
    save_adapter(model, folder)


def save_adapter(model: Any, folder: Path) -> None:  # noqa: ANN401 - as peft has it
    """Write an adapter, which names the model that it adapts as that is published, not by where it lies here."""
    model.save_pretrained(str(folder))
    (folder / "README.md").unlink()  # peft's own; ours is MODEL_CARD.md
    config = folder / "adapter_config.json"
    told = json.loads(config.read_text(encoding="utf-8")) | {"base_model_name_or_path": BASE}
    config.write_text(json.dumps(told, indent=2, sort_keys=True), encoding="utf-8")


def _share_of_rate(done: float) -> float:
    return min(done / WARMUP, (1 - done) / (1 - WARMUP))


Example = tuple[list[int], int]
"""Tokens behind the beginning, and how many of them, at the end, are the reply."""


@dataclass(frozen=True, slots=True)
class Group:
    """Requests that begin alike.

    Attributes:
        beginning: The tokens that all begin with.
        examples: What follows in each.
    """

    beginning: Sequence[int]
    examples: Sequence[Example]


def tokenized(lessons: Sequence[WriterExample], tokenizer: Any) -> dict[str, Group]:  # noqa: ANN401 - untyped
    """Rewrites, and what is asked of evidence, as tokens, by these names; what is too long is left out."""
    found: dict[str, list[Example]] = {}
    for one in lessons:
        asked = [{"role": "user", "content": one.prompt.shared + one.prompt.suffix}]
        messages = [{"role": "system", "content": one.prompt.static}, *asked]
        prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        reply = [*_tokens(tokenizer, one.reply), tokenizer.eos_token_id]
        name = "rewrites" if one.kind == "dialogue" else "turns"
        found.setdefault(name, []).append(([*_tokens(tokenizer, prompt), *reply], len(reply)))
    return {name: _group(examples) for name, examples in found.items()}


def _tokens(tokenizer: Any, text: str) -> list[int]:  # noqa: ANN401 - untyped
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens


def _group(examples: Sequence[Example]) -> Group:
    prompts = [tokens[: -told - 1] for tokens, told in examples]  # what follows is never empty
    pairs = zip(min(prompts), max(prompts), strict=False)  # what these begin with, all between them do
    beginning = [token for token, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    assert beginning, "requests begin alike"
    behind = [(tokens[len(beginning) :], told) for tokens, told in examples]
    return Group(beginning, [one for one in behind if len(one[0]) <= MOST_TOKENS])


def drawn(groups: Mapping[str, Sequence[Example]], random: Random) -> Iterator[tuple[str, list[Example]]]:
    """Batches of all groups in a random order, each of one group and of examples of like length."""
    batches = []
    for name, examples in groups.items():
        ordered = sorted(random.sample(examples, len(examples)), key=lambda one: len(one[0]))
        batches += [(name, ordered[start : start + BATCH]) for start in range(0, len(ordered), BATCH)]
    yield from random.sample(batches, len(batches))


def keys_and_values(model: Any, beginning: Tensor) -> Any:  # noqa: ANN401 - untyped
    """Keys and values of a beginning, shape `(1, tokens)`, by layer."""
    with torch.no_grad():
        return [
            (one.keys, one.values) for one in model.model(input_ids=beginning, use_cache=True).past_key_values.layers
        ]


def loss_of(model: Any, read: Any, examples: Sequence[Example]) -> Tensor:  # noqa: ANN401 - untyped
    """The cross entropy of the replies behind their beginning, a mean over the tokens of each, summed over examples."""
    begun, longest = read[0][0].shape[2], max(len(tokens) for tokens, _ in examples)
    cache = DynamicCache()
    for layer, both in enumerate(read):
        cache.update(*(one.expand(len(examples), -1, -1, -1) for one in both), layer)
    ids = torch.zeros(len(examples), longest, dtype=torch.long)
    mask = torch.zeros(len(examples), begun + longest, dtype=torch.long)
    for row, (tokens, _) in enumerate(examples):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : begun + len(tokens)] = 1
    device = read[0][0].device
    places = torch.arange(begun, begun + longest, device=device).expand(len(examples), -1)
    states = model.model(
        input_ids=ids.to(device), attention_mask=mask.to(device), position_ids=places, past_key_values=cache
    ).last_hidden_state
    total = torch.zeros((), device=device)
    for row, (tokens, told) in enumerate(examples):
        logits = model.lm_head(states[row, len(tokens) - told - 1 : len(tokens) - 1])
        total = total + cross_entropy(logits.float(), torch.tensor(tokens[-told:], device=device))
    return total
