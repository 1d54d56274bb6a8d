"""Generators of files in this repository: `python -m tools.…`, from a checkout only."""
