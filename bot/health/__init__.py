"""Asks the bot how it is, for checks of containers; and where it can be asked."""
