"""Duels and ratings."""
