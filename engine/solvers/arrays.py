"""Codes as arrays of symbol numbers, a symbol's number being its index in the alphabet."""

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.uint8]
"""Secrets or candidates, shape (length, N): column i is one code. One row is one place, so
what looks at a place of all codes reads memory in order."""

Guesses = NDArray[np.intp]
"""Guesses to be tried, shape (G, length): one row is one guess."""
