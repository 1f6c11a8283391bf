# `make` lists the tasks. Each installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Stamps of what is installed: both distributions, the tools for developers, and what the tests of naosim need.
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_NAOSIM := $(VENV)/.ready-naosim
GROUPS := notebook test lint coverage release simulator/pyproject.toml:test
PROJECTS := pyproject.toml simulator/pyproject.toml constraints.txt
NATIVE := src/jotto_desk/solver/native
READY_NATIVE := $(VENV)/.ready-native
# Number of processes that share the tests: one more than there are cores, because some tests wait for other processes.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1 )))
SHARED = -n $(WORKERS) --maxprocesses 8 --dist loadfile --timeout 600
# With SANITIZE=1, `make native` builds the solver's C part with AddressSanitizer and UBSan, and `make test` tests that one.
ifdef SANITIZE
SANITIZED := $(BIN)/python tests/sanitized.py
endif
ATTACKED = $(addprefix tests/,both/test_damaged_input.py both/test_talk_walks.py both/test_story_random_player.py \
  desk/test_damaged_files.py desk/test_solver_core.py) simulator/tests/both/test_naosim_services_any_text.py
PIP := $(BIN)/python -m pip
MKDOCS = NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
INSTALL = $(PIP) install --quiet --disable-pip-version-check -c constraints.txt

# A target whose recipe fails is made again, from the start.
.DELETE_ON_ERROR:
# Two processes of pip at once would fail.
.NOTPARALLEL:
.PHONY: help play page site solve notebook test test-naosim tools constraints coverage attack lint bench native package robot docs samples pictures clean

help:  ## list the tasks
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 13

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else "Python 3.10 or newer is needed, this is %s. Try: make PYTHON=python3.12 play" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	@# A new pip resolves requirements in a third of the time of an old one.
	-$(INSTALL) --upgrade pip

$(READY): $(BIN)/python $(PROJECTS)
	$(INSTALL) -e ./simulator -e .
	@touch $@

$(READY_DEV): $(BIN)/python $(PROJECTS)
	$(INSTALL) -e ./simulator -e . --group test --group lint --group simulator/pyproject.toml:test
	$(BIN)/jotto voice model
	@touch $(READY) $@

$(READY_NAOSIM): $(BIN)/python $(PROJECTS)
	$(INSTALL) -e ./simulator --group simulator/pyproject.toml:test
	@touch $@

# An extra, such as .ready-page, with what $(READY) does, in one run of pip: the player waits for NAO's first sentence.
$(VENV)/.ready-%: $(BIN)/python $(PROJECTS)
	$(INSTALL) -e ./simulator -e '.[$*]'
	@touch $(READY) $@

# A group of tools, such as .group-docs.
$(VENV)/.group-%: $(READY)
	$(INSTALL) -e ./simulator -e . --group $*
	@touch $@

# The solver's C part. A computer without a compiler uses the slower Python part.
$(READY_NATIVE): $(READY) $(wildcard $(NATIVE)/*.c $(NATIVE)/*.h) $(NATIVE)/build.py
	@$(BIN)/python -m jotto_desk.solver.native.build --if-needed
	@! ls $(NATIVE)/_core.* >/dev/null 2>&1 || touch $@

play: $(READY) $(READY_NATIVE)  ## play Jotto with a simulated NAO
	$(BIN)/jotto play $(ARGS)

page: $(VENV)/.ready-page $(READY_NATIVE)  ## play in the browser: NAO's body, the talk, the running diagram
	$(BIN)/jotto play --page $(ARGS)

site: $(VENV)/.ready-site $(VENV)/.group-docs  ## write the site on which NAO plays in any browser, in dist/site
	RUN_IT_HERE=1 $(MKDOCS) --site-dir dist/site-docs
	$(BIN)/jotto site --docs dist/site-docs $(ARGS)

solve: $(VENV)/.ready-solve $(READY_NATIVE)  ## find the best decision tree: make solve ARGS='--rules mastermind'
	$(BIN)/jotto solve $(ARGS)

notebook: $(VENV)/.group-notebook $(READY_NATIVE)  ## a tour in the browser: the expert system, and strategies compared
	$(BIN)/jupyter lab notebooks/tour.ipynb $(ARGS)

test: $(READY_DEV) $(READY_NATIVE) $(if $(SANITIZE),native)  ## run every test, lint and type check included
	$(SANITIZED) $(BIN)/python -m pytest $(SHARED) $(ARGS)

test-naosim: $(READY_NAOSIM)  ## run the tests of naosim, which need no game
	cd simulator && ../$(BIN)/python -m pytest $(SHARED) $(ARGS)

tools:  ## install the programs that some tests need, such as a C compiler and a browser
	@$(PYTHON) simulator/tests/programs.py $(ARGS)

coverage: $(READY_DEV) $(VENV)/.group-coverage $(READY_NATIVE)  ## run every test and report the branches that none reaches, in dist/coverage
	$(BIN)/python -m pytest $(SHARED) --cov --cov-report html:dist/coverage $(ARGS)

# The attacks, and the property tests with many other examples: damaged files, any text, any talk, any problem to solve.
attack: $(READY_DEV) $(READY_NATIVE) $(if $(SANITIZE),native)  ## attack every part for long, and tell what was measured
	$(SANITIZED) $(BIN)/python -m pytest -q --attack --hypothesis-profile=attack tests/attack $(ATTACKED) $(ARGS)

lint: $(READY_DEV)  ## style, types and the Python 2.7 line alone
	$(BIN)/python -m pytest -q tests/test_house.py

bench: $(READY_DEV) $(READY_NATIVE)  ## measure speed, as ratios in one run
	$(BIN)/python benchmarks/run.py $(ARGS)

constraints: $(READY_DEV)  ## write constraints.txt: the versions that everything is tested with; ARGS=--upgrade for the newest
	$(INSTALL) uv
	printf -- '-e ./simulator\n-e .\npip\nuv\n' | $(BIN)/uv pip compile --quiet --universal --python-version 3.10 --no-annotate \
	  --custom-compile-command 'make constraints' --no-emit-index-url --no-emit-package naosim --no-emit-package nao-jotto \
	  $(addprefix --group ,$(GROUPS)) --all-extras --output-file constraints.txt pyproject.toml simulator/pyproject.toml - $(ARGS)

native: $(READY)  ## compile the solver's C part again
	$(BIN)/python -m jotto_desk.solver.native.build $(if $(SANITIZE),--sanitize)

package: $(VENV)/.ready-package  ## make the package a robot installs: dist/jotto-VERSION.pkg
	$(BIN)/jotto robot package $(ARGS)

robot: $(READY)  ## rebuild behavior.xar from robot_boxes/
	$(BIN)/jotto robot build

docs: $(VENV)/.group-docs  ## build the pages to read, in dist/docs
	$(MKDOCS) $(ARGS)
	@echo "Open dist/docs/index.html; with its search: python3 -m http.server --directory dist/docs"

samples: $(READY_DEV) $(READY_NATIVE)  ## write the pages' samples, the moving picture and the sheets again
	$(BIN)/python docs/moving_picture.py
	$(BIN)/python docs/class_sheets.py
	PYTHONPATH=simulator/tests $(BIN)/python tests/pages.py --write

pictures: $(READY_DEV) $(READY_NATIVE)  ## take pictures of every view of the page, with Chromium, also those in docs/
	$(BIN)/python docs/nao_drawings.py
	PYTHONPATH=tests:tests/desk:simulator/tests $(BIN)/python docs/page_pictures.py $(ARGS)

clean:  ## remove what the other tasks made
	@# The project file lists lib while it is there.
	sed -i.bak '/ src="lib\//d' choregraphe_project/*.pml && rm -f choregraphe_project/*.pml.bak
	rm -rf $(VENV) .venv27 .cache dist choregraphe_project/lib $(NATIVE)/_core.so $(NATIVE)/_core.dylib $(NATIVE)/_core.dll
