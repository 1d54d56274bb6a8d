"""Programs that find, from nothing, the data files that solvers ship with."""
