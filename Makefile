# One environment, .venv, and a stamp in it for each of the things it can hold.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
LEANED_ON := numba llvmlite numba-cuda uvicorn websockets starlette fastapi pydantic numpy
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: play test check docs bench canary page words dist clean

play: $(VENV)/.run       ## the page in the browser (in the terminal: .venv/bin/hiddenhand play)
	$(BIN)/hiddenhand serve

test: $(VENV)/.dev       ## everything, as the continuous integration runs it
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.dev      ## the fast part, uncompiled: under a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m "fast and not slow" -x

docs: $(VENV)/.docs      ## the documentation as a site, in site/; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.bench    ## speed, ours beside the peers, in one run
	for name in search env hanabi dominion snaps solving; do $(BIN)/hiddenhand bench $$name || exit 1; done

canary:                  ## the newest releases of what we lean on, bounds left aside: does it still work?
	$(PYTHON) -m venv $(VENV)-canary
	$(VENV)-canary/bin/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	$(VENV)-canary/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --pre $(LEANED_ON)
	$(VENV)-canary/bin/python -m pip list 2>/dev/null | grep -i -E "^($(subst $() ,|,$(LEANED_ON))) "
	$(VENV)-canary/bin/python -m pytest -n 2 tests/kernel tests/gpu tests/core tests/web/test_web_connection_limits.py

page:                    ## the page in the browser, built from its sources (needs Node; its result is committed)
	cd web-ui && npm ci --ignore-scripts && npm run check && npm run lint && npm run build

words: $(VENV)/.dev      ## what the sources say goes into the catalogues, to be translated
	$(BIN)/python tools/messages.py

dist: $(VENV)/.dev       ## the source archive and the wheel, in dist/
	$(BIN)/python -m build --quiet

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("hiddenhand needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[dev]"
	@touch $@ $(VENV)/.run $(VENV)/.bench

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[docs]"
	@touch $@ $(VENV)/.run

$(VENV)/.bench: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[bench]"
	@touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) $(VENV)-canary build dist site src/*.egg-info
