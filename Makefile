# One word per task; each sets up what it needs. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.PHONY: help play test test27 lint bench robot clean

help:  ## list the tasks
	@grep -E '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else "Python 3.10 or newer is needed, this is %s. Try: make PYTHON=python3.12 play" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(READY): $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(READY_DEV): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,lint]'
	@touch $@

play: $(READY)  ## play Jotto with a simulated NAO
	$(BIN)/jotto play $(ARGS)

test: $(READY_DEV)  ## run every test, lint and type check included
	$(BIN)/python -m pytest $(ARGS)

lint: $(READY_DEV)  ## style, types and the Python 2.7 line alone
	$(BIN)/python -m pytest -q tests/test_house.py

bench: $(READY)  ## measure speed, as ratios in one run
	$(BIN)/python benchmarks/run.py $(ARGS)

robot: $(READY)  ## rebuild behavior.xar from robot_boxes/
	$(BIN)/jotto robot build

clean:  ## remove what the other tasks made
	rm -rf $(VENV) .venv27 .cache dist choregraphe_project/lib
