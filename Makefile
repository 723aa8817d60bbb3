# make run: install, ingest the demo shop, serve the chat. make test: every check that Python alone can run.
# make run-llm MODEL=...: the same chat, on a model that vLLM serves on this machine's GPU.
PYTHON ?= python3
# A package index with the torch build you want; empty takes the one pip finds.
TORCH_INDEX ?=
PIP := .venv/bin/python -m pip
INSTALL := $(PIP) install --disable-pip-version-check -c constraints.txt
VLLM_PINS := tests/system/vllm/requirements.txt
VLLM_INSTALL := .venv-vllm/bin/python -m pip install --disable-pip-version-check

# The model of make run-llm; without one, it says which there are.
MODEL ?=

.PHONY: run run-llm test test-system lint types layers clean

run: .venv/installed
	.venv/bin/footnote demo

# What cannot be served is refused first, before several GB are installed.
run-llm: .venv/installed
	@.venv/bin/footnote demo --llm "$(MODEL)" --no-serve
	@$(MAKE) --no-print-directory .venv-llm/installed
	.venv/bin/footnote demo --llm "$(MODEL)"

test: .venv/installed-dev
	$(MAKE) lint types layers
	.venv/bin/python -m pytest -n auto
	.venv/bin/footnote replay tests/conversations

test-system: .venv/installed-dev .venv-vllm/installed
	.venv/bin/python -m pytest -m system tests/system

lint: .venv/installed-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: .venv/installed-dev
	.venv/bin/mypy

layers: .venv/installed-dev
	.venv/bin/lint-imports

clean:
	rm -rf .venv .venv-llm .venv-vllm .footnote build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# torch goes first and alone: asked for together with the rest, pip may choose a build with several GB of CUDA packages.
.venv/installed: pyproject.toml constraints.txt
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(INSTALL) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	$(INSTALL) -e .
	touch $@

.venv/installed-dev: .venv/installed
	$(INSTALL) -e '.[dev]'
	touch $@

# What the extra llm-server names, with the torch it wants, which is another one than ours.
.venv-llm/installed:
	test -x .venv-llm/bin/python || $(PYTHON) -m venv .venv-llm
	.venv-llm/bin/python -m pip install --disable-pip-version-check vllm
	touch $@

# A server for the system tests; its package names torch builds that no index need have, so nothing is resolved.
.venv-vllm/installed: $(VLLM_PINS)
	test -x .venv-vllm/bin/python || $(PYTHON) -m venv .venv-vllm
	$(VLLM_INSTALL) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) -c $(VLLM_PINS) torch
	$(VLLM_INSTALL) --no-deps -r $(VLLM_PINS)
	touch $@
