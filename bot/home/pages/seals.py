"""Commitments in words: behind *Verify*, where all can read them, and how to check them."""

from collections.abc import Sequence
from typing import Final

from bot.dailies import day_of
from bot.focdle.game.daily import DaySeals
from bot.games.game.seals import SEAL_DIGITS, Commitment
from bot.home.game.verifying import Secret, Verified
from bot.text import counts
from bot.text.language import N_, long_date, say
from bot.text.language import gettext as _
from bot.text.markup import code, heading, mention, relative_time, small

_LONGEST: Final = 200
#: Shows a game's seals in full, and at the end how to check them.
VERIFY_BUTTON: Final = N_("Verify")
#: Explains how to check that no secret was changed.
FAIRNESS_BUTTON: Final = N_("Fairness")
#: Shows the seals of today's puzzles and tomorrow's.
SEALS_BUTTON: Final = N_("Today's and tomorrow's seals")
#: Above the whole seals of a game that goes on.
_NOTE_TITLE: Final = N_("The seal of this game")
#: Below them.
_NOTE: Final = N_(
    "It locks the secret. Copy it: at the end **Verify** shows that nothing was changed."
)
#: Above the check of a finished game.
_CHECK_TITLE: Final = N_("Is this the seal you kept?")
#: Below it.
_CHECK: Final = N_("Then nothing was changed.")


def verification(verified: Verified) -> list[str]:
    """What *Verify* shows, in blocks."""
    if not verified.is_open:
        seals = [f"{_whose(found)}{_line(found.commitment.seal)}" for found in verified.secrets]
        return [heading(say(_NOTE_TITLE)), *seals, say(_NOTE)]
    checks = [f"{_whose(found)}{_check(found.commitment, verified)}" for found in verified.secrets]
    return [f"{heading(say(_CHECK_TITLE))}\n{say(_CHECK)}", *checks]


def fairness_help() -> list[str]:
    """The topic's text, in blocks."""
    idea = _(
        "Every secret is fixed before the first guess. Its **seal** 🔏 proves that: {digits} that "
        "fit no other secret."
    ).format(digits=counts.digits(SEAL_DIGITS))
    sure = _(
        "Save a seal before you play: tomorrow's, below, or your game's, in *More*, **Verify**. At "
        "the end **Verify** shows the line that was sealed."
    )
    check = _(
        "Its SHA-256 begins with the seal. On Linux, or with `shasum -a 256` on a Mac, type:\n"
        "{command}"
    ).format(command=code(_command(_("the line"))))
    return [heading(_("Fairness")), idea, sure, check]


def seals_page(days: Sequence[DaySeals]) -> list[str]:
    """The seals of today's puzzles and tomorrow's, in blocks."""
    return [heading(say(SEALS_BUTTON)), *map(_seals_of, days)]


def _seals_of(day: DaySeals) -> str:
    """The seals of a date's puzzles, each below its length."""
    lines = [
        f"{length} {code(found.seal)}" for length, found in day.seals.items() if found is not None
    ]
    number = day.number
    return "\n".join((f"**#{number}** · {long_date(day_of(number))}", *map(small, lines)))


def _whose(secret: Secret) -> str:
    """Whose number it is, on a line of its own; empty for a game's only secret."""
    if secret.owner is None:
        return ""
    player_id = secret.owner.player_id
    player = _("The bot") if player_id is None else mention(player_id)
    return "{}\n".format(_("**{player}'s seal**").format(player=player))


def _check(found: Commitment, verified: Verified) -> str:
    text = found.text or ""
    return "\n".join(
        (
            _("**The seal**, since {when}:").format(when=relative_time(verified.since)),
            _line(found.seal),
            _("**It seals this line**, with a salt that nobody knew:"),
            _line(text),
        )
    )


def _command(text: str) -> str:
    return f"printf '%s' '{text}' | sha256sum"


def _line(text: str) -> str:
    """A line to be copied as it is; a phone breaks it, where it would cut a block."""
    return code(text, longest=_LONGEST)
