"""Mastermind and Bulls and Cows: their codes, their scores, and the search for guesses."""
