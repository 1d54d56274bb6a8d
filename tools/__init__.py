"""What makes files of this repository anew: `python -m tools.…`, from a checkout only."""
