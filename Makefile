# `make` alone lists the targets. CI runs the same ones (.ci/run).
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Generated code is made by the oldest tools supported: runtimes refuse code newer than themselves.
PROTO_VENV := .venv-proto
PROTO_TOOLS := grpcio-tools==1.76.0 grpcio==1.76.0 protobuf==6.31.1 mypy-protobuf==3.7.0
BUF := node_modules/.bin/buf

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/.run-ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 4; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev-ready: $(VENV)/.run-ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

.PHONY: setup
setup: $(VENV)/.dev-ready ## make .venv with everything for running, testing and checking

# elo 0.1.1 needs setuptools<58 to build, which no current installer gives it; the wheel it makes is pure Python.
.PHONY: elo
elo: setup ## install the package elo where it can be built (Python 3.11)
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then \
	  $(PYTHON) -m venv build/elo && build/elo/bin/pip install --quiet --disable-pip-version-check 'setuptools<58' wheel && \
	  build/elo/bin/pip wheel --quiet --no-cache-dir --no-build-isolation --no-deps -w build/wheels elo==0.1.1 && \
	  $(BIN)/pip install --quiet --disable-pip-version-check build/wheels/elo-0.1.1-py3-none-any.whl; \
	else echo "skipped: elo 0.1.1 can be built on Python 3.11 only; the equal built-in is used"; fi

.PHONY: demo
demo: $(VENV)/.run-ready ## play a tournament of the sample bots; leaves a rating table and a site in demo/
	@rm -rf demo
	@$(BIN)/hearts tournament run sample_bots/demo.toml --dir demo

.PHONY: test
test: setup ## run all tests
	$(BIN)/python -m pytest -n 4 --dist worksteal -q

.PHONY: test-fast
test-fast: setup ## run the tests that take less than ten seconds each
	$(BIN)/python -m pytest -n 2 -q -m 'not slow and not toolchain and not kills and not planted'

# Go, Rust, C++ and Java take minutes to build, so they are kept out of `make test`. ALL=1: a missing toolchain fails.
# The two projects in Rust compile the same packages: once, into a folder that they share (Cargo 1.91 or newer).
.PHONY: test-bots
test-bots: export CARGO_BUILD_BUILD_DIR := $(CURDIR)/build/cargo
test-bots: setup ## build, check and play the sample bots of every language whose toolchain is here; ALL=1: of all
	@for folder in $(patsubst %/Makefile,%,$(wildcard sample_bots/*/Makefile)); do \
	  missing=$$($(MAKE) -s --no-print-directory -C $$folder missing); \
	  if [ -z "$$missing" ]; then SECONDS=0; $(MAKE) -s --no-print-directory -C $$folder check; \
	    for bot in $$(find $$folder -maxdepth 2 -name bot.toml -printf '%h\n' | sort); do $(BIN)/hearts check -q $$bot; done; \
	    echo "$$folder took $$SECONDS s"; \
	  else echo "$$folder skipped: no $$missing"; [ -z "$(ALL)" ] || exit 4; fi; \
	done
	$(BIN)/python -m pytest -n 2 -q -m toolchain

.PHONY: kills
kills: setup ## kill tournaments at random (20 times in SQLite, 20 in PostgreSQL), and comparisons
	$(BIN)/python -m pytest -q -rP -n 2 -m kills

.PHONY: test-check
test-check: setup ## plant faults in a sample bot and have `hearts check` find and name each
	$(BIN)/python -m pytest -n 2 -q -m 'planted or not planted' tests/referee/conformance

.PHONY: soak
soak: setup ## kill at random 200 times: bots of one house; and coordinators, workers and bots of tournaments
	HEARTS_KILLS=200 $(BIN)/python -m pytest -q --timeout=3600 tests/contract/test_random_kills.py
	HEARTS_TOURNAMENT_KILLS=200 $(BIN)/python -m pytest -q -rP -m kills --timeout=7200 tests/contract/test_tournament_kills.py

.PHONY: playthroughs
playthroughs: setup ## record tests/playthroughs anew
	HEARTS_UPDATE_PLAYTHROUGHS=1 $(BIN)/python -m pytest -q tests/playthroughs

.PHONY: vectors
vectors: setup ## write the rulebook's vectors in proto/vectors anew
	$(BIN)/python -m tests.vectors.rulebook_vectors

.PHONY: oracle
oracle: setup ## compare the rulebook with two other referees at length: 100,000 deals each
	HEARTS_ORACLE_SCALE=5 $(BIN)/python -m pytest -n 2 -q --timeout=1800 tests/oracle

# What was played is kept in build/truth: a run that was stopped goes on, and a second one takes minutes.
.PHONY: truth
truth: setup ## measure coverage, gain of designs, errors of the test (an hour and a half the first time)
	$(BIN)/python -m tests.truth.play_bank
	$(BIN)/python -m tests.truth.coverage
	$(BIN)/python -m tests.truth.designs
	$(BIN)/python -m tests.truth.compare_runs

.PHONY: designs
designs: setup ## measure over the wire what board sets and duels save (about eight minutes)
	$(BIN)/python -m tests.bench.designs

.PHONY: check check-format check-lint check-types check-imports
check: check-format check-lint check-types check-imports check-proto check-gen ## format, lint, types, import walls, protocol, generated code

check-format: setup
	$(BIN)/ruff format --check --quiet . >/dev/null || { echo "format differs: run 'make fix'"; exit 1; }

check-lint: setup
	$(BIN)/ruff check --quiet .

check-types: setup
	$(BIN)/mypy

check-imports: setup
	@mkdir -p build
	$(BIN)/lint-imports --no-cache >build/import-walls.txt 2>&1 || { cat build/import-walls.txt; exit 1; }

.PHONY: fix
fix: setup ## mend what check complains about and a tool can mend
	$(BIN)/ruff check --quiet --fix . || true
	$(BIN)/ruff format --quiet .

$(PROTO_VENV)/.ready: Makefile
	$(PYTHON) -m venv $(PROTO_VENV)
	$(PROTO_VENV)/bin/pip install --quiet --disable-pip-version-check $(PROTO_TOOLS) setuptools
	@touch $@

.PHONY: proto check-gen check-proto
proto: $(PROTO_VENV)/.ready ## generate proto/gen from proto/hearts
	PYTHONWARNINGS=ignore $(PROTO_VENV)/bin/python proto/generate.py proto/gen

check-gen: $(PROTO_VENV)/.ready
	@rm -rf build/gen && mkdir -p build/gen
	@PYTHONWARNINGS=ignore $(PROTO_VENV)/bin/python proto/generate.py build/gen
	@diff -r -x __pycache__ proto/gen build/gen >/dev/null || { echo "proto/gen is out of date: run 'make proto'"; exit 1; }

$(BUF):
	@npm install --silent --no-save --no-audit --no-fund --prefix . @bufbuild/buf@1.75.0

check-proto:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(BUF) && $(BUF) lint proto && $(BUF) format --exit-code -d proto >/dev/null && \
	  { test ! -f proto/released.binpb || $(BUF) breaking proto --against proto/released.binpb; }; \
	else echo "skipped: buf lint and buf breaking (no npm)"; fi

.PHONY: bench
bench: setup ## measure decisions a second beside the bare wire, and the rulebook beside OpenSpiel
	$(BIN)/python -m tests.bench --out bench.json

.PHONY: bench-store
bench-store: setup ## measure `hearts tournament status` and `hearts ratings` on 100,000 matches (about two minutes)
	$(BIN)/python -m tests.bench.large_store

.PHONY: clean
clean: ## remove everything that was made here
	rm -rf $(VENV) $(PROTO_VENV) build dist node_modules demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
