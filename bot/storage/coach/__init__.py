"""What the coach has found, hints and pars."""
