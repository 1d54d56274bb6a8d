"""Nouns of Mastermind and its reasons of refusal."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

from bot.games.model import (
    MOST_HINTS,
    STANDARD_MASTERMIND,
    Commitment,
    Contradiction,
    Hint,
    commitment,
    guesses_for,
)
from bot.people.model import Face
from bot.refused import OthersGameError, Refused, TextRefusedError, written
from bot.text import counts
from bot.text.language import N_, _, ngettext, say
from bot.text.markup import code, mention
from bot.text.tiles import blacks_in_words, colour_name, whites_in_words
from engine import Code, Mastermind, Score, Turn


class Kind(StrEnum):
    """A kind of game: who sets the code, and who breaks it."""

    PLAY = "play"
    """A player breaks the bot's code."""
    DEFEND = "defend"
    """The bot breaks a player's code."""
    CHALLENGE = "challenge"
    """A player breaks another's code in public."""


class Stage(StrEnum):
    INVITED = "invited"
    """The challenge waits for an answer."""
    PLAYING = "playing"
    OVER = "over"


class Ending(StrEnum):
    SOLVED = "solved"
    """The Codebreaker, player or bot, found the code."""
    LOST = "lost"
    SURRENDERED = "surrendered"
    """The player gave up against the bot, or ended the bot's game."""
    RESIGNED = "resigned"
    LAPSED = "lapsed"
    """Nobody answered a challenge, or guessed in it, for a day."""
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """The challenger withdrew the challenge before it was accepted."""
    REPLACED = "replaced"
    """The player replaced the untouched game by a sealed one, or by one at another setting."""
    AT_STAKE = "at_stake"
    """A DEFEND without a seal ended because a rated duel with such codes began for its player."""
    CLOSED = "closed"
    """The game was left alone for a week.

    Challenges lapse instead. A ranked game with a guess counts as lost.
    """


@dataclass(frozen=True, slots=True)
class Thought:
    """What the solver knows after some turns; `guess` is None if it has chosen no guess."""

    remaining: int
    contradiction: Contradiction | None = None
    guess: Code | None = None


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How many codes were possible before a guess of the bot, and how many after its feedback."""

    turn: Turn[Score]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Question:
    """A guess of the bot's, as the answering player saw it.

    `turn` does not identify the guess, since a correction drops turns. `blacks` is the
    player's answer, if already given.
    """

    turn: int
    guess: str
    blacks: int | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess and the player's answer to it.

    Each part of the answer is None before it is given, and in a game whose code the bot knows.
    """

    code: Code
    blacks: int | None = None
    whites: int | None = None


@dataclass(frozen=True, slots=True)
class NewMastermind:
    """Values of a new game, named as in `MastermindGame`."""

    kind: Kind
    rules: Mastermind
    owner_id: int
    codebreaker_id: int | None = None
    secret: Code | None = field(default=None, repr=False)
    guild_id: int | None = None
    channel_id: int | None = None
    salt: str | None = field(default=None, repr=False)
    ranked: bool = True
    relabelling: str | None = None

    @property
    def is_ranked(self) -> bool:
        return _is_ranked(self)


@dataclass(frozen=True)
class MastermindGame:
    """A game: the stored fields and all that follows from them.

    Attributes:
        hidden_code: the code, if the bot knows it, even while the game goes on. Only use cases
            read it; pages read `secret`.
        owner_id: the player who opened the game.
        codebreaker_id: the player who guesses; None for the bot.
        shown: the revision that the public board shows.
        pending: the row of pegs that is being filled, as letters of the rules.
        deadline_at: when the game ends unless its player goes on; meaningless once it is over.
        ranked: whether leaderboards may count it; fixed before its first guess.
        relabelling: the solver's names of colours and places; None for the usual ones.
        guesses: all guesses in order, including one of the bot's that waits for an answer.
    """

    id: int
    kind: Kind
    rules: Mastermind
    hidden_code: Code | None = field(repr=False)  # never logged, and neither is the salt
    salt: str | None = field(repr=False)
    owner_id: int
    codebreaker_id: int | None
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    revision: int = field(compare=False)
    shown: int = field(compare=False)
    pending: str
    opened_at: datetime
    moved_at: datetime = field(compare=False)
    deadline_at: datetime
    accepted_at: datetime | None
    finished_at: datetime | None
    ending: Ending | None
    ranked: bool = field(compare=False)
    relabelling: str | None = None
    guesses: tuple[Guess, ...] = ()
    hints: tuple[Hint, ...] = ()

    @classmethod
    def stored(
        cls, *, kind: str, rules: str, secret: str | None, ending: str | None, **rest: Any
    ) -> Self:
        """Convert a stored row, whose rules and codes are in notation.

        `rest` are fields as stored.
        """
        return cls(
            kind=Kind(kind),
            rules=Mastermind.decode(rules),
            hidden_code=secret,
            ending=None if ending is None else Ending(ending),
            **rest,
        )

    @property
    def stage(self) -> Stage:
        if self.finished_at is not None:
            return Stage.OVER
        return Stage.PLAYING if self._has_begun else Stage.INVITED

    @property
    def _has_begun(self) -> bool:
        return self.kind is not Kind.CHALLENGE or self.accepted_at is not None

    @property
    def secret(self) -> Code | None:
        """The code, once the game is over; None before, for everybody.

        It stays None in a DEFEND without a seal, whose code only the player knows, and in a
        challenge that was never accepted, whose code may be set again.
        """
        return self.hidden_code if self.stage is Stage.OVER and self._has_begun else None

    @property
    def sealed(self) -> bool:
        """True if the code of a DEFEND is sealed, so that the bot scores itself."""
        return self.kind is Kind.DEFEND and self.hidden_code is not None

    @cached_property
    def turns(self) -> tuple[Turn[Score], ...]:
        """The answered guesses; or all guesses, with scores from the code, if the bot knows it."""
        if (code := self.hidden_code) is not None:
            return tuple(
                Turn(each.code, self.rules.feedback(each.code, code)) for each in self.guesses
            )
        return tuple(
            Turn(each.code, Score(each.blacks, each.whites))
            for each in self.guesses
            if each.blacks is not None and each.whites is not None
        )

    @property
    def _waiting(self) -> Guess | None:
        if self.stage is Stage.OVER or self.hidden_code is not None:
            return None
        return next((each for each in self.guesses if each.whites is None), None)

    @property
    def guess(self) -> Code | None:
        """The bot's guess that waits for an answer, in a DEFEND without a seal; else None."""
        return None if self._waiting is None else self._waiting.code

    @property
    def blacks(self) -> int | None:
        """The blacks that were answered to `guess`, while its whites are missing; else None."""
        return None if self._waiting is None else self._waiting.blacks

    @property
    def commitment(self) -> Commitment | None:
        """The commitment to a code that the bot knows; None without such a code.

        Once the game is over, it reveals the code. A challenge that was never accepted then has no
        commitment.
        """
        is_over = self.stage is Stage.OVER
        if is_over and not self._has_begun:
            return None
        return commitment(f"mastermind {self.id}", self.hidden_code, self.salt, is_open=is_over)

    @property
    def is_ranked(self) -> bool:
        """True if leaderboards count the game, once it is over and has a guess."""
        return _is_ranked(self)

    @property
    def is_untouched(self) -> bool:
        """True if the game is running, without a turn, a peg in the row or a part of an answer."""
        is_begun = self.turns or self.pending or self.blacks is not None
        return self.stage is Stage.PLAYING and not is_begun

    @property
    def may_change(self) -> bool:
        """True if another setting may be chosen: while nothing was done, or nobody has accepted."""
        if self.kind is Kind.CHALLENGE:
            return self.stage is Stage.INVITED
        return self.is_untouched and not self.sealed

    @property
    def board_url(self) -> str | None:
        if self.message_id is None:
            return None
        return f"https://discord.com/channels/{self.guild_id}/{self.channel_id}/{self.message_id}"

    @property
    def guesses_left(self) -> int:
        return self.rules.max_guesses - len(self.turns)

    @property
    def counted_guesses(self) -> int:
        """The guesses that a solved game counts as, in statistics and on leaderboards."""
        most = self.rules.max_guesses
        return guesses_for(made=len(self.turns), hints=len(self.hints), most=most)

    @property
    def may_hint(self) -> bool:
        is_on = self.kind is Kind.PLAY and self.stage is Stage.PLAYING
        return is_on and bool(self.turns) and len(self.hints) < MOST_HINTS

    @property
    def question(self) -> Question | None:
        """The bot's unanswered guess in an unsealed DEFEND, with any blacks so far; else None."""
        if self.guess is None:
            return None
        return Question(len(self.turns), self.guess, self.blacks)

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers that the player may answer now, ascending; empty if the bot waits for none.

        They are numbers of blacks for `guess` or, once the blacks are given, of whites.
        """
        if self.guess is None:
            return ()
        if self.blacks is None:
            return self.blacks_of(self.guess)
        return self.whites_with(self.guess, self.blacks)

    @property
    def is_correctable(self) -> bool:
        """True if answers may still be corrected, in a DEFEND without a seal.

        A game that an answer has ended can go on, since that answer may be a slip. With any other
        ending it cannot.
        """
        is_answered = self.kind is Kind.DEFEND and not self.sealed and bool(self.turns)
        return is_answered and self.ending in (None, Ending.SOLVED, Ending.LOST)

    def waits_for(self, player_id: int) -> bool:
        """True if another player waits for this one to answer the challenge, or to guess."""
        is_theirs = self.kind is Kind.CHALLENGE and self.codebreaker_id == player_id
        return is_theirs and self.stage is not Stage.OVER

    def blacks_of(self, guess: Code) -> tuple[int, ...]:
        return tuple(sorted({answer.bulls for answer in self.rules.answers(guess)}))

    def whites_with(self, guess: Code, blacks: int) -> tuple[int, ...]:
        answers = self.rules.answers(guess)
        return tuple(sorted(answer.cows for answer in answers if answer.bulls == blacks))


def _is_ranked(game: MastermindGame | NewMastermind) -> bool:
    return game.ranked and game.kind is Kind.PLAY and game.rules == STANDARD_MASTERMIND


@dataclass(frozen=True, slots=True)
class SolverView:
    """A game in which the bot breaks the code, with what the solver knows.

    Attributes:
        remaining: the number of candidates; 0 only with a contradiction.
        steps: the turns with what each left, in a sealed DEFEND.
    """

    game: MastermindGame
    remaining: int
    contradiction: Contradiction | None = None
    steps: tuple[Narrowing, ...] = ()


@dataclass(frozen=True, slots=True)
class InvitationView:
    """A challenge as its two players see it.

    Attributes:
        face: the challenger's, if known, while the challenge waits for an answer; else None.
        players: at the end, the breaker and the challenger: id, name and, if known, face of each.
    """

    game: MastermindGame
    face: Face | None = None
    players: tuple[tuple[int, str, Face | None], ...] = ()


@dataclass(frozen=True, slots=True)
class SettingRecord:
    """A Codebreaker's results at one setting, in finished games with a guess.

    Attributes:
        mean: guesses on average over the solved games, hints included; None if none is solved.
        best: the fewest guesses of a solved game, hints included; None if none is solved.
    """

    rules: Mastermind
    games: int
    solved: int
    mean: float | None
    best: int | None


class WrongSettingError(Refused):
    field: str
    found: int
    lowest: int
    highest: int

    def told(self) -> str:
        messages = {
            "pegs": N_("A code has {lowest} to {pegs}, not {found}."),
            "colours": N_("Choose {lowest} to {colours}, not {found}."),
            "guesses": N_("Choose {lowest} to {guesses}, not {found}."),
        }
        return say(
            messages[self.field],
            pegs=counts.pegs(self.highest),
            colours=counts.colours(self.highest),
            guesses=counts.guesses(self.highest),
            **written(self),
        )


class PegsBeyondColoursError(Refused):
    pegs: int
    chosen: int

    def told(self) -> str:
        message = N_("Without repeats, {pegs} need at least {colours}, not {chosen}.")
        return say(message, colours=counts.colours(self.pegs), **written(self))


class CodeRefusedError(TextRefusedError):
    rules: Mastermind


class TooManyGamesError(Refused):
    games: int

    sentence = N_("You have {games} of Mastermind open. Finish one first.")


class SelfChallengeError(Refused):
    sentence = N_("You can't challenge yourself. Break my code!")


class BotChallengeError(Refused):
    sentence = N_("Bots take no challenges, but I do break codes.")


class AlreadyInvitedError(Refused):
    """The challenged member has not answered an earlier challenge of this player yet."""

    game: MastermindGame

    def told(self) -> str:
        message = N_("You've already challenged {player}: {board}.")
        board = self.game.board_url
        if board is None:
            message = N_("You've already challenged {player}: see `/play`.")
        return say(message, player=mention(self.game.codebreaker_id or 0), board=board)


class NoSuchGameError(Refused):
    sentence = N_("That game is gone. Start a new one!")


class NotYourGameError(OthersGameError):
    player_id: int
    """The player who may: the owner, or in some use cases the Codebreaker."""

    sentence = N_("Only {player} can do that here.")


class NotInvitedError(OthersGameError):
    """The challenge is to somebody else."""

    player_id: int
    is_challenger: bool = False
    """True if the challenger tried to answer their own challenge."""

    def told(self) -> str:
        message = N_("This challenge is for {player}. Start your own!")
        if self.is_challenger:
            message = N_("{player} must answer first. You can still withdraw.")
        return say(message, **written(self))


class NotWithdrawableError(Refused):
    """The challenged player tried to withdraw the challenge."""

    player_id: int
    """The challenger."""

    sentence = N_("Only {player} can withdraw this challenge. You can decline it.")


class GameStateError(Refused):
    game: MastermindGame


class GameFinishedError(GameStateError):
    """The game is over; its deadline may have passed just now."""

    #: Also instead of a guess that comes too late.
    sentence = N_("This game is over.")


class NotAcceptedError(GameStateError):
    def told(self) -> str:
        message = N_("{player} must accept first.")
        return say(message, player=mention(self.game.codebreaker_id or 0))


class AlreadyAcceptedError(GameStateError):
    def told(self) -> str:
        message = N_("It's been accepted. {player} can still resign.")
        return say(message, player=mention(self.game.codebreaker_id or 0))


class HasBegunError(GameStateError):
    """Another setting was chosen for a game that is no longer untouched."""

    sentence = N_("This game has begun. Start another to change pegs or colours.")


class ChallengeChangedError(GameStateError):
    """A challenge was accepted at a setting that its challenger has changed since."""

    def told(self) -> str:
        message = N_("{player} has changed the challenge. Look again, then accept.")
        return say(message, player=mention(self.game.owner_id))


class RowError(GameStateError):
    pass


class RowFullError(RowError):
    sentence = N_("The row is full. Press *Guess* or *Undo*.")


class RowIncompleteError(RowError):
    def told(self) -> str:
        found, wanted = len(self.game.pending), self.game.rules.pegs
        missing = wanted - found
        return ngettext(
            "The row has {found} of {wanted} pegs. Add one.",
            "The row has {found} of {wanted} pegs. Add {missing}.",
            missing,
        ).format(found=found, wanted=wanted, missing=missing)


class ColourUsedError(RowError):
    symbol: str

    def told(self) -> str:
        message = N_("{symbol} ({colour}) is already in the row, but repeats are off.")
        return say(message, colour=colour_name(self.symbol), **written(self))


class MastermindRefusedError(GameStateError, TextRefusedError):
    pass


class ImpossibleAnswerError(Refused):
    guess: Code
    blacks: int
    whites: int | None
    """None if only blacks were answered."""

    def told(self) -> str:
        facts = {"guess": code(self.guess), "blacks": blacks_in_words(self.blacks)}
        if self.whites is None:
            return _("{guess} can't score {blacks}.").format(**facts)
        whites = whites_in_words(self.whites)
        return _("{guess} can't score {blacks} and {whites}.").format(whites=whites, **facts)


class BoardUnpostableError(Refused):
    channel_id: int

    sentence = N_("{channel} is gone, or closed to me. Keep playing in `/play`.")


@dataclass(frozen=True, slots=True)
class FinishedMastermind:
    """A finished Mastermind that was begun: by a guess, or by accepting the challenge.

    Attributes:
        codebreaker_id: the player who guessed; None for the bot.
        sealed: whether the bot broke a code that the player had sealed before.
        guesses: the number of answered guesses.
    """

    id: int
    finished_at: datetime
    kind: Kind
    rules: Mastermind
    owner_id: int
    codebreaker_id: int | None
    ending: Ending
    sealed: bool
    guesses: int
    hints: int

    @classmethod
    def stored(cls, *, kind: str, rules: str, ending: str, **rest: Any) -> Self:
        return cls(kind=Kind(kind), rules=Mastermind.decode(rules), ending=Ending(ending), **rest)
