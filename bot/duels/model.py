"""The nouns of duels, what may happen to one, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum, auto
from types import MappingProxyType
from typing import Final

from bot.games.model import SharedDailies
from bot.games.seals import Commitment
from bot.messages import N_
from bot.people.model import Face
from bot.ratings.model import HeadToHead, Rating, RatingChange, Stake
from bot.refused import OthersGameError, Refused, TextRefusedError
from engine import BullsAndCows, Code, Mode, Score, Strength, Turn


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
    DRAW_AGREED = "draw_agreed"
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
    LEAVE = auto()
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
    """Either of the two."""
    RULES = auto()
    """Nobody: it follows from what has happened, or from the time."""


@dataclass(frozen=True, slots=True)
class Transition:
    """What an event leads to.

    Attributes:
        to: the next state.
        who: who may let it happen.
        ending: how the duel ends by it; None if it goes on.
    """

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
        (State.SETTING, Event.LEAVE): _end(Who.PLAYER, Ending.WITHDRAWN),
        (State.SETTING, Event.DEADLINE): _end(Who.RULES, Ending.LAPSED),
        (State.STARTING, Event.START): Transition(State.PLAYING, Who.CHALLENGER),
        (State.STARTING, Event.LEAVE): _end(Who.PLAYER, Ending.WITHDRAWN),
        (State.STARTING, Event.DEADLINE): _end(Who.RULES, Ending.LAPSED),
        (State.PLAYING, Event.START): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.GUESS): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.OFFER_DRAW): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.DECLINE_DRAW): Transition(State.PLAYING, Who.PLAYER),
        (State.PLAYING, Event.ACCEPT_DRAW): _end(Who.PLAYER, Ending.DRAW_AGREED),
        (State.PLAYING, Event.LEAVE): _end(Who.PLAYER, Ending.WITHDRAWN),
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
    """Whether a player of a duel may let this happen now."""
    transition = TRANSITIONS.get((state, event))
    role = Who.CHALLENGER if is_challenger else Who.OPPONENT
    return transition is not None and transition.who in {role, Who.PLAYER}


REMEMBERED_FOR: Final = timedelta(days=7)
"""For how long a rated duel makes the next one of the two count less, and a deletion leaves a
rating."""


class Pace(StrEnum):
    """How long players may take."""

    LIVE = "live"
    RELAXED = "relaxed"

    @property
    def turn(self) -> timedelta:
        """How long a turn may take."""
        return timedelta(minutes=2) if self is Pace.LIVE else timedelta(hours=24)

    @property
    def setting(self) -> timedelta:
        """How long each player may take to set a secret, and the challenger to begin then."""
        return timedelta(minutes=10) if self is Pace.LIVE else timedelta(hours=24)

    @property
    def invitation(self) -> timedelta:
        """How long a challenge waits for an answer."""
        return timedelta(minutes=15) if self is Pace.LIVE else timedelta(hours=24)

    @property
    def nudge(self) -> timedelta:
        """How long a player is left in peace before being told whose turn it is."""
        return timedelta(seconds=30) if self is Pace.LIVE else timedelta()


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a duel.

    Attributes:
        player_id: the Discord user; None for the bot.
        is_ready: whether the secret is set; in a race, once there is a number to find.
        started_at: in a race, when this player's time began.
        turns: this player's guesses and their scores; empty in a race that goes on, since
            they would help the other.
        guesses: how many guesses this player has made, also then.
        is_done: whether this player has found the number or used all guesses up.
        found: whether this player has found it; False in a race that goes on.
        target: what this player was to find, which in a race is the same for both; None
            before the end, for whomever, and where the duel ended before it was played.
        taken: in a race, the time from the own start to the last guess, outages not counted.
        deadline_at: when this player is too late; None for who need not do anything now.
        rating: what it is now; None for the bot, for who is forgotten, and while it is played.
        change: what this duel did to it, once it has.
        commitment: what is shown for the number that this player has set; in a race, for the
            one of both. None before it is set, and where it is never told.
        stake: what the duel would make of the rating; only in the invitation to a rated one.
    """

    player_id: int | None
    is_ready: bool
    started_at: datetime | None
    turns: tuple[Turn[Score], ...]
    guesses: int
    is_done: bool
    found: bool
    target: Code | None
    taken: timedelta | None
    deadline_at: datetime | None
    rating: Rating | None
    change: RatingChange | None
    commitment: Commitment | None = None
    stake: Stake | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """What one player knows beyond what everybody sees; for that player alone.

    Attributes:
        turns: the own guesses and their scores, also in a race.
        own: the number that this player has set; None if there is none, as in a race.
    """

    turns: tuple[Turn[Score], ...]
    own: Code | None = field(repr=False)  # no log may have it


@dataclass(frozen=True, slots=True)
class DuelGame:
    """A duel as it stands, fit for everybody to see but for its hands.

    Attributes:
        id: what buttons call it by.
        rules: of both boards.
        mode: who may guess when, and who wins.
        pace: how long players may take.
        rated: whether it moves ratings.
        strength: how well the bot plays; None between players.
        seats: who moves first, and the other. The order was drawn when the duel was opened,
            and is nobody's business before it is played.
        challenger: the seat of who opened it, 0 or 1.
        terms: the version of what the challenge proposes; None for one of before these, whose
            numbers both come after *Accept*.
        now_until: until when who is challenged may choose to play now; None for no longer.
        state: how far it has come.
        ending: how it ended; None while it goes on.
        winner: the seat of who won; None for nobody, and while it goes on.
        to_move: the seat that may guess now, if it is only one; always None in a race.
        draw_offered_by: the seat whose offer of a draw stands.
        head_to_head: how the duels of the two went so far, in an invitation from the challenger's
            point of view, when over from the first seat's; else, and against the bot, None.
        shared: how the dailies went that both have finished, from the challenger's point of view;
            only in an invitation, and where these are enough.
        share: n, if 1/n of the change of ratings will count, as of the invitation; 1 elsewhere.
        rematch_of: the duel that this is a rematch of.
        guild_id: the Discord server; None in private.
        channel_id: where its board is.
        message_id: the message of its board; None until it is published.
        thread_id: the thread of its board, if there is one.
        nudge_message_id: the message that last told whose turn it is.
        opened_at: when the challenge was made.
        accepted_at: when it was accepted.
        playing_at: when the first turn began.
        deadline_at: when somebody is too late; None when over, or if it is for the bot.
        finished_at: when it ended.
        version: grows with every change that everybody may see.
        is_shown: whether Discord shows this version on its board, as far as is known.
        hands: by seat, what goes into that player's notebook and nowhere else.
        is_rematch: whether it is the rematch of a duel that was played; not told of one that is
            over, unless nobody accepted its invitation.
        calls: whether its invitation may ping whom it is for; of meaning only to who has just
            made it.
        has_closed: whether its acceptance has ended a game in which the bot guessed for who has
            accepted; of meaning only to them.
        face: of who has made an invitation, or of the winner, if it is known.
        of_series: whether it was begun as one of several, and is the last of them.
        draw_declined_by: the seat that has declined a draw since the last guess.
    """

    id: int
    rules: BullsAndCows
    mode: Mode
    pace: Pace
    rated: bool
    strength: Strength | None
    seats: tuple[Seat, Seat]
    challenger: int
    state: State
    ending: Ending | None
    winner: int | None
    to_move: int | None
    draw_offered_by: int | None
    head_to_head: HeadToHead | None
    rematch_of: int | None
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    thread_id: int | None
    nudge_message_id: int | None
    opened_at: datetime
    accepted_at: datetime | None
    playing_at: datetime | None
    deadline_at: datetime | None
    finished_at: datetime | None
    version: int
    is_shown: bool
    hands: tuple[Hand, Hand] = field(compare=False, repr=False)
    shared: SharedDailies | None = None
    share: int = 1
    is_rematch: bool = False
    calls: bool = field(default=True, compare=False)
    has_closed: bool = field(default=False, compare=False)
    face: Face | None = field(default=None, compare=False)
    of_series: bool = False
    draw_declined_by: int | None = None
    terms: int | None = None
    now_until: datetime | None = None

    @property
    def challenger_id(self) -> int | None:
        """Who opened it; never None."""
        return self.seats[self.challenger].player_id

    @property
    def opponent_id(self) -> int | None:
        """Who was challenged; None for the bot."""
        return self.seats[1 - self.challenger].player_id

    @property
    def is_against_bot(self) -> bool:
        """Whether one side is the bot."""
        return self.strength is not None

    @property
    def is_untouched(self) -> bool:
        """Whether it is played, and nobody has guessed; of a race, nobody can tell."""
        is_played = self.state is State.PLAYING and self.mode is not Mode.RACE
        return is_played and not any(seat.turns for seat in self.seats)

    @property
    def can_be_called_off(self) -> bool:
        """Whether either player may end it without a loss."""
        return self.state in {State.SETTING, State.STARTING} or self.is_untouched

    @property
    def is_last_chance(self) -> bool:
        """Whether who moves has one guess left, because the other has found the number."""
        return self.to_move is not None and self.seats[1 - self.to_move].found

    @property
    def was_decided_by_time(self) -> bool:
        """Whether both found the number with as many guesses, and one was faster."""
        first, second = self.seats
        return (
            self.ending is Ending.SOLVED
            and self.mode is Mode.RACE
            and first.found
            and second.found
            and first.guesses == second.guesses
        )

    def seat_of(self, player_id: int) -> int | None:
        """Which seat a player has; None for who does not play."""
        ids = [seat.player_id for seat in self.seats]
        return ids.index(player_id) if player_id in ids else None

    def waits_for(self, player_id: int) -> bool:
        """Whether it is a player's turn: to answer, to set a number, to start or to guess."""
        seat = self.seat_of(player_id)
        if seat is None or self.state is State.OVER:
            return False
        if self.state is State.INVITED:
            return seat != self.challenger
        own = self.seats[seat]
        if self.state is State.SETTING:
            return not own.is_ready
        if self.state is State.STARTING:
            return seat == self.challenger
        return not own.is_done and self.to_move != 1 - seat


@dataclass(frozen=True, slots=True)
class EndedDuel:
    """A duel that is over, and what its players are called.

    Attributes:
        game: the duel.
        names: by player, as far as they are known: those in its server, else any.
        faces: by player, as far as they are known.
    """

    game: DuelGame
    names: Mapping[int, str]
    faces: Mapping[int, Face]


@dataclass(frozen=True, slots=True)
class Notebook:
    """What a player knows; for the player alone.

    Attributes:
        game: the duel as it stands.
        seat: the player's.
        turns: the own guesses and their scores, also in a race.
        absent: the digits that are in no code that is still possible, ascending.
        remaining: how many codes are still possible; exact, at least 1.
        own: the number that this player has set; None if there is none, as in a race.
        is_bot_proven: whether a perfect bot is known to need the fewest guesses on average.
    """

    game: DuelGame
    seat: int
    turns: tuple[Turn[Score], ...]
    absent: str
    remaining: int
    own: Code | None = field(repr=False)  # no log may have it
    is_bot_proven: bool


@dataclass(frozen=True, slots=True)
class Nudge:
    """A message that is to say whose turn it is or how it ended, or one that is out of date.

    Attributes:
        game: the duel as it stands.
        player_ids: who is to be told; empty for nobody.
        previous: the message that said so last, to be deleted; None if there is none.
        nonce: by which Discord knows it when it is sent again.
        claimed_at: since when it may have been sent; None for nobody's.
    """

    game: DuelGame
    player_ids: tuple[int, ...]
    previous: int | None
    nonce: str
    claimed_at: datetime | None


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

    game: DuelGame
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
