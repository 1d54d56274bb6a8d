"""What two players have with each other: their duels, and the dailies that both have played."""

from bot.duels.model.duel import DuelGame, Seat
from bot.duels.pages.rows import as_invited, name
from bot.games.model.rivals import SharedDailies
from bot.ratings.model.ratings import HeadToHead
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext
from bot.text.markup import small


def head_to_head(players: tuple[Seat, Seat], record: HeadToHead) -> str:
    """How the duels of two players went, from the first one's point of view."""
    first, second = players
    words = _("Head to head: {first} {won} – {lost} {second}").format(
        first=name(first), won=record.won, second=name(second), lost=record.lost
    )
    if record.drawn:
        drawn = ngettext("{n} draw", "{n} draws", record.drawn).format(n=record.drawn)
        words = f"{words} · {drawn}"
    return small(words)


def so_far(game: DuelGame) -> str:
    """What the two of an invitation have had with each other, the challenger first."""
    players, lines = as_invited(game), list[str]()
    if game.head_to_head is not None and game.head_to_head != HeadToHead(0, 0, 0):
        lines.append(head_to_head(players, game.head_to_head))
    if game.shared is not None:
        lines.append(small(_dailies(players, game.shared)))
    return "\n".join(lines)


def _dailies(players: tuple[Seat, Seat], shared: SharedDailies) -> str:
    words = _("{dailies} in common: {first} ahead in {fewer}%, {second} {more}%")
    return words.format(
        dailies=counts.puzzles(shared.dailies),
        first=name(players[0]),
        second=name(players[1]),
        fewer=shared.percent_fewer,
        more=shared.percent_more,
    )
