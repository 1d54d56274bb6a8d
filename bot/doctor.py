"""`python -m bot.doctor`: what is the matter with a bot, in a line each; nothing is changed."""

import sys

from bot.hosting.doctor.program import main

if __name__ == "__main__":
    sys.exit(main())
