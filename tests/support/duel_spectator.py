"""Whether somebody who only watches a duel could learn from its board what would help."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.duels.model import DuelGame, Pace, Seat, State
from cogs.duels.pages import board_page
from engine import Mode
from tests.support.duel_oracle import Stored

# Digits of times, names and seals may be anything.
_OTHER_DIGITS = re.compile(r"<[@t][^>]*>|`[0-9a-f]{8,40}…?`")

Board = list[dict[str, Any]]


async def watch(game: DuelGame, stored: Stored) -> None:
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
    if game.state is State.OVER:
        return
    text = _OTHER_DIGITS.sub("", "\n".join(part.get("content", "") for part in _parts(board)))
    told = {move.code for move in stored.moves}  # a number that both have chosen, too
    hidden = [*filter(None, stored.salts)]
    hidden += [
        secret
        for secret in stored.secrets
        if secret and (game.mode is Mode.RACE or secret not in told)
    ]
    if game.mode is Mode.RACE:
        hidden += [move.code for move in stored.moves]
    assert not [code for code in hidden if code in text]
    if game.state is State.PLAYING:
        assert game.mode is not Mode.RACE or _board(_blank(game)) == board
    else:
        first, second = game.seats
        other_order = replace(game, seats=(second, first), challenger=1 - game.challenger)
        assert _board(other_order) == board


def _blank(game: DuelGame) -> DuelGame:
    """A race in which nobody can tell what others have guessed, how often, how fast or when."""
    first, second = (_blank_seat(game, seat) for seat in game.seats)
    return replace(game, seats=(first, second), deadline_at=None)


def _blank_seat(game: DuelGame, seat: Seat) -> Seat:
    if seat.started_at is None:
        return seat
    # That somebody has finished may be told where no tie goes to less time.
    is_done = seat.is_done and game.pace is Pace.RELAXED
    return replace(seat, guesses=0, is_done=is_done, taken=None, deadline_at=None)


def _board(game: DuelGame) -> Board:
    return board_page(game).to_components()


def _parts(components: Board) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _parts(component.get("components", []))
