"""Builders of the solvers' data files."""
