"""Whether somebody who only watches a duel could learn from its board what would help."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.duels.model import DuelView, Move, Pace, SeatView, State
from cogs.duels.pages import board_page
from engine import Mode
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
    hidden += [
        secret
        for secret in stored.secrets
        if secret and (game.duel.mode is Mode.RACE or secret not in told)
    ]
    if game.duel.mode is Mode.RACE:
        hidden += [move.code for move in stored.moves]
    assert not [code for code in hidden if code in text]
    if game.duel.state is State.PLAYING:
        assert game.duel.mode is not Mode.RACE or _board(_blank(game)) == board
    else:
        assert _board(turned(game)) == board


def _blank(game: DuelView) -> DuelView:
    """A race in which nobody can tell what others have guessed, how often, how fast or when.

    That somebody has finished may be told where no tie goes to less time: then one guess did it.
    """
    moves = tuple(
        Move(seat.number, stored.secret or "", game.duel.opened_at)
        for seat, stored in zip(game.seats, game.duel.seats, strict=True)
        if seat.is_done and game.duel.pace is Pace.RELAXED
    )
    duel = replace(game.duel, moves=moves)
    first, second = (_blank_seat(replace(seat, duel=duel)) for seat in game.seats)
    return replace(game, duel=duel, seats=(first, second))


def _blank_seat(seat: SeatView) -> SeatView:
    return seat if seat.started_at is None else replace(seat, taken=None, deadline_at=None)


def _board(game: DuelView) -> Board:
    return board_page(game).to_components()


def _parts(components: Board) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _parts(component.get("components", []))
