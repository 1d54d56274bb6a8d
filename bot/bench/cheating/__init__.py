"""What cheating gets: `python -m bot.bench.cheating`.

A month of a server is lived through the real services, on a real database, with a clock that jumps
from act to act. Beside honest members there are some who want to win without playing, each in a
way of their own. What they have at the end is printed beside what honest members have. What must
get nothing, and what nobody can prevent and `/help` says so, is told apart; the exit status says
whether it is so.
"""
