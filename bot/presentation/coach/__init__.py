"""The coach in words, and its chart."""
