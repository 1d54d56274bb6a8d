"""Slash commands: take the player from the interaction, ask one service, show the result."""
