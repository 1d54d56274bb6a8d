"""A duel at one moment: what each act makes of it, whose turn it is, what everybody sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Self

from bot.duels.model import (
    TRANSITIONS,
    CannotBeRatedError,
    DuelGame,
    Ending,
    Event,
    Hand,
    Pace,
    Seat,
    State,
    WrongDigitsError,
)
from bot.duels.store import DuelRow, MoveRow, NewDuel
from bot.games.model import SharedDailies
from bot.games.seals import Commitment, commitment
from bot.outages import Downtime
from bot.people.model import Face
from bot.ratings.model import HeadToHead, Rating, RatingChange, Stake
from bot.ratings.store import ChoiceRow
from engine import (
    BullsAndCows,
    Code,
    Duel,
    DuelEnding,
    EngineError,
    Mode,
    Outcome,
    Strength,
    replay_duel,
)

DIGITS: Final = (3, 6)
"""The fewest and the most."""
ROUNDS: Final = 30
MODES: Final = (Mode.EQUAL_TURNS, Mode.CLASSIC)
"""What a new duel can be: no race, though those that stand are played out."""
STRENGTHS: Final = (Strength.CASUAL, Strength.SHARP, Strength.PERFECT)
"""The bot's, the weakest first."""
NEXT_STRENGTH: Final = {Strength.CASUAL: Strength.SHARP, Strength.SHARP: Strength.PERFECT}
"""The next strength of the bot; there is none above the perfect one's."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a duel is to be, perhaps one that there is not.

    Attributes:
        digits: of each secret.
        repeats: whether a digit may be in a secret more than once.
        mode: who may guess when, and who wins.
        rated: whether it moves ratings; None for yes where that is allowed.
        strength: how well the bot plays, where it plays.
    """

    digits: int = 4
    repeats: bool = False
    mode: Mode = Mode.EQUAL_TURNS
    rated: bool | None = None
    strength: Strength = Strength.CASUAL

    def rules(self) -> BullsAndCows:
        """The rules of both boards.

        Raises:
            WrongDigitsError: there are none.
        """
        lowest, highest = DIGITS
        if not lowest <= self.digits <= highest:
            raise WrongDigitsError(found=self.digits, lowest=lowest, digits=highest)
        return BullsAndCows(self.digits, self.repeats, ROUNDS)

    def is_rated(self, *, against_bot: bool) -> bool:
        """Whether such a duel moves ratings.

        Raises:
            CannotBeRatedError: it is asked to, and must not.
        """
        may_be = self.mode is not Mode.CLASSIC and not against_bot
        if self.rated and not may_be:
            raise CannotBeRatedError(against_bot=against_bot)
        return may_be if self.rated is None else self.rated


def chosen(row: ChoiceRow) -> Options:
    """What was chosen for a duel that is stored.

    One that could not be rated says nothing of whether the next is to be.
    """
    rules, mode = BullsAndCows.decode(row.rules), _offered(row.mode)
    is_open = row.rated or mode is Mode.CLASSIC
    return Options(rules.digits, rules.repeats, mode, rated=None if is_open else False)


def strength_to_try(records: Mapping[Strength, HeadToHead]) -> Strength:
    """The weakest strength that a player has not beaten more often than lost to; else the best."""
    for strength in STRENGTHS:
        record = records.get(strength)
        if record is None or record.won <= record.lost:
            return strength
    return STRENGTHS[-1]


def _offered(mode: str) -> Mode:
    """A stored mode, in place of a race equal turns."""
    stored = Mode(mode)
    return stored if stored in MODES else Mode.EQUAL_TURNS


def again(row: DuelRow, player_id: int, *, stronger: bool) -> NewDuel:
    """The same duel once more, by a player's wish; the bot plays better if it is to and can."""
    strength = row.strength
    if stronger and strength is not None:
        strength = NEXT_STRENGTH.get(Strength(strength), strength)
    return NewDuel(
        rules=row.rules,
        mode=_offered(row.mode).value,
        pace=Pace.RELAXED,
        rated=row.rated,
        strength=strength,
        challenger_id=player_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        rematch_of=row.id,
        terms=0 if strength is None else None,
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a duel ends.

    Attributes:
        event: by what.
        winner: the seat of who wins; None for nobody.
        by_deletion: whether the loser is about to be forgotten, and loses rating from which
            nobody gains.
    """

    event: Event
    winner: int | None
    by_deletion: bool = False


def rules_of(row: DuelRow) -> BullsAndCows:
    """The rules of a duel."""
    return BullsAndCows.decode(row.rules)


def seat_of(row: DuelRow, player_id: int) -> int | None:
    """Which seat a player has."""
    ids = [seat.player_id for seat in row.seats]
    return ids.index(player_id) if player_id in ids else None


def duel_of(row: DuelRow) -> Duel:
    """The moves of a duel, played again.

    Raises:
        EngineError: a secret is missing.
    """
    first, second = (seat.secret for seat in row.seats)
    if first is None or second is None:
        raise EngineError("a secret is missing")
    moves = ((move.seat, move.code) for move in row.moves)
    return replay_duel(rules_of(row), (second, first), Mode(row.mode), moves)


@dataclass(frozen=True, slots=True)
class Position:
    """A duel at one moment.

    Attributes:
        row: what is stored of it.
        replayed: the same as the engine knows it; None before both secrets are there.
    """

    row: DuelRow
    replayed: Duel | None

    @classmethod
    def of(cls, row: DuelRow) -> Self:
        """A duel as it was read, its moves played again."""
        return cls(row, None if row.playing_at is None else duel_of(row))

    @property
    def duel(self) -> Duel:
        """The duel's moves.

        Raises:
            EngineError: a secret is missing.
        """
        if self.replayed is None:
            raise EngineError("a secret is missing")
        return self.replayed

    def changed(self, **values: Any) -> Self:
        """With other values, none of which the engine knows."""
        return replace(self, row=replace(self.row, **values))

    def changed_seat(self, seat: int, **values: Any) -> Self:
        """With other values of one side."""
        seats = list(self.row.seats)
        seats[seat] = replace(seats[seat], **values)
        return self.changed(seats=tuple(seats))

    def accepted(self, now: datetime, pace: str, number: str, salt: str) -> Self:
        """After its challenge was accepted, with a number where the bot is to set one."""
        state = TRANSITIONS[State.INVITED, Event.ACCEPT].to
        is_race = self.row.mode == Mode.RACE.value
        after = self.changed(state=state.value, accepted_at=now, pace=pace)
        for seat, stored in enumerate(self.row.seats):
            if is_race or stored.player_id is None:
                after = after.changed_seat(seat, secret=number, salt=salt)
        return after.begun(now) if is_race else after

    @property
    def waits_for_start(self) -> bool:
        """Whether the challenger is to begin once both secrets are there: both are to be here."""
        return self.row.terms is not None and self.row.pace == Pace.LIVE

    def made_ready(self, now: datetime) -> Self:
        """From when on the challenger is waited for: both secrets are there."""
        state = TRANSITIONS[State.SETTING, Event.READY].to
        return self.changed(state=state.value, ready_at=now)

    def begun(self, now: datetime) -> Self:
        """From when on it is played: both secrets are there."""
        state = TRANSITIONS[State.SETTING, Event.BEGIN].to
        row = replace(self.row, state=state.value, playing_at=now)
        return self.of(row)

    def offered(self, seat: int, **values: Any) -> Self:
        """After an offer that a player has made, with these values."""
        offers = self.row.seats[seat].offers + 1
        return self.changed(**values).changed_seat(seat, offers=offers)

    def calls_to_answer(self, seat: int) -> bool:
        """Whether a player's offer calls the other: the first one since the last guess."""
        return self.row.seats[seat].offers <= 1

    def guessed(self, seat: int, code: Code, now: datetime) -> Self:
        """After a guess; any offer of a draw, and that one was declined, is off then.

        Raises:
            EngineError: as `Duel.guess`.
        """
        moves = (*self.row.moves, MoveRow(seat, code, now))
        after = replace(self, replayed=self.duel.guess(seat, code))
        after = after.changed_seat(0, offers=0).changed_seat(1, offers=0)
        return after.changed(moves=moves, draw_offered_by=None, draw_declined_by=None)

    @property
    def is_untouched(self) -> bool:
        """Whether it is played, and nobody has guessed; of a race, nobody can tell."""
        row = self.row
        return row.state == State.PLAYING and row.mode != Mode.RACE.value and not row.moves

    def ended(self, verdict: Verdict, finished_at: datetime) -> Self:
        """After its end; what was called off was never played."""
        ending = TRANSITIONS[State(self.row.state), verdict.event].ending
        if ending is None:
            raise RuntimeError(f"{verdict.event} ends nothing")
        after = self
        if verdict.event is Event.LEAVE:
            after = replace(self, replayed=None).changed(playing_at=None)
        return after.changed(
            state=State.OVER.value,
            draw_offered_by=None,
            draw_declined_by=None,
            ending=ending.value,
            winner=verdict.winner,
            finished_at=finished_at,
        )

    def on_board(self, now: datetime) -> Self:
        """With a public board that says something else now, if it has one."""
        if self.row.strength is not None:
            return self  # a duel with the bot has none
        after = self.changed(version=self.row.version + 1)
        return after if self.row.message_id is None else after.changed(stale_at=now)


SEATS: Final = (0, 1)

_CHOOSING: Final = timedelta(minutes=5)
"""How long who has just accepted is left in peace with the form for a number."""

_ENDED_BY_GUESS: Final = {Ending.SOLVED, Ending.BOTH_SOLVED, Ending.OUT_OF_GUESSES}
_EVENTS: Final = {
    DuelEnding.SOLVED: Event.SOLVE,
    DuelEnding.BOTH_SOLVED: Event.SOLVE_BOTH,
    DuelEnding.OUT_OF_GUESSES: Event.RUN_OUT,
}


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
        return {1 - _challenger(row): (row.opened_at, pace.invitation)}
    if row.state == State.SETTING:
        since = row.accepted_at or row.opened_at
        return {seat: (since, pace.setting) for seat in SEATS if row.seats[seat].secret is None}
    if row.state == State.STARTING:
        return {_challenger(row): (row.ready_at or row.opened_at, pace.setting)}
    duel, owing = position.duel, bots_turn(position)
    is_bot = [seat.player_id is None for seat in row.seats]
    return {
        seat: (_running_since(row, duel.mode, seat), pace.turn)
        for seat in SEATS
        if duel.may_guess(seat) and (not is_bot[seat] or owing is not None)
    }


def _challenger(row: DuelRow) -> int:
    return next(seat for seat in SEATS if row.seats[seat].player_id == row.challenger_id)


def now_until(row: DuelRow, downtime: Downtime) -> datetime | None:
    """Until when who is challenged may choose to play now; None where there is no such choice."""
    if row.state != State.INVITED or row.terms is None:
        return None
    return downtime.put_off(row.opened_at, Pace.LIVE.invitation)


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


def nudge_of(position: Position) -> tuple[tuple[int, ...], datetime] | None:
    """Who is to be told something, as seats, and from when on; None for nobody.

    While a duel goes on, that is the one player who is waited for. While an offer of a draw
    stands, it is who has to answer it, whoever's turn it is, unless it is not the first one since
    the last guess. At the end it is who has not ended the duel, and may be looking elsewhere.
    """
    row = position.row
    if row.strength is not None:
        return None
    if row.finished_at is not None:
        told = _told_of_end(row)
        return (told, row.finished_at) if told else None
    offered_by = row.draw_offered_by
    if offered_by is not None and position.calls_to_answer(offered_by):
        return (1 - offered_by,), row.moved_at + Pace(row.pace).nudge
    waited_for = _waited_for(position)
    if len(waited_for) > 1:  # the other has just accepted, and is here
        waited_for = [s for s in waited_for if row.seats[s].player_id == row.challenger_id]
    if not waited_for:
        return None
    (seat,) = waited_for
    since, _ = running(position)[seat]
    if row.state == State.SETTING and row.terms is not None:
        return (seat,), since + _CHOOSING
    # Who has one guess left would not expect it, and at live pace has two minutes.
    is_last = position.replayed is not None and position.replayed.has_one_guess(seat)
    return (seat,), since if is_last else since + Pace(row.pace).nudge


def _told_of_end(row: DuelRow) -> tuple[int, ...]:
    """The seats of who may not have seen the end of a duel that was accepted."""
    if row.accepted_at is None or row.ending == Ending.WITHDRAWN:
        return ()
    if row.ending in _ENDED_BY_GUESS:
        return (1 - row.moves[-1].seat,)
    if row.ending == Ending.RESIGNED and row.winner is not None:
        return (row.winner,)
    return SEATS


def _waited_for(position: Position) -> list[int]:
    row = position.row
    if row.state == State.SETTING:
        return [seat for seat in SEATS if row.seats[seat].secret is None]
    if row.state == State.STARTING:
        return [_challenger(row)]
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
    until = now_until(position.row, Downtime())
    if until is not None and until > now:
        due = min(due, until)
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
