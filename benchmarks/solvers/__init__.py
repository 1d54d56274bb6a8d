"""Strength and speed of the solvers: `python -m benchmarks.solvers`."""
