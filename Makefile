# make play   a game of Troll & Dragon on simulated hardware, dashboard on http://127.0.0.1:8000
# make test   everything that the tests need, then the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
# Files just written lie in memory in large pieces, and a program that uses a part of one is counted
# as using all of it: written out and read anew, they cost each program a quarter less.
SETTLE := find $(VENV) -name '*.so*' -exec sync {} + \
	-exec sh -c 'for so; do dd if="$$so" iflag=nocache count=0 status=none; done' sh {} + 2>/dev/null || true
# One more than there are cores: tests wait for browsers and processes a third of their time.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
# The tests of one file share what it has set up, so they run in one worker; tests/conftest.py says
# which files come first. In a fresh clone the tests are collected once before: what is compiled for
# that is kept, and not every worker has to compile the same once more.
BY_FILE := --dist loadfile --no-loadscope-reorder
.DEFAULT_GOAL := help

.PHONY: help setup play test lint messages bench wheels clean
help:  ## Show what can be made.
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is older."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Python cannot make virtual environments here: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@# A newer pip finds packages in half the time; without one the old does as well.
	@$(INSTALL) --upgrade pip || echo "Going on with the pip that is there."

$(BIN)/companion: pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable .
	@$(SETTLE)
	@touch $@

setup: $(BIN)/companion  ## Make the virtual environment.

play: setup  ## Play Troll & Dragon on simulated hardware.
	$(BIN)/companion play $(ARGS)

$(VENV)/.dev: pyproject.toml | $(BIN)/pip
	$(INSTALL) --no-compile --editable '.[dev]'
	@$(SETTLE)
	@touch $(BIN)/companion $@

test: $(VENV)/.dev  ## Install what the tests need, then run them.
	@sh tests/tools.sh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/mypy & types=$$!; unset PYTHONDONTWRITEBYTECODE; \
		test -d .hypothesis || $(BIN)/pytest --collect-only --quiet >/dev/null 2>&1; \
		$(BIN)/pytest -n $(WORKERS) $(BY_FILE) $(ARGS); \
		tests=$$?; wait $$types && exit $$tests

lint: $(VENV)/.dev  ## Check style and types.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

messages: $(VENV)/.dev  ## Collect all messages for translators and compile their catalogues.
	$(BIN)/python -m companion.messages

bench: setup  ## Measure this machine.
	$(BIN)/companion bench rules
	$(BIN)/companion bench journal
	$(BIN)/companion bench latency

$(VENV)/.packaging: | $(BIN)/pip
	$(INSTALL) packaging
	@touch $@

wheels: $(VENV)/.packaging  ## Ask pip whether everything installs from wheels on a Raspberry Pi.
	$(BIN)/python tests/wheels.py $(ARGS)

clean:  ## Remove what was made.
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
