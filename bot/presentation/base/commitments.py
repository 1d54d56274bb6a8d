"""Commitments in words: behind *Verify*, where all can read them, and how to check them."""

from collections.abc import Sequence
from typing import Final

from bot.model.dailies import day_of
from bot.presentation.base import counts
from bot.presentation.base.language import N_, long_date, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, heading, mention, relative_time, small
from bot.services.base.commitments import SEAL_DIGITS, Commitment, digest, sealed_text
from bot.services.focdle.daily import DaySeals
from bot.services.verifying import Secret, Verified

_LONGEST: Final = 200
_RECOGNISED: Final = 8
"""How many digits are enough to know a seal by; the proof is the whole seal."""
# Made up for the example; no game has it.
_EXAMPLE: Final = sealed_text("focdle 325/10", "25+4*12=73", "6f1d0c3b5a7e98241cd0be35f7a9428e")

#: Shows a game's seals in full, and at the end how to check them.
VERIFY_BUTTON: Final = N_("Verify")
#: Explains how to check that no secret was changed.
FAIRNESS_BUTTON: Final = N_("Fairness")
#: Above the whole seals of a game that goes on.
_NOTE_TITLE: Final = N_("Keep the seal, check it at the end")
#: Below them.
_NOTE: Final = N_(
    "At the end **Verify** shows what was hashed: if its SHA-256 begins with the seal, nothing "
    "was changed."
)
#: Above the check of a finished game.
_CHECK_TITLE: Final = N_("Check that the secret was not changed")
#: Below it.
_COMPARE: Final = N_("This seal has stood since {when}. If you kept it, compare.")


def seal_line(commitment: Commitment | None, player: str = "", *, whole: bool = False) -> str:
    """The line on a board, in small print; empty where there is no commitment.

    Args:
        commitment: to which secret.
        player: who has set the secret; nothing for a board's only one.
        whole: whether all digits of the seal are shown while the game goes on.
    """
    if commitment is None:
        return ""
    if commitment.text is not None:
        words = _("🔓 {player}'s seal {seal} is open") if player else _("🔓 Seal {seal} is open")
    else:
        words = _("🔏 {player}'s seal {seal}") if player else _("🔏 Seal {seal}")
    start = f"{commitment.seal[:_RECOGNISED]}…"
    is_whole = whole and commitment.text is None
    return small(words.format(player=player, seal=code(commitment.seal if is_whole else start)))


def verification(verified: Verified) -> list[str]:
    """What *Verify* shows, in blocks."""
    if not verified.is_open:
        seals = [f"{_whose(found)}{_line(found.commitment.seal)}" for found in verified.secrets]
        return [heading(say(_NOTE_TITLE)), *seals, say(_NOTE)]
    checks = [f"{_whose(found)}{_check(found.commitment)}" for found in verified.secrets]
    since = say(_COMPARE, when=relative_time(verified.since))
    return [heading(say(_CHECK_TITLE)), *checks, since]


def fairness_help(days: Sequence[DaySeals] = ()) -> list[str]:
    """The topic's text, in blocks, with the seals of today and tomorrow."""
    idea = _(
        "Before you guess, the secret is fixed, and so is its **seal** 🔏: the first {digits} of "
        "the SHA-256 of a line with the game, the secret and a random salt. Nobody can find "
        "another secret with that seal."
    ).format(digits=counts.digits(SEAL_DIGITS))
    sure = _(
        "To be sure, copy tomorrow's seal from below, or your game's from *More*, **Verify**. At "
        "the end **Verify** shows the line: if its SHA-256 begins with your seal, nothing was "
        "changed."
    )
    return [
        heading(_("Fairness")),
        idea,
        sure,
        _("**Check it** on Linux; on a Mac, with `shasum -a 256`:"),
        _line(_command(_EXAMPLE)),
        _("This line has the seal {seal}.").format(seal=code(digest(_EXAMPLE)[:SEAL_DIGITS])),
        *map(_seals_of, days),
    ]


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


def _check(found: Commitment) -> str:
    text = found.text or ""
    return "\n".join(
        (
            _("**What was hashed**: the game, the secret, and a salt that nobody knew."),
            _line(text),
            _("**Its SHA-256**; the first {digits} are the seal:").format(
                digits=counts.digits(SEAL_DIGITS)
            ),
            _line(digest(text)),
            _("**Without the bot**: run this; on a Mac, with `shasum -a 256`:"),
            _line(_command(text)),
        )
    )


def _command(text: str) -> str:
    return f"printf '%s' '{text}' | sha256sum"


def _line(text: str) -> str:
    """A line to be copied as it is; a phone breaks it, where it would cut a block."""
    return code(text, longest=_LONGEST)
