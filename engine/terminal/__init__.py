"""The program for a terminal: games, solvers and analysis."""
