# make demo | test | test-all | lint | native | wheel | sdist | dist | check-dist | bench | docs | docs-serve | man | pages | stubs | clean; needs Python 3.11 or later (PYTHON=... chooses one) and make.
PYTHON ?= python3
PY := .venv/bin/python
# The environment that the package is built in has the same versions: what it compiles gives the same bits.
PIP := PIP_CONSTRAINT=constraints.txt $(PY) -m pip --disable-pip-version-check install -q
# Tests of one file stay together, so that two processes seldom compile the same kernel.
CORES = -n 2 --dist worksteal
# A stale cache of compiled kernels lies: tests compile into a folder of their own.
TEST = NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-test $(PY) -m pytest

.PHONY: demo test test-all lint native wheel sdist dist check-dist bench docs docs-serve man pages stubs clean

demo: .venv/run
	.venv/bin/littlestone compare

test: .venv/test lint
	rm -rf .cache/numba-test
	$(TEST) $(CORES) -m "not slow"

test-all: .venv/test .venv/docs lint
	rm -rf .cache/numba-test
	$(TEST) $(CORES)

lint: .venv/test
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports

# Kernels, compiled anew for this machine, after a change of src/littlestone/engine.
native: .venv/test
	$(PY) -m native.build src/littlestone/engine

# A wheel for this platform, with compiled kernels, and one of plain Python.
wheel: .venv/run
	rm -rf dist
	PIP_CONSTRAINT=constraints.txt $(PY) -m pip wheel -q --no-deps -w dist .
	PIP_CONSTRAINT=constraints.txt LITTLESTONE_NATIVE=none $(PY) -m pip wheel -q --no-deps -w dist .

# The source archive: all that is needed to build and test the package, and nothing else.
sdist: .venv/release
	PIP_CONSTRAINT=constraints.txt $(PY) -m build --sdist -o dist .

# What is published, in dist; the rules of the registry are checked.
dist: wheel sdist
	$(PY) -m twine check --strict dist/*

# The same, tried in empty environments of every Python that is found (minutes).
check-dist: .venv/test
	$(TEST) tests/release tests/native/test_wheels.py

# The site, in .cache/site/html; a warning is an error.
docs: .venv/docs
	$(PY) -m docs.building -q

docs-serve: docs
	$(PY) -m http.server -b 127.0.0.1 -d .cache/site/html

# Man pages, in .cache/man: man -l .cache/man/littlestone.1
man: .venv/run
	$(PY) -m docs.building.man

# Pages of docs/ that programs write, from what is registered and measured.
pages: .venv/test
	$(PY) docs/theorems.py
	$(PY) docs/dnf.py
	$(PY) docs/papers.py
	$(PY) benchmarks/readme_facts.py

stubs: .venv/test
	$(PY) docs/stubs.py

bench: .venv/bench
	$(PY) benchmarks/engine.py
	$(PY) benchmarks/bayes.py
	$(PY) benchmarks/kernels.py
	$(PY) benchmarks/drift.py
	$(PY) benchmarks/startup.py
	$(PY) benchmarks/files.py
	$(PY) benchmarks/peers.py
	$(PY) benchmarks/regression.py --write
	$(PY) benchmarks/readme_facts.py
	$(PY) benchmarks/which_learner.py
	$(PY) benchmarks/service.py

.venv/run: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "littlestone needs Python 3.11 or later; say make PYTHON=python3.12"; exit 1; }
	test -x $(PY) || $(PYTHON) -m venv .venv
	$(PIP) -e '.[papers]'
	touch $@

# What else the environment has: .venv/test stands for the extra [test], and so on.
.venv/test .venv/bench .venv/release .venv/docs: .venv/%: .venv/run
	$(PIP) -e '.[$*]'
	touch $@

clean:
	rm -rf .venv .cache dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
