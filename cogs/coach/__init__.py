"""The coach and its hints."""
