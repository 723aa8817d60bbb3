"""What a real vLLM tells of its tokenizer."""

import asyncio
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from app.llm.options import LlmOptions
from app.llm.special_tokens import SpecialTokens
from tests.system.vllm.server import MODEL_NAME, VllmServer

pytestmark = pytest.mark.system


def test_a_real_server_tells_the_special_tokens_of_its_tokenizer(vllm: VllmServer, random_model: Path) -> None:
    tokens = SpecialTokens(LlmOptions(base_url=vllm.base_url, model=MODEL_NAME))
    assert tokens.known == frozenset()
    served = AutoTokenizer.from_pretrained(random_model).all_special_tokens
    assert asyncio.run(tokens.ask()) == tokens.known == frozenset(served)
    assert len(served) == 5
