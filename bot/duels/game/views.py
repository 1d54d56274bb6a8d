"""A duel as everybody sees it, with what is shown for its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.duels.game.position import Position, rules_of
from bot.duels.game.turns import SEATS, deadlines, now_until, taken_by
from bot.duels.model.duel import DuelGame, Hand, Pace, Seat
from bot.duels.model.transitions import Ending, State
from bot.duels.store.duels import DuelRow
from bot.games.game.seals import Commitment, commitment
from bot.games.model.rivals import SharedDailies
from bot.outages import Downtime
from bot.people.model.faces import Face
from bot.ratings.model.ratings import HeadToHead, Rating, RatingChange, Stake
from engine import Code, Duel, Mode, Outcome, Strength


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of the players besides the duel.

    Attributes:
        ratings: by player.
        changes: what this duel did to them, by player.
        head_to_head: how the duels of the two went.
        shared: how the dailies went that both have finished; only in an invitation.
        share: n, if 1/n of a change of ratings will count; only in an invitation.
        stakes: by player, what the duel would make of a rating; only in an invitation.
        is_rematch: whether that is for the rematch of a duel that was played.
        face: of who has made an invitation, or of the winner, if it is known.
    """

    ratings: Mapping[int, Rating]
    changes: Mapping[int, RatingChange]
    head_to_head: HeadToHead | None
    shared: SharedDailies | None = None
    share: int = 1
    stakes: Mapping[int, Stake] = field(default_factory=dict[int, Stake])
    is_rematch: bool = False
    face: Face | None = None


def game_of(position: Position, standing: Standing, downtime: Downtime, now: datetime) -> DuelGame:
    """A duel for everybody to see."""
    row, duel = position.row, position.replayed
    mode = Mode(row.mode)
    due = deadlines(position, downtime)
    due = {seat: at for seat, at in due.items() if row.seats[seat].player_id is not None}
    first, second = (_seat_of(row, seat, duel, due.get(seat), standing, downtime) for seat in SEATS)
    is_over = row.finished_at is not None
    until = now_until(row, downtime)
    return DuelGame(
        id=row.id,
        rules=rules_of(row),
        mode=mode,
        pace=Pace(row.pace),
        rated=row.rated,
        strength=None if row.strength is None else Strength(row.strength),
        seats=(first, second),
        challenger=0 if first.player_id == row.challenger_id else 1,
        state=State(row.state),
        ending=None if row.ending is None else Ending(row.ending),
        winner=row.winner,
        to_move=None if duel is None or is_over or mode is Mode.RACE else duel.to_move,
        draw_offered_by=row.draw_offered_by,
        draw_declined_by=row.draw_declined_by,
        head_to_head=standing.head_to_head,
        shared=standing.shared,
        share=standing.share,
        rematch_of=row.rematch_of,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        message_id=row.message_id,
        thread_id=row.thread_id,
        nudge_message_id=row.nudge_message_id,
        opened_at=row.opened_at,
        accepted_at=row.accepted_at,
        playing_at=row.playing_at,
        deadline_at=min(due.values(), default=None),
        finished_at=row.finished_at,
        version=row.version,
        is_shown=row.stale_at is None,
        is_rematch=standing.is_rematch,
        face=standing.face,
        of_series=row.of_series,
        terms=row.terms,
        now_until=until if until is not None and now < until else None,
        hands=(_hand_of(position, 0), _hand_of(position, 1)),
    )


def _hand_of(position: Position, seat: int) -> Hand:
    turns = () if position.replayed is None else position.replayed.games[seat].turns
    own = None if position.row.mode == Mode.RACE.value else position.row.seats[seat].secret
    return Hand(turns, None if own is None else Code(own))


def commitment_of(row: DuelRow, seat: int) -> Commitment | None:
    """What is shown for the number that a player has set; in a race, for the one of both."""
    stored, is_over = row.seats[seat], row.finished_at is not None
    if is_over and row.playing_at is None:
        return None  # a number that nobody tried to find may be set again
    game = f"duel {row.id}"
    if row.mode != Mode.RACE.value:
        is_challenger = stored.player_id == row.challenger_id
        game += " challenger" if is_challenger else " opponent"
    return commitment(game, stored.secret, stored.salt, is_open=is_over)


def seats_of_numbers(row: DuelRow) -> tuple[int, ...]:
    """The seats that have a number each, the challenger's first; in a race, one for both."""
    challenger = 0 if row.seats[0].player_id == row.challenger_id else 1
    return (challenger,) if row.mode == Mode.RACE.value else (challenger, 1 - challenger)


def _seat_of(
    row: DuelRow,
    seat: int,
    duel: Duel | None,
    deadline_at: datetime | None,
    standing: Standing,
    downtime: Downtime,
) -> Seat:
    stored = row.seats[seat]
    is_over = row.finished_at is not None
    game = None if duel is None else duel.games[seat]
    is_hidden = row.mode == Mode.RACE.value and not is_over
    turns = () if game is None else game.turns
    player_id = stored.player_id or 0
    return Seat(
        player_id=stored.player_id,
        is_ready=stored.secret is not None,
        started_at=stored.started_at,
        turns=() if is_hidden else turns,
        guesses=len(turns),
        is_done=game is not None and game.outcome is not None,
        found=not is_hidden and game is not None and game.outcome is Outcome.SOLVED,
        target=Code(game.secret) if game is not None and is_over else None,
        taken=taken_by(row, seat, downtime),
        deadline_at=deadline_at,
        rating=standing.ratings.get(player_id),
        change=_told(standing, player_id),
        commitment=commitment_of(row, seat),
        stake=standing.stakes.get(player_id),
    )


def _told(standing: Standing, player_id: int) -> RatingChange | None:
    """What the duel did to a rating; whether that is new, whom the player has met by now says."""
    change, rating = standing.changes.get(player_id), standing.ratings.get(player_id)
    if change is None or rating is None:
        return change
    known = replace(change.after, opponents=rating.opponents, dates=rating.dates)
    return replace(change, after=known)
