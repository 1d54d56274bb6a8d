"""Mastermind: three ways to break a code of coloured pegs."""
