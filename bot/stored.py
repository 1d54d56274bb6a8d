"""Values of columns that both the tables and the features need."""

from enum import StrEnum


class HintKind(StrEnum):
    """The kind of a hint. `COUNT` and `SUGGESTION` are retired: only old games have them."""

    SYMBOL = "symbol"
    COUNT = "count"
    """The number of codes that were possible."""
    SUGGESTION = "suggestion"


class Reason(StrEnum):
    """The reason for a date's effect on a streak."""

    SOLVED = "solved"
    SOLVED_EARNED = "solved_earned"
    """Solved as the seventh date in a row: a freeze was earned."""
    FROZEN_UNPLAYED = "frozen_unplayed"
    FROZEN_UNFINISHED = "frozen_unfinished"
    FROZEN_LOST = "frozen_lost"
    ENDED_UNPLAYED = "ended_unplayed"
    ENDED_UNFINISHED = "ended_unfinished"
    ENDED_LOST = "ended_lost"
    EXCUSED_OUTAGE = "excused_outage"
    EXCUSED_ZONE = "excused_zone"
    SOLVED_ASSISTED = "solved_assisted"
    """Solved with hints: lengthens the streak, without progress towards a freeze."""
    KEPT_ASSISTED = "kept_assisted"
    """Solved, but with hints of retired kinds."""
    BEGUN_ASSISTED = "begun_assisted"
    """Solved with hints of retired kinds, without a streak: begins a streak of one date."""
    RESTORED = "restored"
    """The streak had ended, and a server's manager restored it."""
