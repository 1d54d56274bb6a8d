"""What is drawn: tiles, pegs, charts."""
