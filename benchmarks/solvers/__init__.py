"""How strong and how fast the solvers are: `python -m benchmarks.solvers`."""
