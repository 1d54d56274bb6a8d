"""Members, leaderboards and statistics: who is known, who leads, what came of a player's games."""
