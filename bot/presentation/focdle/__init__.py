"""FoCdle in words and squares."""
