"""FoCdle: dailies, practice, streaks."""
