"""Playing FoCdle."""
