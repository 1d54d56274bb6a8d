"""What the bot posts in servers, and when it was away."""
