"""FoCdle: its secrets, its marks, and the search for guesses, as arrays."""
