"""The only SQL and the only commit. Knows neither Discord nor the rules of any game."""
