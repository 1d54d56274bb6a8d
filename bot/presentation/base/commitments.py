"""Commitments in words: small on every board, whole behind *Verify*, and how to check them."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, code, heading, mention, relative_time, small
from bot.services.base.commitments import SEAL_DIGITS, Commitment, digest, sealed_text
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
_NOTE_TITLE: Final = N_("Note the seal, check it at the end")
#: Below them.
_NOTE: Final = N_(
    "If you like, copy this before you guess. At the end **Verify** shows the line that was "
    "hashed: if its SHA-256 begins with these {digits}, nothing was changed."
)
#: The same, where both players have a seal.
_NOTE_BOTH: Final = N_(
    "If you like, copy both before you guess. At the end **Verify** shows the lines that were "
    "hashed: if the SHA-256 of each begins with the {digits} of its seal, nothing was changed."
)
#: Above the check of a finished game.
_CHECK_TITLE: Final = N_("Check that the secret was not changed")
#: Below it.
_COMPARE: Final = N_(
    "**Verify** has shown the seal since the game began, {when}. If you noted it then, compare: "
    "had the secret been changed, it would be another."
)


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
        words = say(_NOTE if len(seals) == 1 else _NOTE_BOTH, digits=counts.digits(SEAL_DIGITS))
        return [heading(say(_NOTE_TITLE)), *seals, words]
    checks = [f"{_whose(found)}{_check(found.commitment)}" for found in verified.secrets]
    since = say(_COMPARE, when=relative_time(verified.since))
    return [heading(say(_CHECK_TITLE)), *checks, since]


def fairness_help() -> list[str]:
    """The topic's text, in blocks."""
    idea = _(
        "Before you guess, the secret is fixed, and so is its **seal** 🔏: the first {digits} of "
        "the SHA-256 of a line with the game, the secret and a random salt. From the seal nobody "
        "can tell the secret, and nobody, not even the bot, can find another secret with the same "
        "seal. At the end you see the line. If its SHA-256 begins with the whole seal, nothing "
        "was changed."
    ).format(digits=counts.digits(SEAL_DIGITS))
    sure = _(
        "**If you want to be sure**, press **Verify** once before you guess, and copy all "
        "{digits}. The board itself shows {few}, to know the seal by: so few could be matched by "
        "trying long enough. The proof is the whole seal."
    ).format(digits=counts.digits(SEAL_DIGITS), few=counts.digits(_RECOGNISED))
    example = _("An example. The whole seal was {seal}; at the end **Verify** shows {text}.")
    return [
        heading(_("Fairness: no secret is ever changed")),
        idea,
        sure,
        example.format(
            seal=code(digest(_EXAMPLE)[:SEAL_DIGITS]), text=code(_EXAMPLE, longest=_LONGEST)
        ),
        _ways(_EXAMPLE),
        bullets(_details()),
    ]


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
            _("**Its SHA-256**, worked out just now:"),
            _line(digest(text)),
            small(
                _("The seal, its first {digits}: {seal}").format(
                    digits=counts.digits(SEAL_DIGITS), seal=code(found.seal)
                )
            ),
            _(
                "**Without the bot**: on a phone, paste the first line into any SHA-256 "
                "calculator. On Linux, run this; on a Mac, with `shasum -a 256` for `sha256sum`:"
            ),
            _line(_command(text)),
        )
    )


def _ways(text: str) -> str:
    """The same check with tools that are at hand."""
    python = f'import hashlib\ntext = "{text}"\nprint(hashlib.sha256(text.encode()).hexdigest())'
    shell = (
        f"$text = '{text}'\n"
        "$bytes = [IO.MemoryStream]::new([Text.Encoding]::UTF8.GetBytes($text))\n"
        "(Get-FileHash -InputStream $bytes).Hash.ToLower()"
    )
    return "\n".join(
        (
            _("**Check it** on a phone: any SHA-256 calculator makes this of the line:"),
            _line(digest(text)),
            _("On Linux; on a Mac, with `shasum -a 256` for `sha256sum`:"),
            _line(_command(text)),
            _("In Python:"),
            _block(python),
            _("In PowerShell on Windows:"),
            _block(shell),
        )
    )


def _details() -> tuple[str, ...]:
    return (
        _("**Verify** on a finished board shows its line, its SHA-256, and the command to copy."),
        _(
            "A day's puzzle has one seal for everybody. All of it is in the daily post, and it "
            "opens for you when you have finished."
        ),
        _("A game that everybody watches shows its whole seals until the first guess."),
        _("A code that only you know, in `/mastermind defend`, has none, unless you enter it."),
    )


def _command(text: str) -> str:
    return f"printf '%s' '{text}' | sha256sum"


def _line(text: str) -> str:
    """A line to be copied as it is; a phone breaks it, where it would cut a block."""
    return code(text, longest=_LONGEST)


def _block(text: str) -> str:
    """Several lines to be copied as they are, on a computer."""
    return f"```\n{text}\n```"
