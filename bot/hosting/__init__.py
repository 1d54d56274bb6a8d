"""What hosts run beside the bot."""
