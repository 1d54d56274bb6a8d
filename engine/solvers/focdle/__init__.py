"""FoCdle: secrets, marks, and the search for guesses, as arrays."""
