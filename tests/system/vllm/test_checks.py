"""The checks of `footnote vllm`, and the command it prints, against a real vLLM."""

import json
import subprocess

import pytest

from app.cli.vllm import needed_context
from app.llm.checks import check_server
from app.llm.options import LlmOptions
from app.llm.vllm import ServerPlan
from app.settings import Settings
from tests.system.vllm.server import MODEL_NAME, PYTHON, VllmServer

pytestmark = pytest.mark.system

PARSE = """
import json, sys
from vllm.entrypoints.launchers.cli_args import make_arg_parser
from vllm.utils.argparse_utils import FlexibleArgumentParser
told = make_arg_parser(FlexibleArgumentParser()).parse_args(sys.argv[1:])
names = "served_model_name host port max_model_len enable_prefix_caching enable_prompt_tokens_details"
names += " enable_tokenizer_info_endpoint generation_config default_chat_template_kwargs"
print(json.dumps({name: getattr(told, name) for name in names.split()}, default=str))
"""


def test_a_real_server_passes_every_check(vllm: VllmServer) -> None:
    options = LlmOptions(base_url=vllm.base_url, model=MODEL_NAME)
    found = {one.name: one for one in check_server(options, needed_context(Settings(llm=options)))}
    assert {name: finding.seen for name, finding in found.items() if finding.status != "passed"} == {}
    assert len(found) == 5


def test_vllm_knows_every_flag_of_the_recommended_command(vllm: VllmServer) -> None:
    assert vllm.alive, "vLLM is installed"
    plan = ServerPlan("some/model", 9_000, port=8_123)
    words = plan.command()[2:]
    ended = subprocess.run([PYTHON, "-c", PARSE, *words], capture_output=True, text=True, check=True)  # noqa: S603
    assert json.loads(ended.stdout.splitlines()[-1]) == {
        "served_model_name": ["some/model"],
        "host": "127.0.0.1",
        "port": 8_123,
        "max_model_len": 9_000,
        "enable_prefix_caching": True,
        "enable_prompt_tokens_details": True,
        "enable_tokenizer_info_endpoint": True,
        "generation_config": "vllm",
        "default_chat_template_kwargs": {"enable_thinking": False},
    }
