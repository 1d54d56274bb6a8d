"""`python -m bot.health`, as `python -m bot health` was called in version 0.2.0."""

from bot.__main__ import answer_to

if __name__ == "__main__":
    answer_to("health")
