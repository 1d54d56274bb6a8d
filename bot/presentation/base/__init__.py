"""What every room's words and boards are made of."""
