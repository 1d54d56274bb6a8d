"""Plays, puzzles and streaks."""
