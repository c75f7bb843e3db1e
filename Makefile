# Pitstand. `make demo` and `make test` do all of their own set-up; nothing else is needed first.
PORT ?= 8000
DATA ?= $(CURDIR)/.data

.PHONY: setup demo demo-reset test bench faults lock check

setup: ## the environment, from the locked requirements
	@sh deploy/setup.sh

demo: setup ## the whole site on this machine, with a demo floor; PORT= and DATA= choose where
	@exec .venv/bin/python -m deploy.demo --port "$(PORT)" --data "$(DATA)"

demo-reset: setup ## forgets what the demo kept
	@exec .venv/bin/python -m deploy.demo --data "$(DATA)" --reset

test: setup ## everything, on SQLite and on PostgreSQL; ONLY="tests/db -k door" runs a part of it
	@exec .venv/bin/python -m tests $(ONLY)

check: setup ## the checks that take seconds: style, types, migrations
	@exec .venv/bin/python -m tests --checks

bench: setup ## ratios against the bare limit of the same machine, written to docs/bench
	@exec .venv/bin/python -m tests.bench

faults: setup ## the long run of what make test samples: workers killed again and again while devices speak
	@PITSTAND_KILLS=60 exec .venv/bin/python -m tests tests/faults/test_poll_killed.py

lock: setup ## after a change of requirements*.in
	.venv/bin/uv pip compile -q requirements.in -o requirements.txt --python-version 3.11 --generate-hashes --no-header
	.venv/bin/uv pip compile -q requirements-dev.in -o requirements-dev.txt --python-version 3.11 --generate-hashes --no-header
	.venv/bin/uv pip compile -q deploy/uv.in -o deploy/uv.txt --python-version 3.11 --generate-hashes --no-header
