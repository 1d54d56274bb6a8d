"""Load tests of the bot and of an empty one: `python -m benchmarks.load`."""
