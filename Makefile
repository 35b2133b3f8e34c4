# Everything one does with a checkout; `make` alone lists it. All of it lives in .venv, made at the first need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: demo test check run format clean help

demo: $(VENV)/demo.stamp ## try the bot on a simulated Discord, in a browser; needs no token
	@exec $(BIN)/kizuki demo

test: $(VENV)/dev.stamp ## every check: format, lint, types, imports, tests with their coverage
	@PATH="$(CURDIR)/$(BIN):$$PATH"; began=$$(date +%s); set -e; \
	ruff format --check --quiet . || { echo "Not formatted as agreed: run make format." >&2; exit 1; }; \
	ruff check --quiet .; \
	mypy; \
	lint-imports; \
	pytest -n auto --dist worksteal --cov --cov-branch --cov-fail-under=85; \
	coverage report --include='lessons/*' --fail-under=100 >$(VENV)/lessons.txt \
	    || { cat $(VENV)/lessons.txt; echo "lessons/ is to be covered in full, branches included." >&2; exit 1; }; \
	seconds=$$(($$(date +%s) - began)); echo "All checks passed in $$((seconds / 60)) min $$((seconds % 60)) s."

check: test ## the same as test

run: $(VENV)/run.stamp ## serve Discord; settings from .env (see .env.example)
	@exec $(BIN)/kizuki run

format: $(VENV)/dev.stamp ## format the code, and mend what can be mended by machine
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

clean: ## remove .venv and everything else that was made, but no data
	rm -rf $(VENV) build *.egg-info .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## this list
	@echo "make ..."
	@sed -n 's/^\([a-z]*\):.*## /  \1	/p' $(MAKEFILE_LIST) | expand -t 12

# A stamp for each kind of installation; a change of pyproject.toml renews it.
extras_demo := [demo]
extras_dev := [dev]

$(VENV)/%.stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    || { echo "Kizuki needs Python 3.11 or newer: install it, or name it: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	    || { echo "This Python cannot make virtual environments: install its venv package (Debian: python3-venv)." >&2; exit 1; }
	@echo "Installing Kizuki into $(VENV); the first time takes a minute or two."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -qq --editable '.$(extras_$*)'
	@touch $@
