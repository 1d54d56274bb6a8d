"""Reasons why what a player asks for is not done: facts as fields, and how a sentence has them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, ClassVar, Final, dataclass_transform

from bot.errors import BotError
from bot.text import counts
from bot.text.language import N_, long_date, say
from bot.text.markup import code, mention, relative_time
from engine import BullsAndCows, CodeGame, EngineError, NotationError, Problem, RepeatedGuessError


class Speech(Enum):
    """Kinds of public messages that the bot sends on a member's behalf."""

    RESULT = "result"
    """Of a daily."""
    GAME = "game"
    """The result of any other game."""
    CHALLENGE = "challenge"
    REMATCH = "rematch"
    BOARD = "board"
    """The board of a game that goes on, once more."""
    STATISTICS = "statistics"
    LEADERBOARD = "leaderboard"


@dataclass_transform(kw_only_default=True, eq_default=False)
class Refused(BotError):  # noqa: N818 - it names what has happened; reasons name what is wrong
    """Base of all reasons why what a player asks for is not done.

    A reason declares its facts as fields, and its sentence with the facts' names in braces. As text
    it has its name alone, because what players type may be a secret.
    """

    sentence: ClassVar[str] = ""
    """What the player is told; empty where more than the facts decides about it."""

    def __init_subclass__(cls) -> None:
        """Make the fields what the reason is raised with, each by its name."""
        super().__init_subclass__()
        dataclass(eq=False, repr=False, kw_only=True)(cls)

    def told(self) -> str:
        """What the player is told where more than the facts decides about it, in their language.

        Empty where `sentence` has it. Functions of pages make the rest: of what is wrong with a
        typed text, which takes tables, and of reasons that stand below the words they need.
        """
        return ""

    def __str__(self) -> str:
        return type(self).__name__


class TextRefusedError(Refused):
    """Base of what is typed and cannot be taken; it costs nothing."""

    text: str
    cause: EngineError


class NothingChosenError(Refused):
    sentence = N_("Nothing was chosen.")


class OutdatedError(Refused):
    """Something that this version does not offer: from an older one, or made up."""

    what: str
    """For the log; nothing that was typed."""

    sentence = N_("That is from an older version. Try `/games` or `/focdle`.")


class NotYoursError(Refused):
    sentence = N_("That is somebody else's. Try `/play` for your own.")


class OthersGameError(Refused):
    """Base of reasons that name whose game it is."""

    guild_id: int | None
    """The server in which everybody sees it, so that they may be named there; None for no such."""


class TooFastError(Refused):
    sentence = N_("That was fast. Wait a few seconds; nothing was lost.")


class WorkshopFullError(Refused):
    sentence = N_("Many charts are being drawn. Try again in a minute.")


class AlreadyDrawingError(Refused):
    sentence = N_("Your last chart is still being drawn.")


class ForgottenMeanwhileError(Refused):
    sentence = N_("That has just changed. Try again.")


class WorkshopFailedError(Refused):
    sentence = N_("That did not work. Nothing was lost; try again in a minute.")


class NoSuchDailyLengthError(Refused):
    """A length that dailies do not have."""

    length: int
    shortest: int
    symbols: int
    """The most that a daily has."""

    sentence = N_("Dailies have {shortest} to {symbols}, none has {length}.")


class UnknownZoneError(Refused):
    """A text that names no zone."""

    text: str
    proposals: list[str]
    """Up to 25 zones that may have been meant, the likeliest first."""


class ZoneTooSoonError(Refused):
    """An own zone changed twice within a week."""

    again_at: datetime

    sentence = N_("Your time zone can change again {again_at}.")


class HardModeMidGameError(Refused):
    """Hard mode switched while today's puzzle is under way."""

    number: int
    """The puzzle's."""

    sentence = N_("Finish today's puzzle, number {number}, first.")


class NotAllowedError(Refused):
    sentence = N_("Settings need the permission Manage Server.")


class MayNotSpeakError(Refused):
    """A public message on behalf of a member who may not write in that channel."""

    speech: Speech
    channel_id: int
    elsewhere: tuple[int, ...] = ()
    """Channels of that server in which the member may write, if any were found."""


class NoServerError(Refused):
    sentence = N_(
        "Challenges need a server that I'm in. Here you can play me: `/duel`, `/mastermind play`."
    )


class NotWantedError(Refused):
    """An invitation to somebody who wants none: from anybody, or from who asks."""

    player_id: int

    sentence = N_("{player} takes no challenges. Try somebody else, or `/duel` to play me.")


class AskedTooSoonError(Refused):
    """An invitation to somebody whom this player has asked of late: it is about that one alone.

    Beyond what a player may ask of all others together is `AskedTooOftenError`.
    """

    player_id: int
    again_at: datetime
    has_declined: bool
    """Whether they have declined one, or else accepted none of several."""


class AskedTooOftenError(Refused):
    """An invitation, to whomever, beyond those of an hour that nobody has accepted.

    About one of those who were asked is `AskedTooSoonError`.
    """

    again_at: datetime


class EnoughGamesError(Refused):
    """A game that counts for nothing, beyond those that a player may begin on one day."""

    games: int
    """How many there were."""
    again_at: datetime

    sentence = N_(
        "That's {games} just for fun today. The next one: {again_at}. Those you began go on."
    )


class NotAMemberError(Refused):
    """A challenge to somebody who is not on the server."""

    player_id: int

    sentence = N_("{player} is not in this server.")


class CannotSeeChannelError(Refused):
    """A challenge to somebody who would not see it."""

    player_id: int
    channel_id: int

    sentence = N_("{player} cannot see {channel}. Try another channel.")


class AtStakeError(Refused):
    """Base of why the bot breaks no code like those of a game that counts and goes on."""

    rules: CodeGame
    """What it is to break a code of."""


class RankedGameError(AtStakeError):
    """The bot's guesses could help in a ranked Mastermind."""

    game_id: int
    """The ranked game."""
    is_sealable: bool
    """Whether a code could be sealed instead."""


class RatedDuelError(AtStakeError):
    """The bot's guesses could help in a rated duel."""

    duel_id: int
    player_id: int
    """The opponent."""
    numbers: BullsAndCows
    """What both numbers are."""


class NeverSealedError(Refused):
    sentence = N_("This game has no seal.")


class NotFinishedError(Refused):
    sentence = N_("Share it when it is over.")


class AlreadySharedError(Refused):
    sentence = N_("You shared this here already.")


class BeingSharedError(Refused):
    """A result that is being posted to this channel, as far as anybody knows."""

    again_at: datetime
    """When it may be posted again if it is not there."""

    sentence = N_("You just shared this here. Not there? Press **Share** again {again_at}.")


class SharedTooOftenError(Refused):
    """A result beyond those that a player may share within an hour."""

    again_at: datetime

    sentence = N_("Three shared this hour. The next one: {again_at}. Today's puzzle goes any time.")


class StatsHiddenError(Refused):
    """Statistics of somebody else, who chose to be hidden."""

    player_id: int

    sentence = N_("They keep their statistics to themselves.")


class StatsOfStrangerError(Refused):
    """Statistics of somebody with whom who asks shares no server."""

    player_id: int

    sentence = N_("Try `/stats member` in a server you share.")


Sentence = str | Callable[[Any], str]
"""What a refusal says: a message with its facts, or what makes one where it depends on them."""
Sentences = Mapping[type[Exception], Sentence]

Message = str | Callable[[int], str]
"""What is wrong with a text: a message, or the one for so many symbols too few or too many."""
Mistakes = Mapping[Problem | type[RepeatedGuessError], Message]

_BY_NAME: Final[Mapping[str, Callable[[int], str]]] = {
    "player_id": mention,
    "channel_id": "<#{}>".format,
    "role_id": "<@&{}>".format,
    "digits": counts.digits,
    "duels": counts.duels,
    "games": counts.games,
    "pegs": counts.pegs,
    "symbols": counts.symbols,
}
_BY_TYPE: Final[Mapping[type, Callable[[Any], str]]] = {
    int: str,
    str: code,
    datetime: relative_time,
    date: long_date,
}


#: Between two symbols of a guess, in any game, stands a character that nobody can see.
_INVISIBLE: Final = N_(
    "{text}: something invisible stands at place {position} ({symbol}). Type it anew."
)


def written(error: Exception) -> dict[str, str]:
    """The facts of a refusal by their placeholders' names: `player_id` is written as `player`.

    Left out are facts that are None and whole games: a sentence that needs them is a function.
    """
    facts: dict[str, str] = {}
    for name, fact in vars(error).items():
        write = _BY_NAME.get(name) or _BY_TYPE.get(fact.__class__)
        if write is not None and fact is not None:
            facts[name.removesuffix("_id")] = write(fact)
    return facts


def mistake(error: TextRefusedError, messages: Mistakes, **facts: str) -> str:
    """What is wrong with a text; its game's own facts are said with it.

    Positions, places and turns count from 1.
    """
    cause = error.cause
    found = {**written(error), **written(cause), **facts}
    if isinstance(cause, RepeatedGuessError):
        return _said(messages[RepeatedGuessError], 0, found | {"turn": str(cause.turn + 1)})
    if not isinstance(cause, NotationError):
        # The engine has no other refusals; a new one must be worded by its game.
        raise TypeError(f"no words for {type(cause).__name__}") from cause
    message = {Problem.INVISIBLE: _INVISIBLE, **messages}[cause.problem]
    difference = abs(cause.found - cause.wanted)
    found["difference"] = str(difference)
    found["symbols"] = counts.symbols(cause.found)
    found["position"] = str(cause.position + 1)
    found["place"] = str(cause.place + 1)
    return _said(message, difference, found)


def _said(message: Message, difference: int, facts: Mapping[str, str]) -> str:
    if isinstance(message, str):
        return say(message, **facts)
    return message(difference).format(**facts)
