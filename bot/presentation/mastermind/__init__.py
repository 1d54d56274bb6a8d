"""Mastermind in words and pegs."""
