"""Words that columns hold: tables know them, and the features that write them."""

from enum import StrEnum


class HintKind(StrEnum):
    """What a player was told."""

    SYMBOL = "symbol"
    """A symbol in its place."""
    COUNT = "count"
    """How many secrets were possible; nobody can ask any more."""
    SUGGESTION = "suggestion"
    """A best guess; nobody can ask any more."""


class Reason(StrEnum):
    """Why a date did to a streak what it did."""

    SOLVED = "solved"
    SOLVED_EARNED = "solved_earned"
    """Solved, and the seventh date in a row: a freeze was earned."""
    FROZEN_UNPLAYED = "frozen_unplayed"
    FROZEN_UNFINISHED = "frozen_unfinished"
    FROZEN_LOST = "frozen_lost"
    ENDED_UNPLAYED = "ended_unplayed"
    ENDED_UNFINISHED = "ended_unfinished"
    ENDED_LOST = "ended_lost"
    EXCUSED_OUTAGE = "excused_outage"
    """The bot was down."""
    EXCUSED_ZONE = "excused_zone"
    """A change of zone skipped the date."""
    SOLVED_ASSISTED = "solved_assisted"
    """Solved with hints: one date more, and no step towards a freeze."""
    KEPT_ASSISTED = "kept_assisted"
    """Solved, but with hints of earlier kinds."""
    BEGUN_ASSISTED = "begun_assisted"
    """Solved with hints of earlier kinds while no streak was held: one of one date."""
    RESTORED = "restored"
    """The streak had ended, and a manager of a server restored it."""
