"""Codes: the strings that games are played with."""

from typing import NewType

Code = NewType("Code", str)
"""A secret or guess in its canonical notation: a string that has passed a game's parser."""
