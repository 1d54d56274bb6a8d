"""What is the matter with a bot that does not run, or not well: looked at from outside."""
