"""Programs that a test calls and a machine may lack."""

import shutil

import pytest


def needed(program: str) -> str:
    """The path of a program; without it the test is skipped, and names it."""
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"no {program} here")
    return path
