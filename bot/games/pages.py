"""Seals and hints on a board."""

from collections.abc import Iterable
from typing import Final

from bot.games.model import Commitment, Hint
from bot.stored import HintKind
from bot.text import counts
from bot.text.language import N_, number
from bot.text.language import gettext as _
from bot.text.markup import code, small
from engine import Shown

_RECOGNISED: Final = 8
"""Digits of a seal that a running board shows. The whole seal is the proof."""


def seal_line(commitment: Commitment | None, player: str = "", *, whole: bool = False) -> str:
    """The board's line about the seal, in small print; empty without a commitment."""
    if commitment is None:
        return ""
    words = _("🔏 {player}'s seal {seal}") if player else _("🔏 Seal {seal}")
    seal = commitment.seal if whole else f"{commitment.seal[:_RECOGNISED]}…"
    return small(words.format(player=player, seal=code(seal)))


#: Shows a symbol in its place, where that costs nothing.
HINT_BUTTON: Final = N_("Hint")
#: Shows a symbol in its place, where that costs a point.
POINT_BUTTON: Final = N_("Hint: −1 point")
#: Shows a peg in its place, where that counts as a guess.
HINT_FOR_GUESS_BUTTON: Final = N_("Hint: costs a guess")

BULB: Final = "💡"
_UNKNOWN: Final = "·"


def shown_row(shown: Iterable[Shown], length: int) -> str:
    """The row of symbols that hints have shown, each in its place."""
    symbols = {each.place: each.symbol for each in shown}
    return code("".join(symbols.get(place, _UNKNOWN) for place in range(length)))


def told_before(hints: tuple[Hint, ...], turn: int) -> str:
    """The answers of earlier kinds of hints since the last guess; empty without any."""
    lines: list[str] = []
    for hint in hints:
        if hint.turn == turn and hint.kind is HintKind.SUGGESTION:
            lines.append(_("💡 One of the best guesses: {code}").format(code=code(hint.answer)))
        elif hint.turn == turn and hint.kind is HintKind.COUNT:
            count = number(int(hint.answer))
            lines.append(_("💡 Still possible: **{count}**").format(count=count))
    return "\n".join(lines)


def taken(hints: tuple[Hint, ...]) -> str:
    """The number of hints taken, in words; empty for none."""
    if not hints:
        return ""
    return _("with {hints}").format(hints=counts.hints(len(hints)))
