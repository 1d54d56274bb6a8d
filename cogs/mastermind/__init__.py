"""Mastermind: four ways to break a code of coloured pegs."""
