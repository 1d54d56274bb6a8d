"""A program: games, solvers and analysis for who sits at a terminal."""
