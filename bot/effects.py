"""What a date did to a streak: for the tables, and for the features that read it."""

from enum import StrEnum


class DateEffect(StrEnum):
    """What a date did to a streak, and why."""

    SOLVED = "solved"
    SOLVED_EARNED = "solved_earned"
    """Solved without hints, as every seventh such date of a streak: it earned a freeze."""
    FROZEN_UNPLAYED = "frozen_unplayed"
    FROZEN_UNFINISHED = "frozen_unfinished"
    FROZEN_LOST = "frozen_lost"
    ENDED_UNPLAYED = "ended_unplayed"
    ENDED_UNFINISHED = "ended_unfinished"
    ENDED_LOST = "ended_lost"
    EXCUSED_OUTAGE = "excused_outage"
    EXCUSED_ZONE = "excused_zone"
    SOLVED_ASSISTED = "solved_assisted"
    """Solved with hints: it lengthens the streak, but does not count towards a freeze."""
