"""FoCdle: secrets and marks as arrays, the search for guesses, trees."""
