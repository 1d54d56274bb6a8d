"""What may happen to a duel, as one table: nothing else changes its state."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto
from types import MappingProxyType
from typing import Final


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
