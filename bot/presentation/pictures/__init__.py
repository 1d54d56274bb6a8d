"""Pictures: tiles, pegs, charts."""
