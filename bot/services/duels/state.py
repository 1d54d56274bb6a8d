"""A duel from what is stored: its boards, whose turn it is and until when, how it ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.model.outages import Downtime
from bot.model.ratings import HeadToHead, Rating, RatingChange
from bot.services.base.commitments import Commitment, commitment
from bot.services.duels.model import DuelGame, Hand, Pace, Seat
from bot.services.duels.position import Position, Verdict, rules_of
from bot.services.duels.transitions import Ending, Event, State
from bot.storage.duels.duels import DuelRow
from engine import Code, Duel, DuelEnding, Mode, Outcome
from engine.solvers import Strength

SEATS: Final = (0, 1)

_EVENTS: Final = {
    DuelEnding.SOLVED: Event.SOLVE,
    DuelEnding.BOTH_SOLVED: Event.SOLVE_BOTH,
    DuelEnding.OUT_OF_GUESSES: Event.RUN_OUT,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of the players besides the duel.

    Attributes:
        ratings: by player.
        changes: what this duel did to them, by player.
        head_to_head: how the duels of the two went.
        challenger_name: who has made an invitation, by the name last seen in the server.
        is_rematch: whether that is for the rematch of a duel that was played.
    """

    ratings: Mapping[int, Rating]
    changes: Mapping[int, RatingChange]
    head_to_head: HeadToHead | None
    challenger_name: str = ""
    is_rematch: bool = False


def bots_turn(position: Position) -> int | None:
    """The bot's seat, if it has a guess to make now.

    In a race it follows its opponent guess by guess.
    """
    row = position.row
    if row.state != State.PLAYING or row.strength is None:
        return None
    seat = next(seat for seat in SEATS if row.seats[seat].player_id is None)
    duel = position.duel
    if not duel.may_guess(seat):
        return None
    own, other = (len(duel.games[side].turns) for side in (seat, 1 - seat))
    return seat if duel.mode is not Mode.RACE or own < other else None


def running(position: Position) -> dict[int, tuple[datetime, timedelta]]:
    """Since when somebody's time runs, by seat, and how much of it there is."""
    row = position.row
    if row.finished_at is not None:
        return {}
    pace = Pace(row.pace)
    if row.state == State.INVITED:
        challenged = next(s for s in SEATS if row.seats[s].player_id != row.challenger_id)
        return {challenged: (row.opened_at, pace.invitation)}
    if row.state == State.SETTING:
        since = row.accepted_at or row.opened_at
        return {seat: (since, pace.turn) for seat in SEATS if row.seats[seat].secret is None}
    duel, owing = position.duel, bots_turn(position)
    is_bot = [seat.player_id is None for seat in row.seats]
    return {
        seat: (_running_since(row, duel.mode, seat), pace.turn)
        for seat in SEATS
        if duel.may_guess(seat) and (not is_bot[seat] or owing is not None)
    }


def _running_since(row: DuelRow, mode: Mode, seat: int) -> datetime:
    began = row.playing_at or row.opened_at
    if mode is not Mode.RACE:
        return row.moves[-1].moved_at if row.moves else began
    own = [move.moved_at for move in row.moves if move.seat == seat]
    return own[-1] if own else row.seats[seat].started_at or began


def is_seen(position: Position, seat: int) -> bool:
    """Whether everybody may see that a player has just guessed.

    In a race, when the board was last edited would tell how often somebody has guessed; at live
    pace, where a tie goes to less time, even that somebody has finished might help the other.
    """
    row = position.row
    if row.mode != Mode.RACE.value:
        return True
    return row.pace == Pace.RELAXED and position.duel.games[seat].outcome is not None


def nudge_of(position: Position) -> tuple[int, datetime] | None:
    """The one player who is waited for, as a seat, and from when on to say so; None for nobody.

    While an offer of a draw stands, that is who has to answer it, whoever's turn it is.
    """
    row = position.row
    if row.strength is not None or row.finished_at is not None:
        return None
    if row.draw_offered_by is not None:
        return 1 - row.draw_offered_by, row.moved_at + Pace(row.pace).nudge
    waited_for = _waited_for(position)
    if len(waited_for) > 1:  # the other has just accepted, and is here
        waited_for = [s for s in waited_for if row.seats[s].player_id == row.challenger_id]
    if not waited_for:
        return None
    (seat,) = waited_for
    since, _ = running(position)[seat]
    return seat, since + Pace(row.pace).nudge


def _waited_for(position: Position) -> list[int]:
    row = position.row
    if row.state == State.SETTING:
        return [seat for seat in SEATS if row.seats[seat].secret is None]
    if row.state != State.PLAYING:
        return []
    able = [seat for seat in SEATS if position.duel.may_guess(seat)]
    if row.mode != Mode.RACE.value:
        return able
    if not_started := [seat for seat in SEATS if row.seats[seat].started_at is None]:
        return not_started
    return able if len(able) == 1 and row.pace == Pace.RELAXED else []  # as `is_seen`


def deadlines(position: Position, downtime: Downtime) -> dict[int, datetime]:
    """Until when, by seat."""
    return {seat: downtime.put_off(*since) for seat, since in running(position).items()}


def touched(
    position: Position, now: datetime, *, passes: bool = False, is_public: bool = True
) -> Position:
    """A duel after somebody has done something that does not end it.

    Args:
        position: the duel.
        now: when that was.
        passes: whether somebody else may be waited for now.
        is_public: whether everybody may see that something was done.
    """
    due = min(since + limit for since, limit in running(position).values())
    after = position.changed(moved_at=now, deadline_at=due)
    after = with_nudge(after, now) if passes else after
    return after.on_board(now) if is_public else after


def with_nudge(position: Position, now: datetime) -> Position:
    """With when to see whether somebody must be told, or a message is out of date."""
    nudge = nudge_of(position)
    at = None if nudge is None else nudge[1]
    return position.changed(nudge_at=now if position.row.nudge_message_id else at, claimed_at=None)


def taken_by(row: DuelRow, seat: int, downtime: Downtime) -> timedelta | None:
    """In a race, the time from a player's start to the last guess."""
    started_at = row.seats[seat].started_at
    own = [move.moved_at for move in row.moves if move.seat == seat]
    if started_at is None or not own:
        return None
    return own[-1] - started_at - downtime.between(started_at, own[-1])


def verdict_on(position: Position, downtime: Downtime) -> Verdict | None:
    """How a duel in which somebody has just guessed ends; None if it goes on."""
    row, outcome = position.row, position.duel.outcome
    if outcome is None:
        return None
    is_live_race = row.mode == Mode.RACE.value and row.pace == Pace.LIVE
    if outcome.ending is DuelEnding.BOTH_SOLVED and is_live_race:
        first, second = (taken_by(row, seat, downtime) for seat in SEATS)
        if first is not None and second is not None and first != second:
            return Verdict(Event.SOLVE, 0 if first < second else 1)
    return Verdict(_EVENTS[outcome.ending], outcome.winner)


def verdict_of_time(row: DuelRow, late: Mapping[int, datetime]) -> Verdict:
    """How a duel ends because somebody is too late: who was so first loses."""
    if row.state != State.PLAYING:
        return Verdict(Event.DEADLINE, None)
    is_race = row.mode == Mode.RACE.value
    if is_race and not any(seat.started_at for seat in row.seats):
        return Verdict(Event.NO_START, None)
    losers = [seat for seat, at in late.items() if at == min(late.values())]
    return Verdict(Event.DEADLINE, 1 - losers[0] if len(losers) == 1 else None)


def game_of(position: Position, standing: Standing, downtime: Downtime) -> DuelGame:
    """A duel for everybody to see."""
    row, duel = position.row, position.replayed
    mode = Mode(row.mode)
    due = deadlines(position, downtime)
    due = {seat: at for seat, at in due.items() if row.seats[seat].player_id is not None}
    first, second = (_seat_of(row, seat, duel, due.get(seat), standing, downtime) for seat in SEATS)
    is_over = row.finished_at is not None
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
        head_to_head=standing.head_to_head,
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
        challenger_name=standing.challenger_name,
        is_rematch=standing.is_rematch,
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


def commitments_of(row: DuelRow) -> tuple[Commitment | None, ...]:
    """What is shown for each number of a duel, the challenger's first."""
    challenger = 0 if row.seats[0].player_id == row.challenger_id else 1
    seats = (challenger,) if row.mode == Mode.RACE.value else (challenger, 1 - challenger)
    return tuple(commitment_of(row, seat) for seat in seats)


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
        change=standing.changes.get(player_id),
        commitment=commitment_of(row, seat),
    )
