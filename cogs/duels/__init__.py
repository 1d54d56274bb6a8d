"""Duels of Bulls and Cows."""
