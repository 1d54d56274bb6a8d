# For fingers that are used to make: `make test ARGS='-x'` is `python3 tasks.py test -x`, and so on.

PYTHON ?= $(shell command -v python3 || command -v python)
.DEFAULT_GOAL := help

# What make itself might want to make anew; the rest is a task.
Makefile: ;

.PHONY: FORCE
%: FORCE
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: https://www.python.org/downloads/"; exit 1; }
	@exec $(PYTHON) tasks.py $@ $(ARGS)
