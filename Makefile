# Everything runs in .venv, created on first use. Another Python: make PYTHON=python3.12 test
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Three workers for two cores, since tests wait for other processes; with more: make JOBS=12 test
# All tests of a file run in one worker, so shared fixtures are created once. In the order of
# collection long files, those in tests/ itself, come first, and the shortest tests, the doctests
# of mjopt/, come last: no worker waits for another.
JOBS ?= 3
PARALLEL := -n $(JOBS) --dist loadfile --no-loadscope-reorder
# Most modules of the 107 packages are never imported, so pip does not compile them.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
export PYTHONDONTWRITEBYTECODE :=
# The pinned release of every package. A relative path, because pip accepts no blanks in it.
LOCK ?= requirements/test.lock
export PIP_CONSTRAINT := $(LOCK)
export PIP_BUILD_CONSTRAINT := $(PIP_CONSTRAINT)
# uv needs seconds where pip needs a minute. Where only pip knows the registry, pip does it.
UV_INSTALL := UV_HTTP_TIMEOUT=15 UV_HTTP_RETRIES=1 $(BIN)/uv pip install --quiet --python $(BIN)/python \
	$(if $(LOCK),--constraints $(LOCK) --build-constraints $(LOCK))
install = $(PIP_INSTALL) uv && $(UV_INSTALL) -e '$(1)' || $(PIP_INSTALL) -e '$(1)'
# Tests of the packages that call other libraries, for `make test-lowest`.
LOWEST := .venv-lowest
LOWEST_TESTS ?= tests/analysis tests/chances tests/cli tests/datasets tests/internal tests/models tests/play/learning tests/play/review tests/play/serve tests/statistics tests/studies tests/test_readme.py

.PHONY: help packages demo demo-full test test-readme test-browser test-attacks test-changed test-slow test-install test-latest test-lowest attack mutants lint docs bench bench-report reference lock clean

help:
	@echo "make demo          the main job on real hands (about two minutes after installation)"
	@echo "make demo-full     the same, and all 118,800 one-type hands"
	@echo "make test          the quick tests, with the packages of $(LOCK)"
	@echo "make test-slow     all tests, the slow ones too: before a release, or after a change of a room's core"
	@echo "make test-changed  slow tests that a change can reach: MJOPT_BASE=COMMIT SECONDS=600"
	@echo "make test-readme   the commands and the Python of the README and of the examples"
	@echo "make test-browser  only the tests of the web page in Chromium, which must be installed"
	@echo "make test-attacks  a few cases of each kind of attack"
	@echo "make test-install  wheel and sdist in an empty environment, with tests of the sdist: INSTALL_TESTS=full"
	@echo "make test-latest   make test with the latest release of every package"
	@echo "make test-lowest   the tests of packages with dependencies, at their minimum versions"
	@echo "make attack        an hour of hostile inputs, kills and races: MINUTES=5 SEED=1"
	@echo "make mutants       break the checkers and the solvers in one place at a time: does a test fail? SEED=1"
	@echo "make lint          style, types, import contracts, and the ceilings of tools/house.toml"
	@echo "make docs          build the site in build/site/html; a warning is an error; no outputs of examples: GALLERY=0"
	@echo "make bench         benchmarks, with other packages in the same run"
	@echo "make bench-report  measure all claims about speed and write docs/results/benchmarks.md (4 minutes)"
	@echo "make reference     write docs/reference/api.md: every public name"
	@echo "make lock          write the latest releases into requirements/test.lock"

$(VENV)/made:
	$(PYTHON) -c 'import sys; sys.exit("mjopt needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/with-core: $(VENV)/made pyproject.toml $(LOCK)
	$(call install,.)
	touch $@

# Few calls, because each one builds mjopt and checks every package. Several extras: with-test,dev
comma := ,
$(VENV)/with-%: $(VENV)/made pyproject.toml $(LOCK)
	$(call install,.[$*])
	touch $@ $(addprefix $(VENV)/with-,core $(subst $(comma), ,$*))

# The packages of .ci/run.
packages: $(VENV)/with-test,dev,docs

demo: $(VENV)/with-core
	$(BIN)/python examples/demo.py

demo-full: $(VENV)/with-core
	$(BIN)/python examples/demo.py --full

# tests/slow_tests.txt lists the slow tests, by processor time; the README's commands are run by .ci/run.
test: $(VENV)/with-test
	$(BIN)/python -m pytest $(PARALLEL) -m "not slow"

# Uses the system's Chromium, or MJOPT_CHROMIUM=PATH; nothing is downloaded.
test-browser: $(VENV)/with-test
	MJOPT_BROWSER=required $(BIN)/python -m pytest $(PARALLEL) tests/play/browser

# Processor seconds of the slow tests that are chosen, the nearest to the change first.
SECONDS ?= 100
test-changed: $(VENV)/with-test
	$(BIN)/python -m tools.changed_tests --seconds $(SECONDS) > $(VENV)/changed
	[ ! -s $(VENV)/changed ] || $(BIN)/python -m pytest $(PARALLEL) @$(VENV)/changed

test-attacks: $(VENV)/with-test
	$(BIN)/python -m pytest $(PARALLEL) tests/adversarial

# The commands and the Python of the README and of the examples.
test-readme: $(VENV)/with-test
	$(BIN)/python -m pytest $(PARALLEL) tests/test_readme.py tests/test_examples.py

test-slow: $(VENV)/with-test
	$(BIN)/python -m pytest $(PARALLEL)

# light: a few tests of the sdist against the wheel; full: all of them but the slow ones.
INSTALL_TESTS ?= light
test-install: $(VENV)/with-test
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	.ci/install $(PYTHON) dist $(INSTALL_TESTS)

test-latest:
	rm -rf .venv-latest
	$(MAKE) LOCK= VENV=.venv-latest test

test-lowest: $(VENV)/with-lock
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST) --resolution lowest-direct -r pyproject.toml --extra test
	$(BIN)/uv pip install --quiet --python $(LOWEST) --no-deps -e .
	$(LOWEST)/bin/python -m pytest $(PARALLEL) -m "not slow" $(LOWEST_TESTS)

reference: $(VENV)/with-test
	$(BIN)/python -m tools.reference

lock: $(VENV)/with-lock
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --all-extras \
		--annotation-style line --custom-compile-command "make lock" \
		-o requirements/test.lock pyproject.toml

# The same command resumes an interrupted run: docs/about/robustness.md.
MINUTES ?= 60
attack: $(VENV)/with-test
	PYTHONPATH=tests $(BIN)/python -m adversarial --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# All mutants of the checkers, and a sample of those of the rooms of the solvers, where FURTHER seconds of tests run
# on a mutant after the first that fails: build/mutants.json then tells which tests kill nothing.
ROOMS ?= hands models tables proofs heuristics analysis chances statistics
SAMPLE ?= 200
FURTHER ?= 20
mutants: $(VENV)/with-test
	$(BIN)/python -m tools.mutants --output build/mutants-proofs.json mjopt/proofs
	$(BIN)/python -m tools.mutants --sample $(SAMPLE) --seed $(or $(SEED),1) --slow --further $(FURTHER) --least 97 $(ROOMS:%=mjopt/%)
	$(BIN)/python -m tools.kill_matrix build/mutants.json

lint: $(VENV)/with-test $(VENV)/with-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.house

# Built from copies, so that docs/ and examples/ stay clean; pages show source of mjopt/. The check fails if a page loads a script,
# a font or an image from another site. GALLERY=0 shows the examples without their output and runs none: .ci/run builds the
# site so, because its tests run every example. The published site has the output.
SITE := build/site
GALLERY ?= 1
docs: $(VENV)/with-docs
	rm -rf $(SITE)
	mkdir -p $(SITE)
	cp -R docs examples mjopt *.md $(SITE)
	rm $(SITE)/examples/engines/README.md  # Sphinx-Gallery would make it the header of a section
	$(BIN)/python -m sphinx -q -W --keep-going -D plot_gallery=$(GALLERY) -b html $(SITE)/docs $(SITE)/html
	! grep -rlE '<(script|link|img|source)[^>]+(src|href)="(https?:)?//' --include='*.html' $(SITE)/html

bench: $(VENV)/with-test $(VENV)/with-bench
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-columns=median,ops,rounds

bench-report: $(VENV)/with-test $(VENV)/with-bench
	$(BIN)/python benchmarks/write_report.py

clean:
	rm -rf $(VENV) $(LOWEST) .venv-latest dist build .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
