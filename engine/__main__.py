"""`python -m engine`: the games and their solvers at a terminal."""

import sys

from engine.terminal.program import main

if __name__ == "__main__":
    sys.exit(main())
