"""How strong and how fast the solvers are: `python -m benchmarks.solvers` measures it anew.

Every row of the table is measured in a process of its own, so that memory and the first
answers are those of a program that has just been started.
"""
