# `make help` lists the targets. Each builds what it needs, in .venv, from constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo browser test test-all lint bench docs coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/dev ## run the main job on real data and print the paths of its reports
	$(BIN)/python -m holdfast.demo

browser: ## install Chromium, which judges the reports, where it is missing and may be installed
	@if command -v chromedriver >/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then echo "browser: no apt-get here; those tests are skipped" >&2; exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as=sudo; \
	else echo "browser: neither root nor sudo; those tests are skipped" >&2; exit 0; fi; \
	$$as apt-get update -qq && $$as apt-get install -qq -y --no-install-recommends chromium chromium-driver >/dev/null \
	  || echo "browser: could not be installed; those tests are skipped" >&2

test: $(VENV)/dev browser ## the tests and the doctests
	$(BIN)/python -m pytest -n 2

test-all: $(VENV)/dev browser ## the same and the long soak tests
	$(BIN)/python -m pytest -n 2 -m "soak or not soak"

lint: $(VENV)/dev ## format and lint checks, strict types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/bench ## the benchmarks, as ratios
	$(BIN)/python -m benchmarks

docs: $(VENV)/docs ## the documentation, into docs/_build/html
	$(BIN)/sphinx-build -E -W --keep-going -n -b html docs docs/_build/html

coverage: $(VENV)/dev ## line and branch coverage, kernels included (JIT off)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --cov --cov-report=term --cov-report=xml

clean: ## remove everything that make made
	rm -rf $(VENV) build dist holdfast-demo docs/_build docs/reference/generated .coverage* coverage.xml htmlcov
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment: one stamp per set of extras; a newer pyproject.toml or constraints.txt renews it.

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "holdfast needs Python 3.10 or newer; '$(PYTHON)' is" \
	    "$$($(PYTHON) --version 2>&1 || echo missing). Try: make PYTHON=python3.12 …" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/dev: EXTRAS := dev,dask
$(VENV)/docs: EXTRAS := docs
$(VENV)/bench: EXTRAS := bench
$(VENV)/dev $(VENV)/docs $(VENV)/bench: $(VENV)/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[$(EXTRAS)]"
	@touch $@
