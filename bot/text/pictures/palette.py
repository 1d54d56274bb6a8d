"""The colours of charts, and the ground that all pictures have in common."""

from typing import Final

GROUND: Final = "#232428"
INK: Final = "#f2f3f5"
FAINT: Final = "#b5bac1"
LINES: Final = "#4e5058"
# Of the palette by Okabe and Ito, which nearly everybody can tell apart.
BLUE: Final = "#56b4e9"
ORANGE: Final = "#e69f00"
VERMILION: Final = "#e8702a"
