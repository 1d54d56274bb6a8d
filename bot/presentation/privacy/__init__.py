"""A player's data in words."""
