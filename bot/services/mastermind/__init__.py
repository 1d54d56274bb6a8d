"""Mastermind in four kinds: play, defend, challenge, watch."""
