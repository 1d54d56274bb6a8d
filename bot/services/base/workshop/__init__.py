"""What is slow is done in processes beside the bot, so that it stops nobody's guess."""
