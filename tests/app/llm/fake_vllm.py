"""An executable `vllm` that serves the scripted server instead of a model, as far as the command line goes."""

import os
import stat
import sys
import time
from pathlib import Path

from tests.app.llm.obedient import obedient
from tests.llm_server.server import LlmServer

ROOT = Path(__file__).parents[3]
SCRIPT = """#!{python}
import sys
sys.path[:0] = [{root!r}]
from tests.app.llm.fake_vllm import serve
serve(sys.argv[1:])
"""
DYING = """#!/bin/sh
echo "Starting vLLM"
echo "RuntimeError: Failed to infer device type" >&2
exit 3
"""


def put_vllm(folder: Path, script: str = SCRIPT) -> Path:
    """Write the executable where `make run-llm` installs the real one."""
    path = folder / ".venv-llm" / "bin" / "vllm"
    path.parent.mkdir(parents=True)
    path.write_text(script.format(python=sys.executable, root=str(ROOT)))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def serve(words: list[str]) -> None:
    """Serve until the process is ended."""
    verb, model = words[:2]
    assert verb == "serve"
    port = int(words[words.index("--port") + 1])
    with LlmServer(obedient, model=model, api_key=os.environ["VLLM_API_KEY"], port=port) as server:
        server.length = int(words[words.index("--max-model-len") + 1])
        sys.stdout.write(f"serving {model}\n")
        sys.stdout.flush()
        while True:
            time.sleep(60)
