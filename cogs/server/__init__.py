"""Servers: their settings, and what the bot posts there."""
