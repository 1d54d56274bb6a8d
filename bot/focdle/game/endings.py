"""What there is to tell about a play that is over: feats, who was beaten, the streak, tomorrow."""

from dataclasses import replace
from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

from bot.db.database import Transaction
from bot.focdle.game.weekdays import outlook
from bot.focdle.model.feats import (
    Beaten,
    Ending,
    Feat,
    News,
    Outlook,
    change_of,
    goal_of,
    news_of,
    streak_feats,
)
from bot.focdle.model.play import Play
from bot.focdle.store import earlier
from bot.focdle.store.earlier import EarlierRow
from bot.leaderboards.model.keys import BoardGame, Period, slot_of
from bot.leaderboards.store import ranks
from bot.streaks.model.streaks import Streak
from engine import Outcome

_FAR: Final = 1.0
_LEAST: Final = 0.5
"""What is nearer to par is par."""
_MOST_NAMED: Final = 2
_FOR_THE_NEW: Final = 8
"""The length that who has solved nothing is to try: the second shortest there is."""


async def ended(tx: Transaction, play: Play) -> Play:
    """A play that is over, with what there is to tell about it."""
    if play.finished_at is None:
        raise RuntimeError("only a game that is over has an ending")
    is_solved = play.game.outcome is Outcome.SOLVED
    ending = Ending(news=_news(play), outlook=await _outlook(tx, play))
    if not is_solved:
        length = await earlier.length_most_solved(tx, play.player_id) or _FOR_THE_NEW
        return replace(play, ending=replace(ending, try_length=length))
    before = await earlier.find(
        tx,
        play.id,
        player_id=play.player_id,
        guild_id=play.guild_id,
        number=None if play.puzzle is None else play.puzzle.number,
        length=play.rules.length,
        finished_at=play.finished_at,
    )
    ending = replace(ending, below_par=_below_par(play), beaten=await _beaten(tx, play))
    if play.streak is not None and play.puzzle is not None and play.on_date:
        day = play.puzzle.day
        change = change_of(play.streak, day)
        grown = 0 if change is None or change.after == change.before else change.after
        ending = replace(ending, days=grown, goal=goal_of(play.streak, day))
    return replace(play, ending=replace(ending, feats=_feats(play, ending, before)))


def _feats(play: Play, ending: Ending, before: EarlierRow) -> tuple[Feat, ...]:
    """What is remarkable, the most remarkable first."""
    made, below = len(play.game.turns), ending.below_par or 0.0
    is_far = below >= _FAR
    feats = {
        Feat.LUCK: made == 1 and not play.hints,
        Feat.FIRST: before.is_first,
        Feat.FIRST_HARD: play.rules.hard and before.is_first_hard,
        Feat.BEST: _counts(play) and not play.hints and made < (before.best or 0),
        Feat.FAR_BELOW_PAR: is_far,
        Feat.FIRST_HERE: _counts_here(play) and before.has_others and before.is_first_here,
        Feat.BELOW_PAR: below > 0 and not is_far,
        Feat.LAST_GUESS: made == play.rules.max_guesses,
    }
    found = {feat for feat, is_so in feats.items() if is_so}
    if play.streak is not None and play.puzzle is not None and _counts(play):
        found |= streak_feats(play.streak, play.puzzle.day)
    return tuple(feat for feat in Feat if feat in found)


def _counts(play: Play) -> bool:
    return play.puzzle is not None and play.on_date


def _counts_here(play: Play) -> bool:
    """Whether it was solved in time where it was opened."""
    return _counts(play) and play.guild_id is not None and play.guild_id not in play.closed_in


def _below_par(play: Play) -> float | None:
    """How many guesses below par it was; None if it was not, or had hints."""
    if play.par is None or play.hints:
        return None
    # Of the par that is shown, with one digit, or the sum would look wrong.
    shown = Decimal(repr(play.par)).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
    below = float(shown - len(play.game.turns))
    return below if below >= _LEAST else None


async def _beaten(tx: Transaction, play: Play) -> Beaten | None:
    """Who is behind on the board of its date in its server, while that date is today."""
    if play.guild_id is None or play.puzzle is None:
        return None
    if not (play.is_today and _counts_here(play)):
        return None
    slot = slot_of(BoardGame.FOCDLE, Period.DAY, play.puzzle.day)
    found = await ranks.behind(tx, play.player_id, play.guild_id, slot, _MOST_NAMED)
    if not found:
        return None
    return Beaten({row.player_id: row.name for row in found}, found[0].total)


async def _outlook(tx: Transaction, play: Play) -> Outlook | None:
    """What the results of its server say of tomorrow, at its length; of today's puzzle only."""
    if play.guild_id is None or play.puzzle is None or not play.is_today:
        return None
    tomorrow = play.puzzle.day + timedelta(days=1)
    return await outlook(tx, play.guild_id, play.rules.length, tomorrow)


def _news(play: Play) -> News | None:
    """What the player must know of the streak."""
    streak: Streak | None = play.streak
    if streak is None or play.puzzle is None or not play.on_date:
        return None
    is_solved = play.game.outcome is Outcome.SOLVED
    return news_of(streak, play.puzzle.day, is_solved=is_solved, is_today=play.is_today)
