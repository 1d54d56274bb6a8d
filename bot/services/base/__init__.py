"""Nouns, errors and tools that every room of the services uses."""
