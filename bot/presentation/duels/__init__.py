"""Duels in words."""
