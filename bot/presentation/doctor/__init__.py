"""What the doctor says to who hosts the bot."""
