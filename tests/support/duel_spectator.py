"""Whether somebody who only watches a duel could learn from its board what would help."""

import re
from collections.abc import Iterator
from typing import Any

from bot.duels.model import DuelView, State
from cogs.duels.pages import board_page
from tests.support.duel_boards import turned
from tests.support.duel_oracle import Stored

# Digits of times, names and seals may be anything.
_OTHER_DIGITS = re.compile(r"<[@t][^>]*>|`[0-9a-f]{8,40}…?`")

Board = list[dict[str, Any]]


async def watch(game: DuelView, stored: Stored) -> None:
    """Look at a duel's public board.

    Args:
        game: the duel, as it was handed out.
        stored: as it is in the tables.
    """
    board = _board(game)
    ids = [part["custom_id"] for part in _parts(board) if "custom_id" in part]
    assert ids
    words = {word for id_ in ids for word in id_.split(":")}
    assert not words & {*filter(None, stored.secrets), *(move.code for move in stored.moves)}
    if game.duel.state is State.OVER:
        return
    text = _OTHER_DIGITS.sub("", "\n".join(part.get("content", "") for part in _parts(board)))
    told = {move.code for move in stored.moves}  # a number that both have chosen, too
    hidden = [*filter(None, stored.salts)]
    hidden += [secret for secret in stored.secrets if secret and secret not in told]
    assert not [code for code in hidden if code in text]
    if game.duel.state is not State.PLAYING:
        assert _board(turned(game)) == board


def _board(game: DuelView) -> Board:
    return board_page(game).to_components()


def _parts(components: Board) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _parts(component.get("components", []))
