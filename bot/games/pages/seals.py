"""The seal of a game on its board."""

from typing import Final

from bot.games.game.seals import Commitment
from bot.text.language import gettext as _
from bot.text.markup import code, small

_RECOGNISED: Final = 8
"""How many digits are enough to know a seal by; the proof is the whole seal."""


def seal_line(commitment: Commitment | None, player: str = "", *, whole: bool = False) -> str:
    """The line on a board that goes on, in small print; empty where there is no commitment.

    Args:
        commitment: to which secret.
        player: who has set the secret; nothing for a board's only one.
        whole: whether all digits of the seal are shown.
    """
    if commitment is None:
        return ""
    words = _("🔏 {player}'s seal {seal}") if player else _("🔏 Seal {seal}")
    seal = commitment.seal if whole else f"{commitment.seal[:_RECOGNISED]}…"
    return small(words.format(player=player, seal=code(seal)))
