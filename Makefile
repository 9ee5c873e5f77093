# One command each; people, pre-commit and CI use the same lines.
# Another interpreter: make clean setup PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup run test check bench clean

help: ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)$$/  make \1\t\2/' | expand -t 16

setup: $(STAMP) ## create .venv and install snakebo with its tools, when the requirements changed
	@echo "setup: $(VENV) is ready"

# torch comes first and alone, so that its pin is settled before anything else can ask for another build.
$(STAMP): pyproject.toml constraints.txt
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "error: no interpreter '$(PYTHON)'; install Python 3.11 or newer, or pass PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: snakebo needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" --version 2>&1). Pass PYTHON=python3.x" >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "error: $(PYTHON) lacks the venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "setup: creating $(VENV) with $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv $(VENV)
	@echo "setup: installing torch as pinned in constraints.txt"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch
	@echo "setup: installing snakebo and its development tools"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

run: setup ## optimise a simulated flow reactor
	$(BIN)/python examples/reactor.py

test: setup ## run all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: setup ## lint, format, types, import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## run the benchmarks in their quick form
	$(BIN)/python benchmarks/tour.py
	$(BIN)/python benchmarks/cost_matrix.py
	$(BIN)/python benchmarks/replan.py --repeats 3
	$(BIN)/python benchmarks/one_step.py time
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/storage.py
	$(BIN)/python benchmarks/kills.py --kills 20
	$(BIN)/python benchmarks/runner_overhead.py --cells 4 --budget 60
	$(BIN)/python benchmarks/service_load.py --method random-tour
	$(BIN)/python benchmarks/hostile.py --requests 1000

clean: ## remove .venv and everything the tools left behind
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
