"""The nouns of races: the race, its seats, its post, boards, reasons of refusal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from typing import Any, Final, Self, cast

from bot.focdle.model import Play
from bot.games.model import Channel, Commitment, commitment
from bot.outages import Downtime
from bot.people.model import Choices, Face
from bot.refused import Refused, TextRefusedError
from bot.text.language import N_
from engine import (
    BullsAndCows,
    Code,
    ContradictionError,
    FalseEquationError,
    Focdle,
    Game,
    Mastermind,
    Outcome,
    decode,
    replay,
)

Rules = Focdle | Mastermind | BullsAndCows

MOST_PLAYERS: Final = 20
STARTS_AFTER: Final = timedelta(seconds=60)
"""The wait for more players, once there are two."""
LAPSES_AFTER: Final = timedelta(minutes=5)
"""The wait for a second player."""
IDLES: Final = timedelta(minutes=3)
"""How long a started race waits for its first guess."""
LASTS: Final = timedelta(minutes=10)
PAUSE: Final = timedelta(seconds=30)
"""The time between two rounds of an evening, unless all are ready."""
LONGEST: Final = LAPSES_AFTER + STARTS_AFTER + LASTS
HOUR: Final = timedelta(hours=1)
HOLDS: Final = timedelta(minutes=20)
"""How long one member's races hold a channel within `HOUR`, while others wait to open one."""
WAITS: Final = timedelta(minutes=2)
"""How long after a race others who were refused one count as waiting."""
ROUNDS: Final = (3, 5)
"""How many rounds an evening can have."""
POINTS: Final = {1: 5, 2: 3, 3: 2}
"""What a place in a round gives; any other gives 1."""

UNPOSTED: Final = "unposted"
"""What a race that was opened on the page shows until the bot has posted it."""


class Stage(StrEnum):
    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"


class Ending(StrEnum):
    FINISHED = "finished"
    CALLED_OFF = "called_off"
    LAPSED = "lapsed"


class SeatOutcome(StrEnum):
    SOLVED = "solved"
    LOST = "lost"
    LEFT = "left"
    """The player's data were deleted."""


@dataclass(frozen=True, slots=True)
class RaceSeat:
    """A player in a race.

    Attributes:
        seat: the seat's number, from 0.
        finished_at: the time at which the player solved the puzzle, ran out of guesses or left.
        outcome: None while the player may guess, and for a player who ran out of time.
        place: 1 for the winner; None before the end, and for a player who has not solved it.
        points: those of the evening's rounds before this one.
        is_away: whether the player made no guess in the round before: nobody waits for them.
        is_ready: whether the player was ready for this round, in the pause before it.
    """

    seat: int
    player_id: int
    joined_at: datetime
    finished_at: datetime | None = None
    outcome: SeatOutcome | None = None
    place: int | None = None
    guesses: tuple[str, ...] = ()
    points: int = 0
    is_away: bool = False
    is_ready: bool = False

    @property
    def is_done(self) -> bool:
        """True if the round can end without this player."""
        return self.outcome is not None or (self.is_away and not self.guesses)

    @property
    def score(self) -> int:
        """The points of the evening so far."""
        return self.points + (0 if self.place is None else POINTS.get(self.place, 1))


@dataclass(frozen=True, slots=True)
class Race:
    """A puzzle that some players race at; or one round of an evening.

    Attributes:
        id: the race's number, which ids of buttons contain.
        guild_id: the server; None once the server's data are deleted.
        channel_id: the channel; None once the server's data are deleted.
        message_id: the post; None until it is sent, and once it is the next round's.
        follows: the id of the round before; None in a first one.
        rounds: how many the evening has; 1 for a race alone.
        first_at: the time at which the evening's first round was opened.
        salt: the salt of the race's commitment.
        second_at: the time at which a second player joined; None while there is no second.
        shown: the `RaceView.state` that the post shows, or `UNPOSTED`.
        is_awaited: whether somebody else was refused a race in the channel because of this one.
        freed: how many players were in before the start, and have deleted their data.
        seats: the players in the order of joining.
    """

    id: int
    opener_id: int
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    follows: int | None
    rounds: int
    round: int
    rules: Rules
    secret: str = field(repr=False)  # no log may have it
    salt: str = field(repr=False)
    first_at: datetime
    opened_at: datetime
    second_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    ending: Ending | None
    shown: str
    is_awaited: bool
    freed: int
    seats: tuple[RaceSeat, ...]

    @classmethod
    def stored(cls, rules: str, ending: str | None, **columns: Any) -> Self:
        """Make a race from the columns of a stored row; `rules` and `ending` are texts there."""
        return cls(
            rules=cast("Rules", decode(rules)), ending=Ending(ending) if ending else None, **columns
        )

    @property
    def stage(self) -> Stage:
        if self.finished_at is not None:
            return Stage.OVER
        return Stage.LOBBY if self.started_at is None else Stage.RUNNING

    @property
    def channel(self) -> Channel:
        return Channel(self.guild_id or 0, self.channel_id or 0)

    @property
    def guesses(self) -> int:
        """The number of guesses of all players together."""
        return sum(len(seat.guesses) for seat in self.seats)

    @property
    def version(self) -> int:
        """A number that grows with whatever happens, such as a guess or the end of a board."""
        stage = (Stage.LOBBY, Stage.RUNNING, Stage.OVER).index(self.stage)
        joined_and_left = len(self.seats) + 3 * self.freed  # a seat, which may have been ready
        return joined_and_left + self.guesses + self.signs + stage

    @property
    def signs(self) -> int:
        """How many players have said that they are ready, and how many are done."""
        return sum(seat.is_ready + (seat.outcome is not None) for seat in self.seats)

    @property
    def commitment(self) -> Commitment | None:
        is_over = self.stage is Stage.OVER
        return commitment(f"race {self.id}", self.secret, self.salt, is_open=is_over)

    def seat_of(self, player_id: int) -> RaceSeat | None:
        return next((seat for seat in self.seats if seat.player_id == player_id), None)

    def game(self, seat: RaceSeat) -> Game[Any]:
        return replay(self.rules, self.secret, seat.guesses)

    def feedback(self, guess: str) -> Any:
        """The marks or the score of a guess."""
        return self.rules.feedback(guess, self.secret)

    @property
    def _waits(self) -> timedelta:
        return STARTS_AFTER if self.round == 1 else PAUSE

    @property
    def is_early(self) -> bool:
        """True if players have started it before its time."""
        if self.started_at is None or self.second_at is None:
            return False
        return self.started_at < self.second_at + self._waits

    def due_at(self, downtime: Downtime) -> datetime:
        """The time at which the race starts, lapses or ends by itself; outages put it off."""
        if self.started_at is not None:
            return downtime.end_of(self.started_at, LASTS if self.guesses else IDLES)
        if self.second_at is not None:
            return downtime.end_of(self.second_at, self._waits)
        return downtime.end_of(self.opened_at, LAPSES_AFTER)

    def told_until(self, downtime: Downtime) -> datetime:
        """The time that players are told: as `due_at`, but a race that runs is to have a guess."""
        if self.started_at is None:
            return self.due_at(downtime)
        return downtime.end_of(self.started_at, LASTS)

    def settled(self, now: datetime, downtime: Downtime) -> Self:
        """The race after the start, lapse or end that is due; this same object if none is."""
        if self.stage is Stage.OVER:
            return self
        due = self.due_at(downtime)
        if now < due:
            return self
        if self.started_at is not None:
            return self.ended(Ending.FINISHED, due, downtime)
        if self.second_at is not None:
            return replace(self, started_at=now)  # nobody could guess before
        return self.ended(Ending.LAPSED, due, downtime)

    def guessed(self, seat: RaceSeat, game: Game[Any], now: datetime, downtime: Downtime) -> Self:
        """The race after a guess, which ends it if nobody can guess any more."""
        done = replace(seat, guesses=tuple(turn.guess for turn in game.turns))
        if game.outcome is not None:
            is_solved = game.outcome is Outcome.SOLVED
            outcome = SeatOutcome.SOLVED if is_solved else SeatOutcome.LOST
            done = replace(done, outcome=outcome, finished_at=now)
        return self.with_seat(done, now, downtime)

    def with_seat(self, seat: RaceSeat, now: datetime, downtime: Downtime) -> Self:
        """The race with a changed seat; it is over if nobody can guess any more."""
        seats = tuple(seat if each.seat == seat.seat else each for each in self.seats)
        race = replace(self, seats=seats)
        if all(each.is_done for each in seats):
            return race.ended(Ending.FINISHED, now, downtime)
        return race

    def readied(self, seat: RaceSeat, now: datetime) -> Self:
        """The next round after one player is ready; it starts if nobody is waited for any more."""
        seats = tuple(replace(each, is_ready=each.is_ready or each is seat) for each in self.seats)
        is_on = all(each.is_ready or each.is_away for each in seats)
        return replace(self, seats=seats, started_at=now if is_on else None)

    def goes_on(self, downtime: Downtime) -> bool:
        """True if another round is to follow; false again once it does."""
        if self.ending is not Ending.FINISHED or self.round == self.rounds:
            return False
        is_held = self.message_id is not None and self.guild_id is not None
        is_played = any(
            seat.guesses and seat.outcome is not SeatOutcome.LEFT for seat in self.seats
        )
        lasts = HOLDS if self.is_awaited else HOUR - PAUSE - LASTS
        over_at = self.finished_at or self.opened_at
        return is_held and is_played and over_at < downtime.end_of(self.first_at, lasts)

    def next_seats(self, now: datetime) -> list[RaceSeat]:
        """The seats of the round that follows: of all but those who have left."""
        stay = [seat for seat in self.seats if seat.outcome is not SeatOutcome.LEFT]
        return [
            RaceSeat(n, seat.player_id, now, points=seat.score, is_away=not seat.guesses)
            for n, seat in enumerate(stay)
        ]

    def ended(self, ending: Ending, at: datetime, downtime: Downtime) -> Self:
        """The race after its end; if `FINISHED`, players who solved the puzzle get places."""
        race = replace(self, ending=ending, finished_at=at)
        if ending is not Ending.FINISHED:
            return race
        scores = {
            seat.seat: (len(seat.guesses), self.taken(seat, downtime))
            for seat in self.seats
            if seat.outcome is SeatOutcome.SOLVED
        }
        places = {
            number: 1 + sum(other < score for other in scores.values())
            for number, score in scores.items()
        }
        seats = tuple(replace(seat, place=places.get(seat.seat)) for seat in self.seats)
        return replace(race, seats=seats)

    def taken(self, seat: RaceSeat, downtime: Downtime) -> timedelta:
        """The whole seconds from the start until a player was done, less outages; 0 until then."""
        if self.started_at is None or seat.finished_at is None:
            return timedelta()
        away = downtime.between(self.started_at, seat.finished_at)
        taken = seat.finished_at - self.started_at - away
        return timedelta(seconds=int(taken.total_seconds()))


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race as the channel sees it.

    Attributes:
        until: the time that players are told: when the race starts, lapses or ends by itself.
        names: the players' names in the server, where known.
        faces: the players' avatars, where known.
        taken: the time until each player was done, by seat.
        before: the round before, in the pause after it; else None.
        claimed_at: the time of this process's claim to edit the post; None without a claim.
        next_id: the id of the last round of the same evening or, where this was that, of the race
            that is open now in the channel; None without one.
        goes_on: whether it is a round of the same evening.
    """

    race: Race
    until: datetime
    names: Mapping[int, str] = field(default_factory=dict[int, str])
    faces: Mapping[int, Face] = field(default_factory=dict[int, Face])
    taken: Mapping[int, timedelta] = field(default_factory=dict[int, timedelta])
    before: "RaceView | None" = None
    claimed_at: datetime | None = None
    next_id: int | None = None
    goes_on: bool = False

    def waits_for(self, player_id: int) -> bool:
        """True if it has started, and the player may guess."""
        seat = self.race.seat_of(player_id)
        return self.race.stage is Stage.RUNNING and seat is not None and seat.outcome is None

    @property
    def state(self) -> str:
        """What the post should show, in short: it is outdated if `Race.shown` differs."""
        race = self.race
        if race.stage is Stage.OVER:
            return race.stage.value
        seconds = int(self.until.timestamp())
        return f"{race.stage}.{len(race.seats)}.{race.guesses}.{race.signs}.{seconds}"

    @property
    def ranked(self) -> list[RaceSeat]:
        """The seats with a guess: first those with a place, then others in the order of joining."""
        made = [seat for seat in self.race.seats if seat.guesses]
        return sorted(made, key=lambda seat: (seat.place is None, seat.place or 0))

    @property
    def scored(self) -> list[RaceSeat]:
        """The seats with points in an evening, the most first."""
        found = self.race.seats if self.race.rounds > 1 else ()
        return sorted((seat for seat in found if seat.score), key=lambda seat: -seat.score)

    @property
    def podium(self) -> list[tuple[int, RaceSeat]]:
        """The best three of an evening that is over, with their places; empty for a race alone."""
        race, best = self.race, self.scored[:3]
        is_last = race.stage is Stage.OVER and race.message_id is not None
        if not is_last or race.ending is Ending.CALLED_OFF:
            return []
        return [(1 + sum(other.score > seat.score for other in best), seat) for seat in best]


@dataclass(frozen=True, slots=True)
class RaceBoard:
    """A player's private board.

    Attributes:
        choices: the player's preferences, such as tiles, and which guesses to confirm.
    """

    view: RaceView
    seat: RaceSeat
    choices: Choices

    @property
    def race(self) -> Race:
        return self.view.race

    @property
    def is_on(self) -> bool:
        """True if the player may guess."""
        return self.race.stage is Stage.RUNNING and self.seat.outcome is None

    @property
    def game(self) -> Game[Any]:
        return self.race.game(self.seat)

    def play(self, rules: Focdle) -> Play:
        """The board as a play of FoCdle that has no hints and does not count."""
        return Play(
            id=self.race.id,
            player_id=self.seat.player_id,
            puzzle=None,
            rules=rules,
            game=self.game,
            salt=None,
            guild_id=self.race.guild_id,
            zone="UTC",
            opened_at=self.seat.joined_at,
            finished_at=self.seat.finished_at,
            on_date=False,
            seen_at=self.seat.joined_at,
            choices=self.choices,
            title=N_("Race: FoCdle"),
        )


@dataclass(frozen=True, slots=True)
class RaceCounts:
    """In how many finished races a player has guessed, and how many of these the player has won."""

    played: int = 0
    won: int = 0


class Choosing(Enum):
    """A game to race at; the values are those of the command's option."""

    FOCDLE = "focdle"
    MASTERMIND = "mastermind"
    BULLS = "bulls"

    def rules(self, length: int | None = None) -> Rules:
        """The rules of a race; `length` is that of a FoCdle, None for the usual one.

        Raises:
            NoSuchLengthError: no FoCdle has this length.
            OneLengthError: the game is another.
        """
        if length is not None and self is not Choosing.FOCDLE:
            raise OneLengthError
        match self:
            case Choosing.FOCDLE:
                return Focdle() if length is None else Focdle(length)
            case Choosing.MASTERMIND:
                return Mastermind()
            case Choosing.BULLS:
                return BullsAndCows(max_guesses=12)  # the rows of twenty fit into one message


class RaceGuessRefusedError(TextRefusedError):
    board: RaceBoard

    @property
    def probe(self) -> Code | None:
        """The guess, if it was refused only as a warning that its player asked for; else None."""
        cause = self.cause
        is_asked = isinstance(cause, FalseEquationError | ContradictionError)
        return cause.guess if is_asked else None


class OneLengthError(Refused):
    sentence = N_("Only FoCdle races have a `length`.")


class RaceOpenError(Refused):
    sentence = N_("A race is already open here. Join it, or wait.")


class OthersWaitError(Refused):
    again_at: datetime

    sentence = N_("Somebody else may open the next race here. Try again {again_at}.")


class NoSuchRaceError(Refused):
    sentence = N_("That race is gone. Open a new one!")


class RaceFullError(Refused):
    players: int

    sentence = N_("This race is full: {players} are in. Watch, and join the next.")


class RaceBegunError(Refused):
    sentence = N_("This race has begun. Watch, and join the next.")


class RaceOverError(Refused):
    sentence = N_("This race is over. The post shows its result.")


class NotBegunYetError(Refused):
    starts_at: datetime

    sentence = N_("It starts {starts_at}.")


class NotInRaceError(Refused):
    sentence = N_("You're not in this race.")


class AloneError(Refused):
    sentence = N_("Races need two players. Wait until somebody joins.")


class NotOpenerError(Refused):
    starts_at: datetime

    sentence = N_("Only whoever opened it can start it now. It starts {starts_at}.")


class NotYoursToCallOffError(Refused):
    sentence = N_("Managers can call a race off; so can whoever opened it, until the first guess.")


@dataclass(frozen=True, slots=True)
class FinishedRace:
    """A finished race in which the player who lists it has guessed.

    Attributes:
        place: the player's place; None if they have not solved the puzzle.
        players: the number of players who have guessed.
        guesses: the player's own number of guesses.
    """

    id: int
    finished_at: datetime
    rules: Rules
    place: int | None
    players: int
    guesses: int

    @property
    def kind(self) -> str:
        return "race"

    @classmethod
    def stored(cls, *, rules: str, **rest: Any) -> Self:
        return cls(rules=cast("Rules", decode(rules)), **rest)
