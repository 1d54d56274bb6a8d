"""How the bot is, for who looks after it: whether it is ready, and figures.

Nothing of this runs, or is loaded, unless the host has set `HEALTH_ADDRESS`.
"""
