"""A month of honest members and cheats: `python -m benchmarks.cheating`."""
