"""`python -m bot.move`, the form of `python -m bot move` in version 0.2.0."""

from bot.__main__ import answer_to

if __name__ == "__main__":
    answer_to("move")
