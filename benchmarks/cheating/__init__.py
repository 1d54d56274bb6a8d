"""What cheating gets: `python -m benchmarks.cheating`.

The program plays a month of one server through the real services, on a real database, with a clock
that jumps from act to act. Some members are honest; each of the others cheats in one way. A table
shows what each cheat has at the end, beside what honest members have. Some cheats must get
nothing; others nobody can prevent, and `/help` has to say so. The exit status tells whether both
hold.
"""
