"""Leaderboards, and what they follow from."""
