"""Nouns of duels, their transitions, and reasons of refusal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Self

from bot.games.model import Channel, Commitment, SharedDailies, commitment
from bot.people.model import Face
from bot.ratings.model import HeadToHead, Rating, RatingChange, Stake
from bot.refused import NotYoursError, OthersGameError, Refused, TextRefusedError
from bot.text.language import N_, _, listing, say
from bot.text.markup import mention
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
    INVITED = "invited"
    """The challenge waits for an answer."""
    SETTING = "setting"
    """The player of a duel with the bot has yet to set a number."""
    PLAYING = "playing"
    OVER = "over"


class Ending(StrEnum):
    SOLVED = "solved"
    """Only the winner found the number, or in fewer guesses."""
    BOTH_SOLVED = "both_solved"
    """Both players found the number in the same number of guesses: a draw."""
    OUT_OF_GUESSES = "out_of_guesses"
    """Neither player found the number, and no guess is left: a draw."""
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"
    """The loser did not move in time."""
    DRAW_ACCEPTED = "draw_agreed"  # the stored string
    LAPSED = "lapsed"
    """Nobody answered the challenge in time."""
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """The challenger withdrew the challenge, or a player called the duel off before any guess."""


class Event(StrEnum):
    CHANGE = auto()
    ACCEPT = auto()
    DECLINE = auto()
    WITHDRAW = auto()
    SET_SECRET = auto()
    GUESS = auto()
    OFFER_DRAW = auto()
    ACCEPT_DRAW = auto()
    DECLINE_DRAW = auto()
    CALL_OFF = auto()
    """A player calls the duel off before the first guess."""
    RESIGN = auto()
    REMATCH = auto()
    DEADLINE = auto()
    SOLVE = auto()
    """A guess, or a missed last chance, has decided the duel for one player."""
    SOLVE_BOTH = auto()
    RUN_OUT = auto()


class Cause(StrEnum):
    """The one who may cause an event."""

    CHALLENGER = auto()
    OPPONENT = auto()
    PLAYER = auto()
    RULES = auto()
    """Nobody: the event follows from the rules or from a deadline."""


@dataclass(frozen=True, slots=True)
class Transition:
    """What an event leads to; `ending` is None if the event does not end the duel."""

    to: State
    cause: Cause
    ending: Ending | None = None


def _end(cause: Cause, ending: Ending) -> Transition:
    return Transition(State.OVER, cause, ending)


TRANSITIONS: Final[Mapping[tuple[State, Event], Transition]] = MappingProxyType(
    {
        (State.INVITED, Event.CHANGE): Transition(State.INVITED, Cause.CHALLENGER),
        (State.INVITED, Event.ACCEPT): Transition(State.PLAYING, Cause.OPPONENT),
        (State.INVITED, Event.DECLINE): _end(Cause.OPPONENT, Ending.DECLINED),
        (State.INVITED, Event.WITHDRAW): _end(Cause.CHALLENGER, Ending.WITHDRAWN),
        (State.INVITED, Event.DEADLINE): _end(Cause.RULES, Ending.LAPSED),
        (State.SETTING, Event.SET_SECRET): Transition(State.PLAYING, Cause.CHALLENGER),
        (State.SETTING, Event.CHANGE): Transition(State.SETTING, Cause.CHALLENGER),
        (State.SETTING, Event.CALL_OFF): _end(Cause.CHALLENGER, Ending.WITHDRAWN),
        (State.PLAYING, Event.GUESS): Transition(State.PLAYING, Cause.PLAYER),
        (State.PLAYING, Event.OFFER_DRAW): Transition(State.PLAYING, Cause.PLAYER),
        (State.PLAYING, Event.DECLINE_DRAW): Transition(State.PLAYING, Cause.PLAYER),
        (State.PLAYING, Event.ACCEPT_DRAW): _end(Cause.PLAYER, Ending.DRAW_ACCEPTED),
        (State.PLAYING, Event.CALL_OFF): _end(Cause.PLAYER, Ending.WITHDRAWN),
        (State.PLAYING, Event.RESIGN): _end(Cause.PLAYER, Ending.RESIGNED),
        (State.PLAYING, Event.DEADLINE): _end(Cause.RULES, Ending.TIMED_OUT),
        (State.PLAYING, Event.SOLVE): _end(Cause.RULES, Ending.SOLVED),
        (State.PLAYING, Event.SOLVE_BOTH): _end(Cause.RULES, Ending.BOTH_SOLVED),
        (State.PLAYING, Event.RUN_OUT): _end(Cause.RULES, Ending.OUT_OF_GUESSES),
        (State.OVER, Event.REMATCH): Transition(State.OVER, Cause.PLAYER),
    }
)
PLAYED: Final = tuple(
    transition.ending
    for (state, _), transition in TRANSITIONS.items()
    if state is State.PLAYING and transition.ending and transition.ending is not Ending.WITHDRAWN
)
"""Endings of duels that count, for the head-to-head record and, if rated, for ratings."""


def permits(state: State, event: Event, *, is_challenger: bool) -> bool:
    transition = TRANSITIONS.get((state, event))
    cause = Cause.CHALLENGER if is_challenger else Cause.OPPONENT
    return transition is not None and transition.cause in {cause, Cause.PLAYER}


RATED_WITHIN: Final = timedelta(days=7)
"""The time in which only the first few duels that the same two accept are rated."""


class Friendly(StrEnum):
    """Why a duel is friendly, not rated."""

    CHOSEN = auto()
    """By its challenger, or as it is classic or with the bot."""
    YOUNG = auto()
    """A player's account is not old enough."""
    OFTEN = auto()
    """The two have accepted as many as are rated."""


TURN: Final = timedelta(hours=24)
"""How long a turn lasts, and how long a challenge stands."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The player who moves first or second, None for the bot; the other has to find `secret`."""

    player_id: int | None
    secret: str | None = field(default=None, repr=False)  # never logged
    salt: str | None = field(default=None, repr=False)
    offers: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    seat: int
    code: str
    moved_at: datetime


@dataclass(frozen=True)
class Duel:
    id: int
    rules: BullsAndCows
    mode: Mode
    friendly: bool
    rated: bool
    strength: Strength | None
    challenger_id: int
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    nudge_message_id: int | None
    state: State
    draw_offered_by: int | None
    draw_declined_by: int | None
    rematch_of: int | None
    terms: int
    opened_at: datetime
    moved_at: datetime
    accepted_at: datetime | None
    playing_at: datetime | None
    deadline_at: datetime | None
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
        """The engine's duel after all moves; None if play has not begun, or if it was called off.

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
        if self.replayed is None:
            raise EngineError("a secret is missing")
        return self.replayed

    def changed(self, **values: Any) -> Self:
        """Copy the duel with other values, which must not affect the replayed game: it is kept."""
        return self.replayed_as(self.replayed, **values)

    def replayed_as(self, replayed: EngineDuel | None, **values: Any) -> Self:
        """Copy the duel with other values, and with `replayed` as its replayed game."""
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
    def player_ids(self) -> tuple[int, ...]:
        """The ids of both players, the first mover's first; without the bot."""
        return tuple(seat.player_id for seat in self.seats if seat.player_id is not None)

    @property
    def challenger(self) -> int:
        """The challenger's seat. It is secret before play, since it tells who moves first."""
        return 0 if self.seats[0].player_id == self.challenger_id else 1

    @property
    def opponent_id(self) -> int | None:
        return self.seats[1 - self.challenger].player_id

    @property
    def is_against_bot(self) -> bool:
        return self.strength is not None

    @property
    def is_shown(self) -> bool:
        return self.stale_at is None

    @property
    def is_untouched(self) -> bool:
        """True if the duel is being played and nobody has guessed yet."""
        return self.state is State.PLAYING and not self.moves

    @property
    def can_be_called_off(self) -> bool:
        """True if either player may call the duel off, so that nobody wins."""
        return self.state is State.SETTING or self.is_untouched

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None before play begins, and at the end."""
        if self.replayed is None or self.state is State.OVER:
            return None
        return self.replayed.to_move

    @property
    def is_last_chance(self) -> bool:
        """True if the player to move has one guess left, as the other has found the number."""
        seat = self.to_move
        return seat is not None and self.game.games[1 - seat].outcome is Outcome.SOLVED

    def has_found(self, seat: int) -> bool:
        """True if the other's last guess decides: this player has nothing left to do."""
        return self.is_last_chance and self.to_move != seat

    def waits_for(self, player_id: int) -> bool:
        seat = self.seat_of(player_id)
        if seat is None or self.state is State.OVER:
            return False
        if self.state is State.INVITED:
            return seat != self.challenger
        if self.state is State.SETTING:
            return self.seats[seat].secret is None
        return seat == self.to_move

    def own_turns(self, seat: int) -> tuple[Turn[Score], ...]:
        """The guesses of the player of a seat, and their scores."""
        return () if self.replayed is None else self.replayed.games[seat].turns

    def commitment_of(self, seat: int) -> Commitment | None:
        """The commitment to the secret of a seat.

        None without a secret or a salt, and at the end of a duel that never began or was called
        off.
        """
        is_over = self.finished_at is not None
        if is_over and self.playing_at is None:
            return None  # a number that nobody tried to find may be set again
        side = "challenger" if seat == self.challenger else "opponent"
        game = f"duel {self.id} {side}"
        return commitment(game, self.seats[seat].secret, self.seats[seat].salt, is_open=is_over)


@dataclass(frozen=True, slots=True)
class NewDuel:
    rules: BullsAndCows
    mode: Mode
    friendly: bool
    strength: Strength | None
    challenger_id: int
    guild_id: int | None
    channel_id: int | None
    rematch_of: int | None = None


@dataclass(frozen=True, slots=True)
class Seek:
    """A card in a channel by which a player looks for an opponent, who is to find `secret`.

    Attributes:
        message_id: the card's message; None while none is noted.
        ends_at: when it lapses, or was withdrawn: from then on nobody can accept it.
    """

    id: int
    player_id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    rules: BullsAndCows
    mode: Mode
    friendly: bool
    secret: str
    opened_at: datetime
    ends_at: datetime

    @property
    def place(self) -> Channel:
        return Channel(self.guild_id, self.channel_id)


_ENUMS: Final = {"mode": Mode, "strength": Strength, "state": State, "ending": Ending}


def read(name: str, stored: Any) -> Any:
    if name == "rules":
        return BullsAndCows.decode(stored)
    return _ENUMS[name](stored) if name in _ENUMS and stored is not None else stored


def written(value: object) -> object:
    if isinstance(value, BullsAndCows):
        return value.encode()
    return value.value if isinstance(value, Enum) else value


@dataclass(frozen=True, slots=True)
class SeatView:
    """One side of a duel, with what is known of its player now.

    Attributes:
        rating: the present rating; None for the bot, deleted players, and during play.
        stake: the possible changes of the rating; only in an invitation that would be rated now.
    """

    duel: Duel
    number: int
    rating: Rating | None = None
    change: RatingChange | None = None
    stake: Stake | None = None

    @property
    def player_id(self) -> int | None:
        return self.duel.seats[self.number].player_id

    @property
    def commitment(self) -> Commitment | None:
        return self.duel.commitment_of(self.number)

    @property
    def turns(self) -> tuple[Turn[Score], ...]:
        return self.duel.own_turns(self.number)

    @property
    def guesses(self) -> int:
        return len(self.turns)

    @property
    def found(self) -> bool:
        """True if this player has found the number."""
        replayed = self.duel.replayed
        return replayed is not None and replayed.games[self.number].outcome is Outcome.SOLVED

    @property
    def target(self) -> Code | None:
        """The number that this player looks for.

        None until the duel is over, and if it never began or was called off.
        """
        if self.duel.state is not State.OVER or self.duel.replayed is None:
            return None
        return self.duel.replayed.games[self.number].secret


@dataclass(frozen=True, slots=True)
class DuelView:
    """A duel with the facts around it, as they are now.

    Attributes:
        head_to_head: the record of the two players, the challenger first in an invitation, the
            first mover at the end; None in between, and against the bot.
        shared: the comparison of their dailies, the challenger first; only in an invitation,
            with enough dailies, and if neither player is hidden.
        friendly: why the duel would be friendly if it were accepted now; None if it would be rated,
            and outside invitations.
        deadline_at: when the challenge lapses, or the mover loses; None against the bot.
        is_rematch: whether it is the rematch of a played duel; always false once an accepted
            duel has ended.
        has_closed: whether this viewer has just accepted the duel, and that has ended a game
            in which the bot guessed their code.
    """

    duel: Duel
    seats: tuple[SeatView, SeatView]
    head_to_head: HeadToHead | None = None
    shared: SharedDailies | None = None
    friendly: Friendly | None = None
    deadline_at: datetime | None = None
    is_rematch: bool = False
    has_closed: bool = field(default=False, compare=False)
    face: Face | None = field(default=None, compare=False)

    def waits_for(self, player_id: int) -> bool:
        return self.duel.waits_for(player_id)


class WrongDigitsError(Refused):
    found: int
    lowest: int
    digits: int
    sentence = N_("A number has {lowest} to {digits}, not {found}.")


class SelfDuelError(Refused):
    sentence = N_("You can't duel yourself. Challenge me!")


class OtherBotDuelError(Refused):
    sentence = N_("Other bots don't play. I do!")


class TooManyDuelsError(Refused):
    duels: int

    sentence = N_("You have {duels} open. Finish one first.")


class TooManyDuelsOfPairError(Refused):
    player_id: int
    duels: int

    sentence = N_("You and {player} have {duels} open. Finish one first.")


class BusySeekerError(Refused):
    """The player who looks for an opponent has too many open duels by now."""

    player_id: int

    sentence = N_("{player} has too many duels open.")


class OwnBlockError(Refused):
    """The player has blocked the one whose card they want to accept."""

    player_id: int

    sentence = N_("You aren't taking challenges from {player}.")


class NoSuchSeekError(Refused):
    sentence = N_("That card is gone. Post a new one.")


class OwnSeekError(Refused):
    seek_id: int
    channel_id: int

    sentence = N_("You're already looking for an opponent in {channel}.")


class OpenSeekError(Refused):
    """Another member's card is open in the channel."""

    seek_id: int
    player_id: int

    sentence = N_("{player} is already looking for an opponent here.")


class NoSuchDuelError(Refused):
    sentence = N_("That duel is gone. Start a new one.")


class NotYourDuelError(OthersGameError):
    player_ids: tuple[int, ...]

    def told(self) -> str:
        if len(self.player_ids) == 1:  # against the bot, or as nobody else may be named
            return say(NotYoursError.sentence)
        players = listing(map(mention, self.player_ids))
        return _("This duel is between {players}. Start your own!").format(players=players)


class NotChallengedError(OthersGameError):
    """Only the challenged player may answer the challenge."""

    player_id: int
    is_own: bool
    """True if the challenger tried to answer."""

    def told(self) -> str:
        words = _("This challenge is for {player}. Start your own!")
        if self.is_own:
            words = _("{player} must answer first. You can still withdraw.")
        return words.format(player=mention(self.player_id))


class NotChallengerError(OthersGameError):
    """Only the challenger may change or withdraw the challenge."""

    player_id: int
    sentence = N_("Only {player} can do that.")


class DuelStateError(Refused):
    view: DuelView


class DuelOverError(DuelStateError):
    sentence = N_("This duel is over.")


class DuelGoesOnError(DuelStateError):
    sentence = N_("Ask for a rematch when this duel is over.")


class NotAcceptedYetError(DuelStateError):
    def told(self) -> str:
        opponent = mention(self.view.duel.opponent_id or 0)
        return _("The duel begins when {player} accepts.").format(player=opponent)


class AlreadyUnderWayError(DuelStateError):
    def told(self) -> str:
        if self.view.duel.can_be_called_off:
            return _("It's been accepted. Until the first guess, either of you can call it off.")
        return _("It's been accepted. You can still resign.")


class TermsChangedError(DuelStateError):
    """The terms of the challenge have changed since the player saw them."""


class HasBegunError(DuelStateError):
    sentence = N_("The duel has begun. If you resign, your opponent wins.")


class NotBegunError(DuelStateError):
    sentence = N_("The duel hasn't begun. Call it off, and nobody loses.")


class SecretMissingError(DuelStateError):
    sentence = N_("Set your number first.")


class SecretFixedError(DuelStateError):
    sentence = N_("Your number is already set.")


class NoDrawOfferedError(DuelStateError):
    def told(self) -> str:
        if self.view.duel.draw_offered_by is not None:
            return _("Your opponent must answer. You can take your offer back.")
        if self.view.duel.draw_declined_by is not None:
            return _("The draw was declined.")
        return _("The draw offer is gone.")


class NoDrawWithBotError(DuelStateError):
    sentence = N_("I don't accept draws. Play on, or resign.")


class ForgottenOpponentError(DuelStateError):
    sentence = N_("Your opponent has deleted their data. Challenge somebody else!")


class NowhereToPostError(DuelStateError):
    sentence = N_("The duel's channel is gone, or closed to me. Keep playing here.")


class DuelRefusedError(DuelStateError, TextRefusedError):
    pass


class NumberRefusedError(TextRefusedError):
    """The typed text is no number by these rules."""

    rules: BullsAndCows


class NewNumberError(Refused):
    """The number that the challenger has set does not fit the new options."""

    rules: BullsAndCows


class Result(Enum):
    """How a duel ended for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


_RESULTS: Final = {True: Result.WON, None: Result.DRAWN, False: Result.LOST}


@dataclass(frozen=True, slots=True)
class FinishedDuel:
    """A finished duel, as one of its players lists it.

    Attributes:
        strength: the strength of the bot; None between players.
        opponent_id: the other player; None for the bot.
        result: how it ended for the player who lists it.
        guesses: the winner's number of guesses; after a draw, that of seat 0.
    """

    id: int
    finished_at: datetime
    rules: BullsAndCows
    mode: Mode
    strength: Strength | None
    opponent_id: int | None
    ending: Ending
    result: Result
    guesses: int

    @property
    def kind(self) -> str:
        return "duel"

    @classmethod
    def stored(
        cls,
        *,
        rules: str,
        mode: str,
        strength: str | None,
        ending: str,
        result: bool | None,
        **rest: Any,
    ) -> Self:
        """Make a duel of a stored row.

        `result` is true for a win, None for a draw, false for a loss; `rest` are the other fields.
        """
        return cls(
            rules=BullsAndCows.decode(rules),
            mode=Mode(mode),
            strength=None if strength is None else Strength(strength),
            ending=Ending(ending),
            result=_RESULTS[result],
            **rest,
        )
