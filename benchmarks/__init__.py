"""Benchmarks of strength and speed: `python -m benchmarks.…`, from a checkout only."""
