# Each target is one command on a machine with Python 3.11+ and make; it installs what it needs.

.DEFAULT_GOAL := help
.PHONY: help play run test test-long check-types check-tests check-long check-postgres check-cheating check-mutants mutants bench bench-storage bench-coach bench-load bench-cheating bench-ratings lock pictures format

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Many of the tests start the program: it need not be compiled each time.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

help:
	@echo "make play      the whole bot in your browser, no account, no token"
	@echo "make run       the bot on Discord, token from .env"
	@echo "make doctor    what is wrong with the bot on Discord, or that all is well; changes nothing"
	@echo "make test      what every change must pass: format, lint, types, contracts, tests"
	@echo "make test-long the long form: more examples and kills, PostgreSQL, a month of cheats, mutants; some minutes"
	@echo "make mutants   changes rules of games, streaks, duels and standings, and tells what no test noticed"
	@echo "make format    put the code into its format"
	@echo "make bench     how strong and fast the solvers are, one table; ARGS=--quick takes a minute"
	@echo "make bench-storage  how fast boards, statistics and guesses are with up to a million plays"
	@echo "make bench-coach    how long a guess takes while a hundred games are looked at"
	@echo "make bench-load     how soon a crowd is answered, beside a bot that does nothing; some minutes"
	@echo "make bench-cheating what cheats get in a month beside honest players; some minutes"
	@echo "make bench-ratings  how well ratings tell who is stronger; some minutes"
	@echo "make pictures  make the README's pictures anew, from the playground"
	@echo "make lock      pin the newest versions of everything the project allows"

play: $(VENV)/.playground
	@$(BIN)/python -m bot.playground $(ARGS)

run: $(VENV)/.run
	@$(BIN)/python -m bot

doctor: $(VENV)/.run
	@$(BIN)/python -m bot.doctor $(ARGS)

test: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory --jobs=2 check-types check-tests

# Types are checked on one core, and tests often wait: side by side they end sooner.
check-types: $(VENV)/.dev
	$(BIN)/basedpyright --level error

check-tests: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

# Of the tests, what has a long form. A month of cheats says what is wrong by its exit status.
test-long: $(VENV)/.dev
	@$(MAKE) --no-print-directory --jobs=2 check-long check-cheating check-mutants check-postgres

check-long: $(VENV)/.dev
	$(BIN)/python -m pytest --long --timeout=900 $(ARGS)

# What needs a database, on PostgreSQL.
check-postgres: $(VENV)/.dev
	$(BIN)/python -m pytest --postgres tests/services tests/stories tests/process $(ARGS)

check-cheating: $(VENV)/.dev
	$(BIN)/python -m bot.bench.cheating

# Tells, and fails only if it cannot: a change that no test noticed may change nothing.
check-mutants: $(VENV)/.dev
	@$(BIN)/python -m tests.mutants

mutants: $(VENV)/.dev
	@$(BIN)/python -m tests.mutants $(ARGS)

format: $(VENV)/.dev
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .

pictures: $(VENV)/.dev
	$(BIN)/python -m docs.make_pictures

bench: $(VENV)/.run
	@$(BIN)/python -m engine.bench $(ARGS)

bench-storage: $(VENV)/.run
	@$(BIN)/python -m bot.bench $(ARGS)

bench-coach: $(VENV)/.run
	@$(BIN)/python -m bot.bench.coach $(ARGS)

bench-load: $(VENV)/.run
	@$(BIN)/python -m bot.bench.load $(ARGS)

bench-cheating: $(VENV)/.run
	@$(BIN)/python -m bot.bench.cheating $(ARGS)

bench-ratings: $(VENV)/.run
	@$(BIN)/python -m bot.bench.ratings $(ARGS)

lock: $(VENV)/.dev
	$(BIN)/uv pip compile --quiet --upgrade --universal --all-extras --no-annotate --no-emit-index-url \
		--no-emit-find-links --no-emit-package focdle-bot --custom-compile-command "make lock" --output-file constraints.txt pyproject.toml

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: https://www.python.org/downloads/"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Python's venv module is missing; on Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing..."
	@$(PIP) --editable .
	@touch $@

$(VENV)/.playground: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing..."
	@$(PIP) --editable '.[playground]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing..."
	@$(PIP) --editable '.[dev]'
	@touch $@
