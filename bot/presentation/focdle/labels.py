"""Short texts on FoCdle's buttons."""

from bot.presentation.base.language import gettext as _


def guess_button() -> str:
    """Opens the form for a guess."""
    return _("Guess")


def probe_button() -> str:
    """Plays a false equation after all."""
    return _("Play as probe")


def practice_button() -> str:
    """Opens a game that counts for nothing."""
    return _("Practice")


def share_button() -> str:
    """Posts the result to the channel."""
    return _("Share")


def play_button(number: int) -> str:
    """Opens the presser's own board of a puzzle."""
    return _("Play #{number}").format(number=number)
