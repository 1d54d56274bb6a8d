"""The picture of a duel that is over, in words and numbers that can be drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.duels.model.duel import DuelGame, EndedDuel, Seat
from bot.duels.pages.rows import score_in_letters
from bot.pool.named import Named
from bot.stand_ins import is_forgotten
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.names import clip, visible
from bot.text.pictures.faces import Avatar
from engine import Mode, Score, Turn

_LONGEST_DESCRIPTION: Final = 1024


@dataclass(frozen=True, slots=True)
class Side:
    """A player in the picture.

    Attributes:
        player_id: who it is.
        name: what they are called.
        turns: their guesses and their scores.
        is_winner: whether they have won.
        lines: what is said of them below their name, line by line.
        avatar: their avatar; a disc with the initial without one.
    """

    player_id: int
    name: str
    turns: tuple[Turn[Score], ...]
    is_winner: bool
    lines: tuple[str, ...]
    avatar: Avatar | None = None


@dataclass(frozen=True, slots=True)
class FinalPicture:
    """What is drawn, in words and numbers.

    Attributes:
        digits: how many a number has.
        sides: who moved first, and the other.
        line: what is said of both below the rounds; may be empty.
        description: the same for who cannot see it; at most 1,024 characters.
    """

    digits: int
    sides: tuple[Side, Side]
    line: str
    description: str


DRAW_FINAL: Final[Named[[FinalPicture], bytes]] = Named(
    "bot.duels.pages.final_picture", "draw_final"
)
"""Draws it, as a PNG."""


def final_picture(ended: EndedDuel, avatars: Mapping[int, Avatar]) -> FinalPicture:
    """The picture of a duel, in the current language.

    Args:
        ended: the duel and its players.
        avatars: by player, as far as they could be had.
    """
    first, second = (_side(ended, seat, avatars) for seat in (0, 1))
    line = _line(ended.game)
    words = [*(_described(side) for side in (first, second)), line]
    rounds = [f"{clip(side.name)}: {_rounds(side)}" for side in (first, second) if side.turns]
    description = "\n".join(filter(None, (*words, *rounds)))[:_LONGEST_DESCRIPTION]
    return FinalPicture(ended.game.rules.digits, (first, second), line, description)


def _side(ended: EndedDuel, seat: int, avatars: Mapping[int, Avatar]) -> Side:
    game = ended.game
    player, other = game.seats[seat], game.seats[1 - seat]
    player_id = player.player_id or 0
    lines = (_result(player), _rating(player), _hidden(game, other))
    return Side(
        player_id=player_id,
        name=_name(player_id, ended.names.get(player_id, "")),
        turns=player.turns,
        is_winner=game.winner == seat,
        lines=tuple(filter(None, lines)),
        avatar=avatars.get(player_id),
    )


def _name(player_id: int, name: str) -> str:
    if is_forgotten(player_id):
        return _("deleted player")
    return visible(name) or _("player")


def _result(player: Seat) -> str:
    if player.found:
        return _("solved in {guesses}").format(guesses=player.guesses)
    return counts.guesses(player.guesses)


def _hidden(game: DuelGame, other: Seat) -> str:
    """The number that a player has hidden, which the other was to find; in a race, both were."""
    if other.target is None:
        return ""
    if game.mode is Mode.RACE:
        return _("looked for {number}").format(number=other.target)
    return _("hid {number}").format(number=other.target)


def _rating(player: Seat) -> str:
    """The rating, and how far the duel has moved it."""
    if player.change is None:
        return ""
    before, after = player.change.before.points, player.change.after.points
    sign = "−" if after < before else "+"
    return _("rating {rating} ({moved})").format(rating=after, moved=f"{sign}{abs(after - before)}")


def _line(game: DuelGame) -> str:
    record = game.head_to_head
    if record is None:
        return ""
    words = _("Head to head: {won} – {lost}")
    if record.drawn:
        words = _("Head to head: {won} – {lost}, {drawn} drawn")
    return words.format(won=record.won, lost=record.lost, drawn=record.drawn)


def _described(side: Side) -> str:
    return _("{player}: {words}.").format(player=clip(side.name), words=", ".join(side.lines))


def _rounds(side: Side) -> str:
    return ", ".join(f"{turn.guess} {score_in_letters(turn.feedback)}" for turn in side.turns)
