"""What the product can do and how fast: `python -m benchmarks.…`, from a checkout only."""
