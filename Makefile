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
# Which release of every package is installed, and of what builds mjopt. Relative: pip takes
# no blanks in it.
LOCK ?= requirements/test.lock
export PIP_CONSTRAINT := $(LOCK)
export PIP_BUILD_CONSTRAINT := $(PIP_CONSTRAINT)
# With the oldest packages allowed, the rooms that call them are tested.
LOWEST := .venv-lowest
LOWEST_TESTS ?= tests/analysis tests/cli tests/datasets tests/learning tests/models tests/reports tests/game_review tests/serve tests/internal/test_kernel_ways.py tests/internal/test_kernels.py tests/test_readme.py

.PHONY: help demo demo-full test test-browser test-slow test-install test-latest test-lowest attack lint docs bench reference lock clean clean-kernels

help:
	@echo "make demo          the main job on real hands (about two minutes after installing)"
	@echo "make demo-full     the same, and all 118,800 one-type hands"
	@echo "make test          all tests but the slow ones, with the packages of $(LOCK)"
	@echo "make test-browser  the page in Chromium alone, which must be there"
	@echo "make test-slow     the slow ones too"
	@echo "make test-install  wheel and sdist in an empty environment, and the README's session there"
	@echo "make test-latest   make test with the latest release of every package"
	@echo "make test-lowest   the rooms that call packages, with the oldest releases allowed"
	@echo "make attack        an hour of hostile inputs, kills and races: MINUTES=5 SEED=1"
	@echo "make lint          style, types, import contracts"
	@echo "make docs          the site, in build/site/html/index.html; a warning is an error"
	@echo "make bench         benchmarks beside other packages"
	@echo "make reference     write docs/reference/api.md: every public name"
	@echo "make lock          write the latest releases into requirements/test.lock"

$(VENV)/made:
	$(PYTHON) -c 'import sys; sys.exit("mjopt needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/with-core: $(VENV)/made pyproject.toml $(LOCK)
	$(PIP_INSTALL) -e .
	touch $@

# One call, not two: each one builds mjopt and looks at every package.
$(VENV)/with-%: $(VENV)/made pyproject.toml $(LOCK)
	$(PIP_INSTALL) -e '.[$*]'
	touch $(VENV)/with-core $@

demo: $(VENV)/with-core
	$(BIN)/python examples/demo.py

demo-full: $(VENV)/with-core
	$(BIN)/python examples/demo.py --full

test: $(VENV)/with-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m "not slow"

# Chromium is the system's own (MJOPT_CHROMIUM=PATH for another): none is downloaded.
test-browser: $(VENV)/with-test
	MJOPT_BROWSER=required $(BIN)/python -m pytest -n $(JOBS) --dist loadfile tests/browser

test-slow: $(VENV)/with-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

test-install: $(VENV)/with-test
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	.ci/install $(PYTHON) dist

test-latest:
	rm -rf .venv-latest
	$(MAKE) LOCK= VENV=.venv-latest test

test-lowest: $(VENV)/with-lock
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST) --resolution lowest-direct -r pyproject.toml --extra test
	$(BIN)/uv pip install --quiet --python $(LOWEST) --no-deps -e .
	$(LOWEST)/bin/python -m pytest -n $(JOBS) --dist loadfile -m "not slow" $(LOWEST_TESTS)

reference: $(VENV)/with-test
	PYTHONPATH=tests $(BIN)/python -m helpers.reference

lock: $(VENV)/with-lock
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --all-extras \
		--annotation-style line --custom-compile-command "make lock" \
		-o requirements/test.lock pyproject.toml
# Stopped, it goes on when the same command is given again: docs/attack.md.
MINUTES ?= 60
attack: $(VENV)/with-test
	PYTHONPATH=tests $(BIN)/python -m adversarial --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

lint: $(VENV)/with-test $(VENV)/with-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# From copies, so that a build leaves nothing in docs/ and examples/, nor finds what an earlier
# one left. No page may fetch a script, a font or a picture from elsewhere.
SITE := build/site
docs: $(VENV)/with-docs
	rm -rf $(SITE)
	mkdir -p $(SITE)
	cp -R docs examples *.md $(SITE)
	$(BIN)/python -m sphinx -q -W --keep-going -b html $(SITE)/docs $(SITE)/html
	! grep -rlE '<(script|link|img|source)[^>]+(src|href)="(https?:)?//' --include='*.html' $(SITE)/html

bench: $(VENV)/with-test $(VENV)/with-bench
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-columns=median,ops,rounds

# Compiled kernels of earlier versions stay where they are until somebody removes them.
clean-kernels:
	find mjopt tests -name '*.nb[ci]' -delete

clean: clean-kernels
	rm -rf $(VENV) $(LOWEST) .venv-latest dist build .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
