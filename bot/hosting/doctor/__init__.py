"""`python -m bot doctor`: what is the matter with a bot, in a line each; nothing is changed."""
