"""Duels of Bulls and Cows: challenges, turns, deadlines, ratings."""
