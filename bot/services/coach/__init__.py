"""The coach: what guesses were worth, hints, and how hard a puzzle is."""
