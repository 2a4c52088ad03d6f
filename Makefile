# Everything runs in .venv, made here from PYTHON (3.11 or newer); a C++20 compiler and make are the only other needs.
PYTHON ?= python3
PYTEST_ARGS ?=
BENCH_ARGS ?= --output build/benchmarks.md
VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo

# What the compiled part is built from. Python files are used from src/ as they are and need no rebuild.
BUILT_FROM := pyproject.toml CMakeLists.txt $(shell find cpp -type f -name '*.[hc]pp' 2>/dev/null)
# --no-build-isolation keeps the build folder warm: a change of one kernel is rebuilt in seconds.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL_PACKAGE := $(INSTALL) --no-build-isolation --config-settings=build-dir=build/make --editable

.PHONY: help demo test test-slow search lint sanitize sanitize-threads bench clean
.DEFAULT_GOAL := help

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{printf "make %-16s %s\n", $$1, $$2}'

demo: $(VENV)/.installed  ## Fit, show, predict and explain on a real data set
	@$(BIN)/python scripts/demo_data.py $(DEMO)
	@PATH="$(abspath $(BIN)):$$PATH" sh scripts/demo.sh $(DEMO)

test: $(VENV)/.installed  ## Run the tests, the slow ones left out
	$(BIN)/python -m pytest -m "not slow" $(PYTEST_ARGS)

test-slow: $(VENV)/.installed  ## Run the slow tests only
	$(BIN)/python -m pytest -m slow $(PYTEST_ARGS)

search: $(VENV)/.installed  ## Run the tests of properties on new made-up cases, others in every run
	$(BIN)/python -m pytest -m "hypothesis and not slow" --hypothesis-profile search $(PYTEST_ARGS)

lint: $(VENV)/.linters  ## Check style, types, import directions and room sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy scripts/*.py benchmarks/*.py
	$(BIN)/python scripts/check_imports.py
	$(BIN)/python scripts/check_rooms.py
	find cpp -name '*.[hc]pp' -exec $(BIN)/clang-format --dry-run -Werror {} +

sanitize: $(VENV)/.installed  ## Run the tests under the address and undefined-behaviour sanitizers
	$(BIN)/python scripts/sanitize.py address -m "not slow" $(PYTEST_ARGS)

sanitize-threads: $(VENV)/.installed  ## Run the tests that grow, route and read under the thread sanitizer
	$(BIN)/python scripts/sanitize.py thread -m "not slow" $(PYTEST_ARGS)

bench: $(VENV)/.installed  ## Measure against the libraries found in .venv, and write the tables
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

clean:  ## Remove the environment and everything built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $(PYTHON) is not Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "make: $(PYTHON) cannot make environments (module venv or ensurepip is missing;" \
	         "on Debian and Ubuntu they come with the package python3-venv)" >&2; exit 1; }
	@command -v $${CXX:-c++} >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || \
	  { echo "make: no C++ compiler found; install g++ or clang++, or name one in CXX" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# What build isolation would install: the build requirements of pyproject.toml, with cmake and ninja as the backend adds them.
$(VENV)/.tools: $(VENV)/.made pyproject.toml
	$(BIN)/python scripts/build_requires.py > $(VENV)/build-requires.txt
	$(INSTALL) -r $(VENV)/build-requires.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.tools $(BUILT_FROM)
	$(INSTALL_PACKAGE) ".[test]"
	@touch $@

$(VENV)/.linters: $(VENV)/.installed
	$(INSTALL_PACKAGE) ".[test,lint]"
	@touch $@
