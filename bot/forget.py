"""`python -m bot.forget`, as `python -m bot forget` was called in version 0.2.0."""

from bot.__main__ import answer_to

if __name__ == "__main__":
    answer_to("forget")
