"""A player's data."""
