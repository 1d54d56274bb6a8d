"""The nouns of duels, what may happen to one, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Self

from bot.games.model import Commitment, SharedDailies, commitment
from bot.people.model import Face
from bot.ratings.model import HeadToHead, Rating, RatingChange, Stake
from bot.refused import OthersGameError, Refused, TextRefusedError
from bot.text.language import N_
from engine import (
    BullsAndCows,
    Code,
    EngineError,
    Mode,
    Outcome,
    Score,
    Strength,
    Turn,
    replay_duel,
)
from engine import Duel as EngineDuel


class State(StrEnum):
    """How far a duel has come."""

    INVITED = "invited"
    """The challenge was neither accepted nor declined."""
    SETTING = "setting"
    """Accepted; a secret is still missing. A race skips this."""
    STARTING = "starting"
    """Both secrets are there; the challenger is to begin while both are here."""
    PLAYING = "playing"
    OVER = "over"


class Ending(StrEnum):
    """How a duel ended."""

    SOLVED = "solved"
    """One player won: found the number, in fewer guesses, or in a live race in less time."""
    BOTH_SOLVED = "both_solved"
    """Both found it with as many guesses: a draw."""
    OUT_OF_GUESSES = "out_of_guesses"
    """Neither found it in all their guesses: a draw."""
    RESIGNED = "resigned"
    """The loser gave up."""
    TIMED_OUT = "timed_out"
    """The loser did not move in time; if that is both at the same instant, a draw."""
    DRAW_ACCEPTED = "draw_agreed"  # as it is stored
    LAPSED = "lapsed"
    """Nobody answered the challenge, set a secret or started in time."""
    DECLINED = "declined"
    """The challenged player did not want to."""
    WITHDRAWN = "withdrawn"
    """The challenger took the challenge back, or either called it off before the first guess."""
    FORFEITED = "forfeited"
    """In a series, of which there are no more: the loser set no number. Nothing ends so now."""


class Event(StrEnum):
    """What can happen to a duel."""

    CHANGE = auto()
    """The challenger wants other terms."""
    ACCEPT = auto()
    DECLINE = auto()
    WITHDRAW = auto()
    SET_SECRET = auto()
    READY = auto()
    """Both secrets are there, and the challenger is waited for."""
    BEGIN = auto()
    """Both secrets are there, and nobody is waited for."""
    START = auto()
    """The first turn begins; in a race, a player's own time."""
    GUESS = auto()
    OFFER_DRAW = auto()
    ACCEPT_DRAW = auto()
    DECLINE_DRAW = auto()
    CALL_OFF = auto()
    """A player calls the duel off before the first guess; a race, before it begins."""
    RESIGN = auto()
    REMATCH = auto()
    DEADLINE = auto()
    """Somebody is too late."""
    NO_START = auto()
    """Somebody is too late in a race that nobody has started."""
    SOLVE = auto()
    """A guess has decided the duel for one player."""
    SOLVE_BOTH = auto()
    RUN_OUT = auto()


class Who(StrEnum):
    """Who may let it happen."""

    CHALLENGER = auto()
    OPPONENT = auto()
    PLAYER = auto()
    RULES = auto()
    """Nobody: it follows from what has happened, or from the time."""


@dataclass(frozen=True, slots=True)
class Transition:
    """What an event leads to; without an ending the duel goes on."""

    to: State
    who: Who
    ending: Ending | None = None


def _end(who: Who, ending: Ending) -> Transition:
    return Transition(State.OVER, who, ending)


TRANSITIONS: Final[Mapping[tuple[State, Event], Transition]] = MappingProxyType(
    {
        (State.INVITED, Event.CHANGE): Transition(State.INVITED, Who.CHALLENGER),
        (State.INVITED, Event.ACCEPT): Transition(State.SETTING, Who.OPPONENT),
        (State.INVITED, Event.DECLINE): _end(Who.OPPONENT, Ending.DECLINED),
        (State.INVITED, Event.WITHDRAW): _end(Who.CHALLENGER, Ending.WITHDRAWN),
        (State.INVITED, Event.DEADLINE): _end(Who.RULES, Ending.LAPSED),
        (State.SETTING, Event.SET_SECRET): Transition(State.SETTING, Who.PLAYER),
        (State.SETTING, Event.CHANGE): Transition(State.SETTING, Who.CHALLENGER),
        (State.SETTING, Event.READY): Transition(State.STARTING, Who.RULES),
        (State.SETTING, Event.BEGIN): Transition(State.PLAYING, Who.RULES),
        (State.SETTING, Event.CALL_OFF): _end(Who.PLAYER, Ending.WITHDRAWN),
        (State.SETTING, Event.DEADLINE): _end(Who.RULES, Ending.LAPSED),
        (State.STARTING, Event.START): Transition(State.PLAYING, Who.CHALLENGER),
        (State.STARTING, Event.CALL_OFF): _end(Who.PLAYER, Ending.WITHDRAWN),
        (State.STARTING, Event.DEADLINE): _end(Who.RULES, Ending.LAPSED),
        (State.PLAYING, Event.START): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.GUESS): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.OFFER_DRAW): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.DECLINE_DRAW): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.ACCEPT_DRAW): _end(Who.PLAYER, Ending.DRAW_ACCEPTED),
        (State.PLAYING, Event.CALL_OFF): _end(Who.PLAYER, Ending.WITHDRAWN),
        (State.PLAYING, Event.RESIGN): _end(Who.PLAYER, Ending.RESIGNED),
        (State.PLAYING, Event.DEADLINE): _end(Who.RULES, Ending.TIMED_OUT),
        (State.PLAYING, Event.NO_START): _end(Who.RULES, Ending.LAPSED),
        (State.PLAYING, Event.SOLVE): _end(Who.RULES, Ending.SOLVED),
        (State.PLAYING, Event.SOLVE_BOTH): _end(Who.RULES, Ending.BOTH_SOLVED),
        (State.PLAYING, Event.RUN_OUT): _end(Who.RULES, Ending.OUT_OF_GUESSES),
        (State.OVER, Event.REMATCH): Transition(State.OVER, Who.PLAYER),
    }
)
"""What may happen in which state; what is not here may not."""

_NOT_PLAYED: Final = (Ending.LAPSED, Ending.WITHDRAWN)

PLAYED: Final = tuple(
    transition.ending
    for (state, _), transition in TRANSITIONS.items()
    if state is State.PLAYING and transition.ending and transition.ending not in _NOT_PLAYED
)
"""The endings of duels that count: in ratings if they are rated, and between two players."""


def permits(state: State, event: Event, *, is_challenger: bool) -> bool:
    transition = TRANSITIONS.get((state, event))
    role = Who.CHALLENGER if is_challenger else Who.OPPONENT
    return transition is not None and transition.who in {role, Who.PLAYER}


REMEMBERED_FOR: Final = timedelta(days=7)
"""How long a rated duel makes the next of the two count less, and a deletion leaves a rating."""


class Pace(StrEnum):
    """How long players may take."""

    LIVE = "live"
    RELAXED = "relaxed"

    @property
    def turn(self) -> timedelta:
        return timedelta(minutes=2) if self is Pace.LIVE else timedelta(hours=24)

    @property
    def setting(self) -> timedelta:
        """How long each player may take to set a secret, and the challenger to begin then."""
        return timedelta(minutes=10) if self is Pace.LIVE else timedelta(hours=24)

    @property
    def invitation(self) -> timedelta:
        return timedelta(minutes=15) if self is Pace.LIVE else timedelta(hours=24)

    @property
    def nudge(self) -> timedelta:
        """How long a player is left in peace before being told whose turn it is."""
        return timedelta(seconds=30) if self is Pace.LIVE else timedelta()


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays first or second, and what the other is to find."""

    player_id: int | None
    secret: str | None = field(default=None, repr=False)  # no log may have it
    started_at: datetime | None = None
    salt: str | None = field(default=None, repr=False)
    offers: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    seat: int
    code: str
    moved_at: datetime


@dataclass(frozen=True)
class Duel:
    """A duel as it is stored, its two seats and its moves in order; for nobody to see as it is.

    What each field is stands at its column. What a seat of it shows is a `SeatView`.
    """

    id: int
    rules: BullsAndCows
    mode: Mode
    pace: Pace
    rated: bool
    strength: Strength | None
    challenger_id: int
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    thread_id: int | None
    nudge_message_id: int | None
    state: State
    draw_offered_by: int | None
    draw_declined_by: int | None
    rematch_of: int | None
    of_series: bool
    terms: int | None
    opened_at: datetime
    moved_at: datetime
    accepted_at: datetime | None
    ready_at: datetime | None
    playing_at: datetime | None
    deadline_at: datetime
    finished_at: datetime | None
    ending: Ending | None
    winner: int | None
    version: int
    stale_at: datetime | None
    nudge_at: datetime | None
    claimed_at: datetime | None
    seats: tuple[Seat, ...] = ()
    moves: tuple[Move, ...] = field(default=(), repr=False)

    @cached_property
    def replayed(self) -> EngineDuel | None:
        """The moves, played again; None before the first turn has begun.

        Raises:
            EngineError: a secret is missing.
        """
        if self.playing_at is None:
            return None
        first, second = (seat.secret for seat in self.seats)
        if first is None or second is None:
            raise EngineError("a secret is missing")
        moves = ((move.seat, move.code) for move in self.moves)
        return replay_duel(self.rules, (second, first), self.mode, moves)

    @property
    def game(self) -> EngineDuel:
        """The same of a duel that has begun, else an EngineError."""
        if self.replayed is None:
            raise EngineError("a secret is missing")
        return self.replayed

    def changed(self, **values: Any) -> Self:
        """With other values, none of which the engine knows."""
        return self.replayed_as(self.replayed, **values)

    def replayed_as(self, replayed: EngineDuel | None, **values: Any) -> Self:
        """With other values, and the moves that are played again already."""
        after = replace(self, **values)
        vars(after)["replayed"] = replayed
        return after

    def changed_seat(self, seat: int, **values: Any) -> Self:
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], **values)
        return self.changed(seats=tuple(seats))

    def seat_of(self, player_id: int) -> int | None:
        ids = [seat.player_id for seat in self.seats]
        return ids.index(player_id) if player_id in ids else None

    @property
    def challenger(self) -> int:
        """The seat of who opened it. Who moves first is nobody's business before it is played."""
        return 0 if self.seats[0].player_id == self.challenger_id else 1

    @property
    def opponent_id(self) -> int | None:
        """Who was challenged; None for the bot."""
        return self.seats[1 - self.challenger].player_id

    @property
    def is_against_bot(self) -> bool:
        return self.strength is not None

    @property
    def place_id(self) -> int:
        """The thread or channel that its board is in; 0 for none."""
        return self.thread_id or self.channel_id or 0

    @property
    def is_shown(self) -> bool:
        return self.stale_at is None

    @property
    def is_untouched(self) -> bool:
        """Whether it is played, and nobody has guessed; of a race, nobody can tell."""
        return self.state is State.PLAYING and self.mode is not Mode.RACE and not self.moves

    @property
    def can_be_called_off(self) -> bool:
        """Whether either player may end it without a loss."""
        return self.state in {State.SETTING, State.STARTING} or self.is_untouched

    @property
    def to_move(self) -> int | None:
        """The seat that may guess now, if it is only one; always None in a race."""
        if self.replayed is None or self.state is State.OVER or self.mode is Mode.RACE:
            return None
        return self.replayed.to_move

    @property
    def is_last_chance(self) -> bool:
        """Whether who moves has one guess left, because the other has found the number."""
        seat = self.to_move
        return seat is not None and self.game.games[1 - seat].outcome is Outcome.SOLVED

    @property
    def was_decided_by_time(self) -> bool:
        """Whether both found the number with as many guesses, and one was faster."""
        if self.mode is not Mode.RACE or self.ending is not Ending.SOLVED:
            return False
        first, second = self.game.games
        is_found = first.outcome is second.outcome is Outcome.SOLVED
        return is_found and len(first.turns) == len(second.turns)

    def waits_for(self, player_id: int) -> bool:
        """Whether it is a player's turn: to answer, to set a number, to start or to guess."""
        seat = self.seat_of(player_id)
        if seat is None or self.state is State.OVER:
            return False
        if self.state is State.INVITED:
            return seat != self.challenger
        if self.state is State.SETTING:
            return self.seats[seat].secret is None
        if self.state is State.STARTING:
            return seat == self.challenger
        return self.game.may_guess(seat)

    def own_turns(self, seat: int) -> tuple[Turn[Score], ...]:
        """A player's guesses and their scores; for that player alone while a race goes on."""
        return () if self.replayed is None else self.replayed.games[seat].turns

    def commitment_of(self, seat: int) -> Commitment | None:
        """What is shown for the number that a player has set; in a race, for the one of both."""
        is_over = self.finished_at is not None
        if is_over and self.playing_at is None:
            return None  # a number that nobody tried to find may be set again
        game = f"duel {self.id}"
        if self.mode is not Mode.RACE:
            game += " challenger" if seat == self.challenger else " opponent"
        return commitment(game, self.seats[seat].secret, self.seats[seat].salt, is_open=is_over)


@dataclass(frozen=True, slots=True)
class NewDuel:
    rules: BullsAndCows
    mode: Mode
    pace: Pace
    rated: bool
    strength: Strength | None
    challenger_id: int
    guild_id: int | None
    channel_id: int | None
    rematch_of: int | None = None
    terms: int | None = None


_ENUMS: Final = {"mode": Mode, "pace": Pace, "strength": Strength, "state": State, "ending": Ending}


def read(name: str, stored: Any) -> Any:
    """A field of a duel, from what its column has."""
    if name == "rules":
        return BullsAndCows.decode(stored)
    return _ENUMS[name](stored) if name in _ENUMS and stored is not None else stored


def written(value: object) -> object:
    """What the column has of a field."""
    if isinstance(value, BullsAndCows):
        return value.encode()
    return value.value if isinstance(value, Enum) else value


@dataclass(frozen=True, slots=True)
class SeatView:
    """One side of a duel, fit for everybody to see.

    Attributes:
        taken: in a race, the time from the own start to the last guess, outages not counted.
        deadline_at: when this player is too late; None for who need not do anything now.
        rating: what it is now; None for the bot, for who is forgotten, and while it is played.
        change: what this duel did to it, once it has.
        stake: what the duel would make of the rating; only in the invitation to a rated one.
    """

    duel: Duel
    number: int
    taken: timedelta | None = None
    deadline_at: datetime | None = None
    rating: Rating | None = None
    change: RatingChange | None = None
    stake: Stake | None = None

    @property
    def player_id(self) -> int | None:
        return self.duel.seats[self.number].player_id

    @property
    def started_at(self) -> datetime | None:
        """In a race, when this player's time began."""
        return self.duel.seats[self.number].started_at

    @property
    def is_ready(self) -> bool:
        """Whether the secret is set; in a race, once there is a number to find."""
        return self.duel.seats[self.number].secret is not None

    @property
    def commitment(self) -> Commitment | None:
        return self.duel.commitment_of(self.number)

    @property
    def turns(self) -> tuple[Turn[Score], ...]:
        """The guesses and their scores; none in a race that goes on: they would help the other."""
        return () if self._is_hidden else self.duel.own_turns(self.number)

    @property
    def guesses(self) -> int:
        return len(self.duel.own_turns(self.number))

    @property
    def is_done(self) -> bool:
        return self._outcome is not None

    @property
    def found(self) -> bool:
        """Whether this player has found it; False in a race that goes on."""
        return not self._is_hidden and self._outcome is Outcome.SOLVED

    @property
    def target(self) -> Code | None:
        """What this player was to find; None before the end, for whomever."""
        if self.duel.state is not State.OVER or self.duel.replayed is None:
            return None
        return Code(self.duel.replayed.games[self.number].secret)

    @property
    def _outcome(self) -> Outcome | None:
        replayed = self.duel.replayed
        return None if replayed is None else replayed.games[self.number].outcome

    @property
    def _is_hidden(self) -> bool:
        return self.duel.mode is Mode.RACE and self.duel.state is not State.OVER


@dataclass(frozen=True, slots=True)
class DuelView:
    """A duel, and what is known besides it to who looks at it now.

    Attributes:
        head_to_head: how the duels of the two went so far, in an invitation from the challenger's
            point of view, when over from the first seat's; else, and against the bot, None.
        shared: how the dailies went that both have finished, from the challenger's point of view;
            only in an invitation, and where these are enough.
        share: n, if 1/n of the change of ratings will count, as of the invitation; 1 elsewhere.
        now_until: until when who is challenged may choose to play now; None for no longer.
        is_rematch: whether it is the rematch of a duel that was played; not told of one that is
            over, unless nobody accepted its invitation.
        calls: whether its invitation may ping whom it is for; of meaning only to who has just
            made it.
        has_closed: whether its acceptance has ended a game in which the bot guessed for who has
            accepted; of meaning only to them.
        face: of who has made an invitation, or of the winner, if it is known.
    """

    duel: Duel
    seats: tuple[SeatView, SeatView]
    head_to_head: HeadToHead | None = None
    shared: SharedDailies | None = None
    share: int = 1
    now_until: datetime | None = None
    is_rematch: bool = False
    calls: bool = field(default=True, compare=False)
    has_closed: bool = field(default=False, compare=False)
    face: Face | None = field(default=None, compare=False)

    @property
    def deadline_at(self) -> datetime | None:
        """When somebody is too late; None when over, or if it is for the bot."""
        due = (seat.deadline_at for seat in self.seats if seat.deadline_at is not None)
        return min(due, default=None)

    def waits_for(self, player_id: int) -> bool:
        return self.duel.waits_for(player_id)


class WrongDigitsError(Refused):
    """A number of digits that no duel has."""

    found: int
    lowest: int
    digits: int
    """The most that there may be."""

    sentence = N_("A number has {lowest} to {digits}, not {found}.")


class CannotBeRatedError(Refused):
    """A duel that was to be rated, and must not: a classic one, or one with the bot."""

    against_bot: bool


class SelfDuelError(Refused):
    sentence = N_("You can't duel yourself. `/duel` alone plays the bot.")


class OtherBotDuelError(Refused):
    sentence = N_("Other bots don't play. `/duel` alone plays this one.")


class TooManyDuelsError(Refused):
    """A player with as many open duels as there may be."""

    duels: int

    sentence = N_("You have {duels} open, and no more fit. `/games` lists them.")


class TooManyDuelsOfPairError(Refused):
    """Two players with as many open duels as two may have."""

    player_id: int
    """The opponent."""
    duels: int

    sentence = N_("You and {player} have {duels} open, and no more fit. `/games` lists them.")


class NoSuchDuelError(Refused):
    sentence = N_("That duel is gone. Type `/duel` for a new one.")


class NotYourDuelError(OthersGameError):
    """A duel of others."""

    player_ids: tuple[int, ...]


class NotChallengedError(OthersGameError):
    """An answer to a challenge by who is not challenged."""

    player_id: int
    """Who is."""
    is_own: bool
    """Whether it is the challenger's answer."""


class NotChallengerError(OthersGameError):
    """A challenge that somebody else would have to change or take back."""

    player_id: int
    """Who could."""

    sentence = N_("Only {player} can do that.")


class DuelStateError(Refused):
    """Base of what cannot be done as things are."""

    view: DuelView
    """How they are."""


class DuelOverError(DuelStateError):
    sentence = N_("This duel is over.")


class DuelGoesOnError(DuelStateError):
    sentence = N_("Ask for a rematch when this one is over.")


class NotAcceptedYetError(DuelStateError):
    """The challenge was not accepted yet."""


class AlreadyUnderWayError(DuelStateError):
    """The challenge was accepted, and can be neither declined nor withdrawn."""


class TermsChangedError(DuelStateError):
    """An answer to other terms than the challenge has by now."""


class NowPassedError(DuelStateError):
    sentence = N_("The first 15 minutes are over: a move a day is left.")


class HasBegunError(DuelStateError):
    sentence = N_("The duel has begun. You can still resign; then your opponent wins.")


class NotBegunError(DuelStateError):
    sentence = N_("The duel has not begun. Call it off instead; then nobody wins.")


class SecretsMissingError(DuelStateError):
    """Nobody can guess yet, because a secret is missing."""


class StartMissingError(DuelStateError):
    """Nobody can guess yet, because the challenger has not begun."""


class SecretFixedError(DuelStateError):
    """The player's secret is set already, or it is a race, where nobody sets one."""


class NoRaceError(DuelStateError):
    sentence = N_("There is nothing to start: you guess in turn.")


class NotStartedError(DuelStateError):
    sentence = N_("Press **Start** first: your time begins with it.")


class NoDrawOfferedError(DuelStateError):
    """An answer to an offer of a draw that does not stand, or is one's own."""


class NoDrawWithBotError(DuelStateError):
    sentence = N_("I agree to no draw. Play on, or resign.")


class ForgottenOpponentError(DuelStateError):
    sentence = N_(
        "The other player has deleted their data. Type `/duel` to challenge somebody else."
    )


class NowhereToPostError(DuelStateError):
    sentence = N_(
        "The duel's channel is gone, or closed to me. Type `/games` in another channel of that "
        "server, or play on from here."
    )


class SecretRefusedError(DuelStateError, TextRefusedError):
    """A text that can be no secret in this duel."""


class DuelRefusedError(DuelStateError, TextRefusedError):
    """A guess that was not played."""


class NumberRefusedError(TextRefusedError):
    """A text that is no number for the bot, or another player, to find."""

    rules: BullsAndCows
    """What it should be."""


class NewNumberError(Refused):
    """Terms that the challenger's number does not fit."""

    rules: BullsAndCows
    """What it should be."""
