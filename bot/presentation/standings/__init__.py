"""Leaderboards in words."""
