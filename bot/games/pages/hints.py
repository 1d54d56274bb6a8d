"""Hints in words: what they cost, and what they tell."""

from collections.abc import Iterable
from typing import Final

from bot.games.model.hints import Hint, HintKind
from bot.text import counts
from bot.text.language import N_, number
from bot.text.language import gettext as _
from bot.text.markup import code
from engine import Shown

#: Shows a symbol in its place, where that costs nothing.
HINT_BUTTON: Final = N_("Hint")
#: Shows a symbol in its place, where that costs a point.
POINT_BUTTON: Final = N_("Hint: −1 point")
#: Shows a peg in its place, where that counts as a guess.
HINT_FOR_GUESS_BUTTON: Final = N_("Hint: costs a guess")

BULB: Final = "💡"
_UNKNOWN: Final = "·"


def shown_row(shown: Iterable[Shown], length: int) -> str:
    """What hints have shown, each symbol in its place."""
    symbols = {each.place: each.symbol for each in shown}
    return code("".join(symbols.get(place, _UNKNOWN) for place in range(length)))


def told_before(hints: tuple[Hint, ...], turn: int) -> str:
    """What hints of earlier kinds have told since the last guess; empty for nothing."""
    lines: list[str] = []
    for hint in hints:
        if hint.turn == turn and hint.kind is HintKind.SUGGESTION:
            lines.append(_("💡 One of the best guesses: {code}").format(code=code(hint.answer)))
        elif hint.turn == turn and hint.kind is HintKind.COUNT:
            count = number(int(hint.answer))
            lines.append(_("💡 Still possible: **{count}**").format(count=count))
    return "\n".join(lines)


def taken(hints: tuple[Hint, ...]) -> str:
    """How many hints were taken; empty for none."""
    if not hints:
        return ""
    return _("with {hints}").format(hints=counts.hints(len(hints)))
