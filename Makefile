PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: play test check bench page setup clean

play: setup          ## the page in the browser (in the terminal: hiddenhand play)
	$(BIN)/hiddenhand serve

test: setup          ## everything, as the continuous integration runs it
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: setup         ## the fast part
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" -x

bench: setup         ## speed, ours beside the peers, in one run
	$(BIN)/hiddenhand bench search

page:                ## the page in the browser, built from its sources (needs Node; its result is committed)
	cd web-ui && npm ci --ignore-scripts && npm run check && npm run build

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("hiddenhand needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $(STAMP)

clean:
	rm -rf $(VENV) build dist src/*.egg-info
