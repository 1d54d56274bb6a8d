"""What the bot posts of its own accord, each thing once."""
