"""A small language model that means nothing: real weights' shapes, real tokenizer, random numbers.

Nothing invents more than random weights, and no hub is needed: the adversary for tests of everything around a model.
"""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from app.demo import shop

TEXTS = Path(shop.__path__[0])
CONTEXT_TOKENS = 16_384
VOCABULARY = 4_096
BEGIN, END = "<|begin|>", "<|end|>"
CHAT_TEMPLATE = (
    "{{ '" + BEGIN + "' }}"
    "{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}" + END + "\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
ROLES = ["<|system|>", "<|user|>", "<|assistant|>"]


def build_random_model(folder: Path, seed: int = 0) -> None:
    """Write a Llama of about 5 million random parameters with its tokenizer, as `from_pretrained` reads them.

    Args:
        folder: Created if missing.
        seed: The same seed gives the same weights.
    """
    tokenizer = _trained_tokenizer()
    tokenizer.save_pretrained(folder)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = LlamaForCausalLM(_shape(tokenizer))
    model.to(torch.bfloat16).save_pretrained(folder)


def _trained_tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE (Radford et al. 2019): every text comes back as it went in, words of a shop are one token."""
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[BEGIN, END, *ROLES],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train([str(path) for path in sorted(TEXTS.rglob("*.*")) if path.suffix in {".md", ".txt", ".jsonl"}], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        bos_token=BEGIN,
        eos_token=END,
        pad_token=END,
        additional_special_tokens=ROLES,
        chat_template=CHAT_TEMPLATE,
        model_max_length=CONTEXT_TOKENS,
        clean_up_tokenization_spaces=False,
    )


def _shape(tokenizer: PreTrainedTokenizerFast) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=256,
        intermediate_size=768,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=CONTEXT_TOKENS,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=False,
    )
