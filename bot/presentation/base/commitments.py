"""Commitments in words: small on every board, opened at the end, and how to check them."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, code, heading, relative_time, small
from bot.services.base.commitments import SEAL_DIGITS, Commitment, digest, sealed_text
from bot.services.verifying import Verification, Verified

_LONGEST: Final = 200
_RECOGNISED: Final = 8
"""How many digits an opened seal shows; who noted them all can hash the opened text."""
# Made up for the example; no game has it.
_EXAMPLE: Final = sealed_text("focdle 325/10", "25+4*12=73", "6f1d0c3b5a7e98241cd0be35f7a9428e")

#: Works out anew what a finished game's commitment is.
VERIFY_BUTTON: Final = N_("Verify")
#: Explains how to check that no secret was changed.
FAIRNESS_BUTTON: Final = N_("Fairness")


def seal_line(commitment: Commitment | None, what: str = "") -> str:
    """The line on a board, in small print; empty where there is no commitment.

    Args:
        commitment: to which secret.
        what: whose secret it is, while it is not opened; nothing for a board's only one.
    """
    if commitment is None:
        return ""
    seal = code(commitment.seal)
    if commitment.text is not None:
        start = code(f"{commitment.seal[:_RECOGNISED]}…")
        opened = _("🔓 {text} has the seal {seal}")
        return small(opened.format(text=code(commitment.text, longest=_LONGEST), seal=start))
    if what:
        return small(_("🔏 Seal of {what} {seal}").format(what=what, seal=seal))
    return small(_("🔏 Seal {seal}").format(seal=seal))


def verification(verified: Verified) -> list[str]:
    """What *Verify* shows, in blocks."""
    since = _(
        "The board has shown the seal since the game began, {when}. If you noted it then, compare: "
        "had the secret been changed, it would be another."
    ).format(when=relative_time(verified.since))
    blocks = [_check(secret) for secret in verified.secrets]
    return [heading(_("Check that the secret was not changed")), *blocks, since]


def fairness_help() -> list[str]:
    """The topic's text, in blocks."""
    idea = _(
        "Before you guess, the secret is fixed and the board shows its **seal** 🔏: the first "
        "{digits} of the SHA-256 of a line with the game, the secret and a random salt. "
        "From the seal nobody can tell the secret, and nobody, not even the bot, can find another "
        "secret with the same seal. At the end the board shows the line, and how its seal begins. "
        "If the line's SHA-256 begins with the whole seal, nothing was changed."
    ).format(digits=counts.digits(SEAL_DIGITS))
    example = _("An example. The seal on the board was {seal}; at the end it shows {text}.")
    return [
        heading(_("Fairness: no secret is ever changed")),
        idea,
        example.format(
            seal=code(digest(_EXAMPLE)[:SEAL_DIGITS]), text=code(_EXAMPLE, longest=_LONGEST)
        ),
        _ways(_EXAMPLE),
        bullets(_details()),
    ]


def _check(secret: Verification) -> str:
    return "\n".join(
        (
            _("**What was hashed**: the game, the secret, and a salt that nobody knew."),
            _block(secret.text),
            _("**Its SHA-256**, worked out just now:"),
            _block(secret.digest),
            small(
                _("The seal, its first {digits}: {seal}").format(
                    digits=counts.digits(SEAL_DIGITS), seal=code(secret.digest[:SEAL_DIGITS])
                )
            ),
            _("**Without the bot**, on Linux; on a Mac, with `shasum -a 256` for `sha256sum`:"),
            _block(_command(secret.text)),
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
            _("**Check it** on Linux; on a Mac, with `shasum -a 256` for `sha256sum`:"),
            _block(_command(text)),
            _("In Python:"),
            _block(python),
            _("In PowerShell on Windows:"),
            _block(shell),
            _("Each prints this. So does any SHA-256 calculator on a phone:"),
            _block(digest(text)),
        )
    )


def _details() -> tuple[str, ...]:
    return (
        _("**Verify** on a finished board shows its line, its SHA-256, and the command to copy."),
        _("A seal proves something to whoever saw it before: copy it if you want to be sure."),
        _(
            "A day's puzzle has one seal for everybody. It is in the daily post, too, and opens "
            "for you when you have finished."
        ),
        _("A code that only you know, in `/mastermind defend`, has none, unless you enter it."),
    )


def _command(text: str) -> str:
    return f"printf '%s' '{text}' | sha256sum"


def _block(text: str) -> str:
    """Lines to be copied as they are."""
    return f"```\n{text}\n```"
