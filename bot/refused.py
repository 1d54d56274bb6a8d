"""Base of reasons of refusal: facts as fields, which a sentence has as placeholders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar, Final, dataclass_transform

from bot.errors import BotError
from bot.text import counts
from bot.text.language import N_, _, listing, long_date, ngettext, say
from bot.text.markup import code, mention, printable, relative_time
from engine import BullsAndCows, CodeGame, EngineError, NotationError, Problem, RepeatedGuessError


@dataclass_transform(kw_only_default=True, eq_default=False)
class Refused(BotError):  # noqa: N818 - it names what has happened; reasons name what is wrong
    """A reason why a player's wish is refused.

    A subclass declares its facts as fields, and its sentence with the facts' names in braces. Its
    text for logs is only its name, because what players type may be a secret.
    """

    sentence: ClassVar[str] = ""
    """The sentence for the player; empty where `told` or a feature's pages write it."""

    def __init_subclass__(cls) -> None:
        """Turn each subclass into a dataclass with keyword fields."""
        super().__init_subclass__()
        dataclass(eq=False, repr=False, kw_only=True)(cls)

    def told(self) -> str:
        """Write the sentence, in the player's language, where one `sentence` is not enough.

        Its wording depends on the facts, or facts must be formatted first. The result is empty for
        classes with a `sentence`, and for those whose sentence a feature's pages write.
        """
        return ""

    def __str__(self) -> str:
        return type(self).__name__


class TextRefusedError(Refused):
    """The game does not accept the typed text; it costs the player nothing."""

    text: str
    cause: EngineError


class NothingChosenError(Refused):
    sentence = N_("Nothing was chosen.")


class OutdatedError(Refused):
    """The clicked id, command or option is forged, or unknown to this version of the bot."""

    what: str
    """The kind of what is outdated, for the log, without any typed text."""

    sentence = N_("That's from an older version. Open the game again.")


class MovedOnError(Refused):
    """The game has changed since the player saw its board."""

    sentence = N_("This board has moved on.")


class NotYoursError(Refused):
    sentence = N_("That's somebody else's. Open one of your own.")


class OthersGameError(Refused):
    """The player may not do this to a game of others; the sentence names these players."""

    guild_id: int | None
    """The server where everybody sees the game, so that its players may be named; None for no
    server.
    """


class TooFastError(Refused):
    sentence = N_("That was fast! Nothing was lost. Wait a few seconds.")


class PoolFullError(Refused):
    sentence = N_("There's a queue. Try again in a minute.")


class AlreadyDrawingError(Refused):
    sentence = N_("Your last chart is still being drawn.")


class ForgottenMeanwhileError(Refused):
    sentence = N_("That has just changed. Try again.")


class PoolFailedError(Refused):
    sentence = N_("That didn't work. Nothing was lost. Try again in a minute.")


class NoSuchDailyLengthError(Refused):
    length: int
    shortest: int
    symbols: int
    """The longest length of a daily."""

    sentence = N_("Dailies have {shortest} to {symbols}, not {length}.")


class UnknownZoneError(Refused):
    text: str
    proposals: list[str]
    """Up to 25 zones that may be meant, the likeliest first."""

    def told(self) -> str:
        if not printable(self.text):
            return _("Pick a zone from the list, or type a large city.")
        if not self.proposals:
            return _("No time zone is called {text}. Try a country or a large city.").format(
                **written(self)
            )
        return ngettext(
            "No time zone is called {text}. Did you mean this?",
            "No time zone is called {text}. Did you mean one of these?",
            len(self.proposals),
        ).format(**written(self))


class ZoneTooSoonError(Refused):
    """The player wants to change their own zone a second time within a week."""

    again_at: datetime

    sentence = N_("Your time zone can change again {again_at}.")


class HardModeMidGameError(Refused):
    number: int
    """The number of the daily that the player has begun."""

    sentence = N_("Finish today's puzzle first: #{number}.")


class NotManagerError(Refused):
    sentence = N_("You need the Manage Server permission.")


class MayNotSpeakError(Refused):
    """The member may not write in the channel to which the bot would post for them."""

    channel_id: int
    instead: str
    """What to do in another channel: a sentence with its `place`."""
    elsewhere: tuple[int, ...] = ()
    """Some channels of that server in which both the member and the bot may write."""

    def told(self) -> str:
        reason = N_("You can't write in {channel}, so I can't post for you.")
        places = listing((f"<#{channel_id}>" for channel_id in self.elsewhere), either=True)
        #: Behind "in", as {place}, where no such channel is known.
        place = places or _("a channel where you can write")
        return f"{say(reason, **written(self))} {say(self.instead, place=place)}"


class NoServerError(Refused):
    sentence = N_("Challenges need a server that I'm in. Here you can play me.")


class NotWantedError(Refused):
    player_id: int

    sentence = N_("{player} isn't taking challenges. Try somebody else, or play me.")


class EnoughGamesError(Refused):
    """The player has reached the limit of free games on one date."""

    games: int
    """The number of those begun on this date in UTC."""
    again_at: datetime

    sentence = N_(
        "That's {games} just for fun today. Start the next one {again_at}, or finish "
        "those you've started."
    )


class NotAMemberError(Refused):
    player_id: int

    sentence = N_("{player} isn't in this server.")


class CannotSeeChannelError(Refused):
    player_id: int
    channel_id: int

    sentence = N_("{player} can't see {channel}. Try another channel.")


class AtStakeError(Refused):
    """The bot breaks no code now: its guesses could help the player in a game that counts."""

    rules: CodeGame
    """The rules of the code that the bot would break."""


class RankedGameError(AtStakeError):
    """The bot breaks no code now: its guesses could help the player in a ranked Mastermind."""

    game_id: int
    is_sealable: bool
    """True if the player could seal a code beforehand, which the bot would break."""


class RatedDuelError(AtStakeError):
    """The bot breaks no code now: its guesses could help the player in a rated duel."""

    duel_id: int
    player_id: int
    """The player's opponent in that duel."""
    numbers: BullsAndCows
    """The rules of both numbers of that duel."""


class UnfinishedDailyError(Refused):
    """The coach says nothing of a set equation now: it could help the player in a daily."""

    number: int
    symbols: int
    """The length of both."""

    def told(self) -> str:
        words = _(
            "The coach waits until you've finished puzzle {number} ({symbols}), or its day is over."
        )
        return words.format(number=self.number, symbols=counts.of_symbols(self.symbols))


class NeverSealedError(Refused):
    sentence = N_("This game has no seal.")


class NotFinishedError(Refused):
    sentence = N_("Share it when it's over.")


class AlreadySharedError(Refused):
    sentence = N_("You've shared this here already.")


class BeingSharedError(Refused):
    """Another click may be posting the result to this channel at this moment."""

    again_at: datetime
    """When the result may be posted again, should it be missing."""

    sentence = N_("You just shared this here. If it isn't there, press **Share** again {again_at}.")


class StatsHiddenError(Refused):
    player_id: int

    sentence = N_("This player's statistics are private.")


class StatsOfStrangerError(Refused):
    """The player asks for the statistics of somebody with whom they share no server."""

    player_id: int

    sentence = N_("Try `/stats member` in a server you share.")


Sentence = str | Callable[[Any], str]
"""A sentence with placeholders for facts, or a function of the error that writes it."""
Sentences = Mapping[type[Exception], Sentence]

Message = str | Callable[[int], str]
"""A sentence about a typed text, or a function of how many symbols are missing or surplus."""
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
    "{text} has something invisible in place {position} ({symbol}). Type it again."
)


def written(error: Exception) -> dict[str, str]:
    """Format the facts of a refusal by placeholder: `player_id` is written as `player`.

    Facts that are None are left out. So are those whose type has no written form, such as games.
    """
    facts: dict[str, str] = {}
    for name, fact in vars(error).items():
        write = _BY_NAME.get(name) or _BY_TYPE.get(fact.__class__)
        if write is not None and fact is not None:
            facts[name.removesuffix("_id")] = write(fact)
    return facts


def mistake(error: TextRefusedError, messages: Mistakes, **facts: str) -> str:
    """Explain a mistake in a typed text; `facts` are the game's own placeholders.

    Positions, places and turns are counted from 1 in the sentence.
    """
    cause = error.cause
    found = {**written(error), **written(cause), **facts}
    if isinstance(cause, RepeatedGuessError):
        return _sentence(messages[RepeatedGuessError], 0, found | {"turn": str(cause.turn + 1)})
    if not isinstance(cause, NotationError):
        # The engine has no other errors; a new one must be worded by its game.
        raise TypeError(f"no words for {type(cause).__name__}") from cause
    message = {Problem.INVISIBLE: _INVISIBLE, **messages}[cause.problem]
    difference = abs(cause.found - cause.wanted)
    found["difference"] = str(difference)
    found["symbols"] = counts.symbols(cause.found)
    found["position"] = str(cause.position + 1)
    found["place"] = str(cause.place + 1)
    return _sentence(message, difference, found)


def _sentence(message: Message, difference: int, facts: Mapping[str, str]) -> str:
    if isinstance(message, str):
        return say(message, **facts)
    return message(difference).format(**facts)
