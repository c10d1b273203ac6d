# Everything runs in .venv, made on first use. Another Python: make PYTHON=python3.12 test
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Two workers suit two cores; more cores may use more: make JOBS=8 test
# A file stays with one worker: what its tests share is made once.
JOBS ?= 2
# Of 107 packages most modules are never imported: what is, is compiled then, once, and kept.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo demo-full test test-slow attack lint bench clean clean-kernels

help:
	@echo "make demo       the main job on real hands (about two minutes after installing)"
	@echo "make demo-full  the same, and all 118,800 one-type hands"
	@echo "make test       all tests but the slow ones"
	@echo "make test-slow  the slow ones too"
	@echo "make attack     an hour of hostile inputs, kills and races: MINUTES=5 SEED=1"
	@echo "make lint       style, types, import contracts"
	@echo "make bench      benchmarks beside other packages"

$(VENV)/made:
	$(PYTHON) -c 'import sys; sys.exit("mjopt needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/with-core: $(VENV)/made pyproject.toml
	$(PIP_INSTALL) -e .
	touch $@

# One call, not two: each one builds mjopt and looks at every package.
$(VENV)/with-%: $(VENV)/made pyproject.toml
	$(PIP_INSTALL) -e '.[$*]'
	touch $(VENV)/with-core $@

demo: $(VENV)/with-core
	$(BIN)/python examples/demo.py

demo-full: $(VENV)/with-core
	$(BIN)/python examples/demo.py --full

test: $(VENV)/with-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m "not slow"

test-slow: $(VENV)/with-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

# Stopped, it goes on when the same command is given again: docs/attack.md.
MINUTES ?= 60
attack: $(VENV)/with-test
	PYTHONPATH=tests $(BIN)/python -m adversarial --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

lint: $(VENV)/with-test $(VENV)/with-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/with-test $(VENV)/with-bench
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-columns=median,ops,rounds

# Compiled kernels of earlier versions stay where they are until somebody removes them.
clean-kernels:
	find mjopt tests -name '*.nb[ci]' -delete

clean: clean-kernels
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
