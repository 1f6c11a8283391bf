# `make` lists the tasks. Each installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_SOLVE := $(VENV)/.ready-solve
READY_PACKAGE := $(VENV)/.ready-package
READY_DEV := $(VENV)/.ready-dev
READY_NOTEBOOK := $(VENV)/.ready-notebook
READY_PAGE := $(VENV)/.ready-page
NATIVE := src/jotto_desk/solver/native
READY_NATIVE := $(VENV)/.ready-native
READY_DOCS := $(VENV)/.ready-docs
READY_SITE := $(VENV)/.ready-site
# Number of processes that share the tests: one more than there are cores, because some tests wait for other processes.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1 )))
# With SANITIZE=1, `make native` builds the solver's C part with AddressSanitizer and UBSan, and `make test` tests that one.
ifdef SANITIZE
SANITIZED := $(BIN)/python tests/sanitized.py
endif
ATTACKED = $(addprefix tests/,both/test_damaged_input.py both/test_naosim_services_any_text.py both/test_talk_walks.py \
  both/test_story_random_player.py desk/test_damaged_files.py desk/test_solver_core.py)
PIP := $(BIN)/python -m pip
MKDOCS = NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
INSTALL = $(PIP) install --quiet --disable-pip-version-check -c constraints.txt

# A target whose recipe fails is made again, from the start.
.DELETE_ON_ERROR:
# Two processes of pip at once would fail.
.NOTPARALLEL:
.PHONY: help play page site solve notebook test tools coverage attack lint bench native package robot docs samples pictures clean

help:  ## list the tasks
	@grep -E '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else "Python 3.10 or newer is needed, this is %s. Try: make PYTHON=python3.12 play" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	@# A new pip resolves requirements in a third of the time of an old one.
	-$(INSTALL) --upgrade pip

$(READY): $(BIN)/python pyproject.toml constraints.txt
	$(INSTALL) -e .
	@touch $@

$(READY_SOLVE): $(READY)
	$(INSTALL) -e '.[solve]'
	@touch $@

# This also does what $(READY) does, in one run of pip.
$(READY_DEV): $(BIN)/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[test,lint]'
	$(BIN)/jotto voice model
	@touch $(READY) $@

$(READY_PACKAGE): $(READY)
	$(INSTALL) -e '.[package]'
	@touch $@

$(READY_NOTEBOOK): $(READY)
	$(INSTALL) -e '.[notebook]'
	@touch $@

# This also does what $(READY) does, in one run of pip: the player waits for NAO's first sentence.
$(READY_PAGE): $(BIN)/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[page]'
	@touch $(READY) $@

$(READY_DOCS): $(READY)
	$(INSTALL) -e '.[docs]'
	@touch $@

$(READY_SITE): $(READY)
	$(INSTALL) -e '.[site]'
	@touch $@

# The solver's C part. A computer without a compiler uses the slower Python part.
$(READY_NATIVE): $(READY) $(wildcard $(NATIVE)/*.c $(NATIVE)/*.h) $(NATIVE)/build.py
	@$(BIN)/python -m jotto_desk.solver.native.build --if-needed
	@! ls $(NATIVE)/_core.* >/dev/null 2>&1 || touch $@

play: $(READY) $(READY_NATIVE)  ## play Jotto with a simulated NAO
	$(BIN)/jotto play $(ARGS)

page: $(READY_PAGE) $(READY_NATIVE)  ## play in the browser: NAO's body, the talk, the running diagram
	$(BIN)/jotto play --page $(ARGS)

site: $(READY_SITE) $(READY_DOCS)  ## write the site on which NAO plays in any browser, in dist/site
	RUN_IT_HERE=1 $(MKDOCS) --site-dir dist/site-docs
	$(BIN)/jotto site --docs dist/site-docs $(ARGS)

solve: $(READY_SOLVE) $(READY_NATIVE)  ## find the best decision tree: make solve ARGS='--rules mastermind'
	$(BIN)/jotto solve $(ARGS)

notebook: $(READY_NOTEBOOK) $(READY_NATIVE)  ## a tour in the browser: the expert system, and strategies compared
	$(BIN)/jupyter lab notebooks/tour.ipynb $(ARGS)

test: $(READY_DEV) $(READY_NATIVE) $(if $(SANITIZE),native)  ## run every test, lint and type check included
	$(SANITIZED) $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadfile --timeout 600 $(ARGS)

tools:  ## install the programs that some tests need, such as a C compiler and a browser
	@$(PYTHON) tests/programs.py $(ARGS)

coverage: $(READY_DEV) $(READY_NATIVE)  ## run every test and report the branches that none reaches, in dist/coverage
	$(INSTALL) -e '.[coverage]'
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadfile --cov --cov-report html:dist/coverage $(ARGS)

# The attacks, and the property tests with many other examples: damaged files, any text, any talk, any problem to solve.
attack: $(READY_DEV) $(READY_NATIVE) $(if $(SANITIZE),native)  ## attack every part for long, and tell what was measured
	$(SANITIZED) $(BIN)/python -m pytest -q --attack --hypothesis-profile=attack tests/attack $(ATTACKED) $(ARGS)

lint: $(READY_DEV)  ## style, types and the Python 2.7 line alone
	$(BIN)/python -m pytest -q tests/test_house.py

bench: $(READY_DEV) $(READY_NATIVE)  ## measure speed, as ratios in one run
	$(BIN)/python benchmarks/run.py $(ARGS)

native: $(READY)  ## compile the solver's C part again
	$(BIN)/python -m jotto_desk.solver.native.build $(if $(SANITIZE),--sanitize)

package: $(READY_PACKAGE)  ## make the package a robot installs: dist/jotto-VERSION.pkg
	$(BIN)/jotto robot package $(ARGS)

robot: $(READY)  ## rebuild behavior.xar from robot_boxes/
	$(BIN)/jotto robot build

docs: $(READY_DOCS)  ## build the pages to read, in dist/docs
	$(MKDOCS) $(ARGS)
	@echo "Open dist/docs/index.html; with its search: python3 -m http.server --directory dist/docs"

samples: $(READY_DEV) $(READY_NATIVE)  ## write the pages' samples and the moving picture anew
	$(BIN)/python docs/moving_picture.py
	$(BIN)/python tests/pages.py --write

pictures: $(READY_DEV) $(READY_NATIVE)  ## take pictures of every view of the page, with Chromium, also those in docs/
	PYTHONPATH=tests:tests/desk $(BIN)/python docs/page_pictures.py $(ARGS)

clean:  ## remove what the other tasks made
	@# The project file lists lib while it is there.
	sed -i.bak '/ src="lib\//d' choregraphe_project/*.pml && rm -f choregraphe_project/*.pml.bak
	rm -rf $(VENV) .venv27 .cache dist choregraphe_project/lib $(NATIVE)/_core.so $(NATIVE)/_core.dylib $(NATIVE)/_core.dll
